// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merges entered: which branch came in, trees of branch commits on the first parent beside
 * git's own merges, conflicts, and a user's repository that stays as it was.
 */
#include "orchestrator/work/range_merge.h"

#include "orchestrator/tests/test_source_repository.h"
#include "orchestrator/work/source.h"

struct fixture {
	char *directory;
	char *repository;
	char *own;
};

static void write_lines(const char *repository, const char *name, const char *first, const char *last)
{
	_cleanup_text_ struct text_buffer text = { 0 };

	text_printf(&text, "%s\n", first);
	for (int i = 0; i < 20; i++)
		text_printf(&text, "line %d\n", i);
	text_printf(&text, "%s\n", last);
	repository_write(repository, name, text.text);
}

/*
 * main: m0 - m1 (first line of a.c) - M (merge of side) - O (octopus of x and y)
 * side: m0 - s1 (last line of a.c) - s2 (first line too: a conflict) - s3 (first line again as
 * it was) - s4 (new file)
 */
static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	const char *repository;

	fixture->directory = repository_temporary();
	fixture->own = path_join(fixture->directory, "own");
	repository = fixture->repository = path_join(fixture->directory, "linux");
	repository_do(fixture->directory, "git init -q -b main linux");
	write_lines(repository, "mm/a.c", "0", "0");
	repository_commit(repository, "m0");
	repository_do(repository, "git checkout -q -b side");
	write_lines(repository, "mm/a.c", "0", "1");
	repository_commit(repository, "s1");
	write_lines(repository, "mm/a.c", "2", "1");
	repository_commit(repository, "s2");
	write_lines(repository, "mm/a.c", "0", "1");
	repository_commit(repository, "s3");
	repository_write(repository, "fs/new.c", "0\n");
	repository_commit(repository, "s4");
	repository_do(repository, "git checkout -q main");
	write_lines(repository, "mm/a.c", "1", "0");
	repository_commit(repository, "m1");
	repository_do(repository, "git merge -q --no-ff -m M side");
	repository_do(repository, "git tag M");
	for (int i = 0; i < 2; i++) {
		const char *name = i ? "y" : "x";
		_cleanup_free_ char *checkout = text_format("git checkout -q -b %s M", name);

		repository_do(repository, checkout);
		repository_write(repository, name, "0\n");
		repository_commit(repository, name);
	}
	repository_do(repository, "git checkout -q main");
	repository_do(repository, "git merge -q --no-ff -m O x y");
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	struct error err;

	assert_int_equal(file_remove_tree(fixture->directory, &err), 0);
	free(fixture->directory);
	free(fixture->repository);
	free(fixture->own);
	free(fixture);
	return 0;
}

static void assert_is(const struct fixture *fixture, const char *id, const char *revision)
{
	_cleanup_free_ char *command = text_format("git rev-parse %s", revision);
	_cleanup_free_ char *expected = repository_run(fixture->repository, NULL, command);

	assert_string_equal(id, expected);
}

static void branch_of_a_merge_is_found(void **state)
{
	const struct fixture *fixture = *state;
	struct range_branch branch;
	struct range_request request = { .repository = fixture->repository };
	_cleanup_range_ struct range range = { 0 };
	struct error err = { 0 };

	assert_int_equal(range_merge_enter(fixture->repository, "M", 2, &branch, &err), 0);
	assert_int_equal(branch.n_parents, 2);
	assert_is(fixture, branch.first, "M^1");
	assert_is(fixture, branch.base, "M~2");
	assert_is(fixture, branch.tip, "side");
	request.good = branch.base;
	request.bad = branch.tip;
	assert_int_equal(range_resolve(&request, &range, &err), 0);
	assert_int_equal(range.n, 4);
	assert_string_equal(range.commits[1].title, "s1");

	assert_int_equal(range_merge_enter(fixture->repository, "main", 3, &branch, &err), 0);
	assert_int_equal(branch.n_parents, 3);
	assert_is(fixture, branch.base, "M");
	assert_is(fixture, branch.tip, "y");
}

static void useless_merges_are_refused(void **state)
{
	const struct fixture *fixture = *state;
	const char *repository = fixture->repository;
	static const struct {
		const char *merge;
		unsigned number;
		const char *sentence;
	} cases[] = {
		{ "M~1", 2, "'M~1' is no merge" },
		{ "M", 3, "has 2 parents: there is no branch number 3" },
		{ "M", 1, "there is no branch number 1" },
		{ "nowhere", 2, "no revision 'nowhere'" },
		{ "apart", 2, "has no commit in common with the first parent" },
		{ "old", 2, "it brought no commit" },
	};

	repository_do(repository, "git checkout -q --orphan other");
	repository_do(repository, "git commit -q -m o0");
	repository_do(repository, "git checkout -q -b apart main");
	repository_do(repository, "git merge -q --allow-unrelated-histories -s ours -m apart other");
	repository_do(repository, "git checkout -q -b old main");
	{
		_cleanup_free_ char *made = repository_run(
			repository, NULL, "git commit-tree -p main -p M -m old main^{tree}");
		_cleanup_free_ char *reset = text_format("git reset -q --hard %s", made);

		repository_do(repository, reset);
	}
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct range_branch branch;
		struct error err = { 0 };

		assert_true(range_merge_enter(repository, cases[i].merge, cases[i].number, &branch, &err) < 0);
		if (!strstr(err.text, cases[i].sentence))
			fail_msg("'%s' does not hold '%s'", err.text, cases[i].sentence);
	}
}

