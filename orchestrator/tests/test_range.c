// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ranges of real repositories: which commits they hold, in which order, and one sentence
 * for each way in which a range can be useless. Hints and changes meanwhile: test_range_hints.c.
 */
#include "orchestrator/work/range.h"

#include "orchestrator/tests/test_source_repository.h"

/*
 * main:  m0 - m1 - m2 - M3(side) - m4     side: m1 - s1 - s2
 * back:  m0 - b1 - B2(m2) - b3            other: a root of its own
 */
static int setup(void **state)
{
	static const char *const steps[] = {
		"git commit -q --allow-empty -m m0", "git tag m0",
		"git commit -q --allow-empty -m m1", "git tag m1",
		"git checkout -q -b side",
		"git commit -q --allow-empty -m s1", "git tag s1",
		"git commit -q --allow-empty -m s2", "git tag s2",
		"git checkout -q main",
		"git commit -q --allow-empty -m m2", "git tag -a -m annotated m2",
		"git merge -q --no-ff -m M3 side", "git tag M3",
		"git commit -q --allow-empty -m m4", "git tag m4",
		"git checkout -q -b back m0",
		"git commit -q --allow-empty -m b1", "git tag b1",
		"git merge -q --no-ff -m B2 m2", "git tag B2",
		"git commit -q --allow-empty -m b3", "git tag b3",
		"git checkout -q --orphan other",
		"git commit -q --allow-empty -m o0", "git tag o0",
		"git checkout -q main",
	};
	struct repository_fixture *fixture = repository_fixture_new();

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		repository_do(fixture->repository, steps[i]);
	*state = fixture;
	return 0;
}

/* @expected: the titles, a space between; is it the line of first parents, says git? */
static void assert_line(const char *repository, const char *good, const char *bad, const char *expected)
{
	const struct range_request request = { .repository = repository, .good = good, .bad = bad };
	_cleanup_range_ struct range range = { 0 };
	_cleanup_text_ struct text_buffer titles = { 0 };
	bool is_first_parents = true;
	struct error err = { 0 };

	if (range_resolve(&request, &range, &err) != 0)
		fail_msg("%s..%s: %s", good, bad, err.text);
	for (size_t i = 0; i <= range.n; i++)
		text_printf(&titles, "%s%s", i ? " " : "", range.commits[i].title);
	assert_string_equal(titles.text, expected);
	for (size_t i = 1; i <= range.n; i++) {
		_cleanup_free_ char *command = text_format("git rev-parse %s^1", range.commits[i].id);
		_cleanup_free_ char *first = repository_run(repository, NULL, command);

		is_first_parents = is_first_parents && strcmp(first, range.commits[i - 1].id) == 0;
	}
	assert_int_equal(range.is_first_parents, is_first_parents);
}

static void assert_refused(const char *repository, const char *good, const char *bad, const char *expected)
{
	const struct range_request request = { .repository = repository, .good = good, .bad = bad };
	struct range range = { .n = 77 };
	struct error err = { 0 };

	assert_true(range_resolve(&request, &range, &err) < 0);
	if (!strstr(err.text, expected))
		fail_msg("'%s' does not hold '%s'", err.text, expected);
	assert_int_equal(range.n, 77);
}

static void line_follows_first_parents(void **state)
{
	const struct repository_fixture *fixture = *state;
	const struct range_request request = { .repository = fixture->repository, .good = "m1", .bad = "main" };
	_cleanup_range_ struct range range = { 0 };
	_cleanup_free_ char *ids = NULL;
	_cleanup_text_ struct text_buffer ours = { 0 };
	struct error err = { 0 };

	assert_line(fixture->repository, "m0", "m4", "m0 m1 m2 M3 m4");
	assert_line(fixture->repository, "m2", "M3", "m2 M3");
	assert_int_equal(range_resolve(&request, &range, &err), 0);
	ids = repository_run(fixture->repository, NULL, "git rev-list --reverse --first-parent m1..main");
	for (size_t i = 1; i <= range.n; i++)
		text_printf(&ours, "%s%s", i > 1 ? "\n" : "", range.commits[i].id);
	assert_string_equal(ours.text, ids);
	assert_int_equal(range.n, 3);
	assert_false(range.commits[1].is_merge);
	assert_true(range.commits[2].is_merge);
	assert_int_equal(range.commits[2].author_time_s, 1700000000);
	assert_true(range.commits[1].weight == 1);
}

/* Good lies on a branch that was merged: then the line goes through that branch. */
static void line_enters_the_branch_of_good(void **state)
{
	const struct repository_fixture *fixture = *state;

	assert_line(fixture->repository, "s1", "m4", "s1 s2 M3 m4");
	assert_line(fixture->repository, "s2", "m4", "s2 M3 m4");
	assert_line(fixture->repository, "m1", "b3", "m1 m2 B2 b3");
	assert_line(fixture->repository, "m2", "b3", "m2 B2 b3");
	/* Here the first parents reach it. */
	assert_line(fixture->repository, "m0", "b3", "m0 b1 B2 b3");
}