/* What git itself makes of the same merge. */
static void assert_as_git(const struct fixture *fixture, const char *first, const char *commit,
			  const char *tree)
{
	_cleanup_free_ char *command = text_format("git merge-tree --write-tree %s %s", first, commit);
	_cleanup_free_ char *clone = path_join(fixture->directory, "clone");
	_cleanup_free_ char *expected = NULL;

	if (!file_exists(clone))
		repository_do(fixture->directory, "git clone -q linux clone");
	expected = repository_run(clone, NULL, command);
	assert_string_equal(tree, expected);
}

static void branch_commits_are_merged_onto_the_first_parent(void **state)
{
	const struct fixture *fixture = *state;
	static const char *const revisions[] = { "side~3", "side~2", "side~1", "side" };
	static const int expected[] = { 0, RANGE_MERGE_CONFLICT, 0, 0 };
	_cleanup_free_ char *first = repository_run(fixture->repository, NULL, "git rev-parse M^1");
	_cleanup_free_ char *before = repository_run(fixture->repository, NULL, "find . -type f");
	_cleanup_free_ char *after = NULL;
	char tree[RANGE_ID_SIZE] = "";

	for (size_t i = 0; i < ARRAY_SIZE(revisions); i++) {
		_cleanup_free_ char *command = text_format("git rev-parse %s", revisions[i]);
		_cleanup_free_ char *commit = repository_run(fixture->repository, NULL, command);
		struct error err = { 0 };
		int r;

		*tree = '\0';
		r = range_merge_tree(fixture->repository, fixture->own, first, commit, tree, &err);

		if (r != expected[i])
			fail_msg("%s: %d %s", revisions[i], r, err.text);
		if (r == 0)
			assert_as_git(fixture, first, commit, tree);
		else
			assert_string_equal(tree, "");
	}
	assert_is(fixture, tree, "M^{tree}");
	after = repository_run(fixture->repository, NULL, "find . -type f");
	assert_string_equal(before, after);
}

/* The tree of s1 on m1 is in no commit of the user's. */
static void merged_tree_is_checked_out(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *first = repository_run(fixture->repository, NULL, "git rev-parse M^1");
	_cleanup_free_ char *commit = repository_run(fixture->repository, NULL, "git rev-parse side~3");
	_cleanup_free_ char *file = path_join(fixture->own, "src/mm/a.c");
	_cleanup_free_ char *text = NULL;
	char tree[RANGE_ID_SIZE] = "";
	struct error err = { 0 };

	assert_int_equal(range_merge_tree(fixture->repository, fixture->own, first, commit, tree, &err), 0);
	if (source_checkout(fixture->repository, tree, fixture->own, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(file_read(file, 1000, &text, NULL, &err), 0);
	assert_true(text_has_prefix(text, "1\nline 0\n"));
	assert_true(text_has_suffix(text, "line 19\n1\n"));
}

static void missing_commits_are_named(void **state)
{
	const struct fixture *fixture = *state;
	static const char absent[] = "1234567890123456789012345678901234567890";
	_cleanup_free_ char *first = repository_run(fixture->repository, NULL, "git rev-parse M^1");
	char tree[RANGE_ID_SIZE] = "";
	struct error err = { 0 };

	assert_int_equal(range_merge_tree(fixture->repository, fixture->own, first, absent, tree, &err), -ENOENT);
	assert_non_null(strstr(err.text, "commit 1234567890123456789012345678901234567890 cannot be read"));
	assert_int_equal(range_merge_tree("/nonexistent", fixture->own, first, first, tree, &err), -ENOENT);
	assert_non_null(strstr(err.text, "there is no repository at /nonexistent any more"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(branch_of_a_merge_is_found, setup, teardown),
		cmocka_unit_test_setup_teardown(useless_merges_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(branch_commits_are_merged_onto_the_first_parent, setup, teardown),
		cmocka_unit_test_setup_teardown(merged_tree_is_checked_out, setup, teardown),
		cmocka_unit_test_setup_teardown(missing_commits_are_named, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