static void useless_ends_are_refused(void **state)
{
	const struct repository_fixture *fixture = *state;
	const char *repository = fixture->repository;

	assert_refused(repository, "m1", "m1", "'m1' and 'm1' are the same commit");
	assert_refused(repository, "m2", "m2^{commit}", "are the same commit");
	assert_refused(repository, "m4", "m1", "'m4' comes after 'm1', so the range holds no commit: write m1..m4");
	assert_refused(repository, "m4", "s1", "'m4' comes after 's1'");
	assert_refused(repository, "b1", "m4", "'b1' is no ancestor of 'm4'");
	assert_refused(repository, "b1", "m4", "if that one is good, write ");
	assert_refused(repository, "o0", "m4", "have no commit in common");
	assert_refused(repository, "m4", "o0", "have no commit in common");
	assert_refused(repository, "nowhere", "m4", "no revision 'nowhere'");
	assert_refused(repository, "m4", "m0^{tree}", "names a tree, not a commit");
	assert_refused("/nonexistent/linux", "m0", "m4", "there is no repository at /nonexistent/linux");
}

static void shallow_clone_is_named(void **state)
{
	const struct repository_fixture *fixture = *state;
	_cleanup_free_ char *clone = path_join(fixture->directory, "shallow");
	_cleanup_free_ char *good = repository_run(fixture->repository, NULL, "git rev-parse m2^{commit}");
	_cleanup_free_ char *far = repository_run(fixture->repository, NULL, "git rev-parse m0");
	_cleanup_free_ char *command =
		text_format("git clone -q --depth 3 --no-local file://%s shallow", fixture->repository);
	_cleanup_free_ char *fetch = text_format("git fetch -q --depth 1 origin %s", far);

	repository_do(fixture->directory, command);
	assert_line(clone, good, "HEAD", "m2 M3 m4");
	assert_refused(clone, far, "HEAD", "(it is a shallow clone)");
	repository_do(clone, fetch);
	assert_refused(clone, far, "HEAD", "since ");
	assert_refused(clone, far, "HEAD", "is a shallow clone: run git -C");
}

static void missing_commit_is_named(void **state)
{
	const struct repository_fixture *fixture = *state;
	_cleanup_free_ char *copy = path_join(fixture->directory, "damaged");
	_cleanup_free_ char *id = repository_run(fixture->repository, NULL, "git rev-parse m1");
	_cleanup_free_ char *object = NULL;

	repository_do(fixture->directory, "cp -r linux damaged");
	object = text_format("%s/.git/objects/%.2s/%s", copy, id, id + 2);
	assert_int_equal(unlink(object), 0);
	assert_refused(copy, "m0", "m4", "was it pruned meanwhile, or is it damaged? try git -C");
}

static void titles_are_printable_and_cut(void **state)
{
	const struct repository_fixture *fixture = *state;
	_cleanup_free_ char *message = path_join(fixture->directory, "message");
	_cleanup_free_ char *name = path_join(fixture->directory, "strange");
	_cleanup_text_ struct text_buffer text = { 0 };
	const struct range_request request = { .repository = name, .good = "HEAD^", .bad = "HEAD" };
	_cleanup_range_ struct range range = { 0 };
	struct error err = { 0 };

	repository_do(fixture->directory, "git init -q -b main strange");
	repository_do(name, "git commit -q --allow-empty -m first");
	text_append(&text, "\n\n\033[31mred \xe9 \xe2\x80\xae");
	for (int i = 0; i < 60; i++)
		text_append(&text, "long ");
	text_append(&text, "\nbody\n");
	repository_write(fixture->directory, "message", text.text);
	repository_do(name, "git -c i18n.commitEncoding=latin1 commit -q --allow-empty --cleanup=verbatim -F ../message");
	assert_int_equal(range_resolve(&request, &range, &err), 0);
	assert_string_equal(range.commits[0].title, "first");
	assert_true(text_has_prefix(range.commits[1].title, "?[31mred ? "));
	assert_null(strchr(range.commits[1].title, '\n'));
	assert_int_equal(strlen(range.commits[1].title), 200);
}

static void range_is_split_at_its_dots(void **state)
{
	static const struct {
		const char *revision, *good, *bad;
	} cases[] = {
		{ "v6.16..v6.17", "v6.16", "v6.17" },
		{ "a..", "a", "HEAD" },
		{ "..b", "HEAD", "b" },
		{ "..", "HEAD", "HEAD" },
	};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *good = NULL;
		_cleanup_free_ char *bad = NULL;

		assert_int_equal(range_split(cases[i].revision, &good, &bad, &err), 0);
		assert_string_equal(good, cases[i].good);
		assert_string_equal(bad, cases[i].bad);
	}
	assert_int_equal(range_split("a", NULL, NULL, &err), -EINVAL);
	assert_int_equal(range_split("a...b", NULL, NULL, &err), -EINVAL);
	assert_int_equal(range_split("a..b..c", NULL, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "too many dots"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(line_follows_first_parents, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(line_enters_the_branch_of_good, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(useless_ends_are_refused, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(shallow_clone_is_named, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(missing_commit_is_named, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(titles_are_printable_and_cut, setup, repository_fixture_teardown),
		cmocka_unit_test(range_is_split_at_its_dots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
