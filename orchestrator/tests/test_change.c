// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changes on real repositories: the tree is git's own, what does not fit is named, and the
 * user's repository stays as it is.
 */
#include "orchestrator/work/change.h"

#include <ftw.h>

#include "common/base64.h"
#include "common/digest.h"
#include "orchestrator/tests/test_source_repository.h"
#include "orchestrator/work/build_site.h"
#include "orchestrator/work/patch_read.h"
#include "orchestrator/work/source.h"

struct fixture {
	char *directory;
	char *repository; /* base; old: with another mm/a.c before it; top: five commits on base */
	char *state;
	char *patches;    /* format-patch base..top */
};

static void write_lines(const char *repository, const char *name, int n, int changed)
{
	_cleanup_text_ struct text_buffer text = { 0 };

	for (int i = 1; i <= n; i++)
		text_printf(&text, "line %d%s\n", i, i == changed ? " changed" : "");
	repository_write(repository, name, text.text);
}

static void make_commits(const char *repository)
{
	write_lines(repository, "mm/a.c", 60, 30);
	repository_commit(repository, "p1");
	repository_write(repository, "mm/sub/new.c", "int x;\n");
	repository_commit(repository, "p2");
	repository_do(repository, "git mv mm/sub/new.c mm/moved.c");
	repository_do(repository, "git rm -q mm/gone.c");
	repository_commit(repository, "p3");
	repository_write(repository, "mm/b.c", "one\ntwo\nthree");
	repository_do(repository, "chmod +x mm/b.c");
	repository_commit(repository, "p4");
	repository_write(repository, "mm/b.c", "one\ntwo\nthree\n");
	write_lines(repository, "mm/a.c", 60, 31);
	repository_commit(repository, "p5");
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->directory = repository_temporary();
	fixture->repository = path_join(fixture->directory, "linux");
	fixture->state = path_join(fixture->directory, "state");
	fixture->patches = path_join(fixture->directory, "patches");
	repository_do(fixture->directory, "git init -q -b main linux");
	repository_write(fixture->repository, "Makefile", "VERSION = 6\nPATCHLEVEL = 12\n");
	repository_write(fixture->repository, "Kconfig", "mainmenu \"x\"\n");
	write_lines(fixture->repository, "mm/a.c", 60, 5);
	repository_write(fixture->repository, "mm/gone.c", "bye\n");
	repository_write(fixture->repository, "mm/b.c", "one\ntwo\n");
	repository_commit(fixture->repository, "older");
	repository_do(fixture->repository, "git tag old");
	write_lines(fixture->repository, "mm/a.c", 60, 0);
	repository_do(fixture->repository, "ln -s a.c mm/link.c");
	repository_commit(fixture->repository, "base");
	repository_do(fixture->repository, "git tag base");
	make_commits(fixture->repository);
	repository_do(fixture->repository, "git tag top");
	repository_do(fixture->repository, "git format-patch -q base -o ../patches");
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
	free(fixture->state);
	free(fixture->patches);
	free(fixture);
	return 0;
}

/* A job: @revision plain, and with what change_add() adds. */
struct trial {
	struct job job;
	json_t *files;
	struct text_buffer notes;
	struct error err;
};

static void trial_init(struct trial *trial, const struct fixture *fixture, const char *revision)
{
	*trial = (struct trial){ .files = json_object() };
	job_init(&trial->job);
	trial->job.repository = text_duplicate(fixture->repository);
	assert_int_equal(job_add_point(&trial->job, "plain", revision, &trial->err), 0);
	assert_int_equal(job_add_point(&trial->job, "patched", revision, &trial->err), 0);
}

static void trial_done(struct trial *trial)
{
	job_done(&trial->job);
	json_decref(trial->files);
	text_buffer_done(&trial->notes);
}

static void change_add(struct trial *trial, enum job_change_kind kind, const char *what)
{
	assert_int_equal(job_changes_add(&trial->job.points[1].changes, kind, what, NULL, &trial->err), 0);
}

static void patches_add(struct trial *trial, const char *path)
{
	struct patch_sink sink = { &trial->job.points[1].changes, trial->files, &trial->notes };

	if (patch_read_path(path, &sink, &trial->err) < 0)
		fail_msg("%s", trial->err.text);
}

/* A patch given as text. */
static void text_add(struct trial *trial, const char *text)
{
	struct patch_sink sink = { &trial->job.points[1].changes, trial->files, &trial->notes };

	if (patch_read_bytes(text, strlen(text), "x.patch", NULL, &sink, &trial->err) < 0)
		fail_msg("%s", trial->err.text);
}

static int apply(struct trial *trial, const char *state)
{
	_cleanup_json_ json_t *contents = NULL;
	_cleanup_free_ char *note = NULL;
	int r = change_files_check(&trial->job, state ? state : "/nonexistent", trial->files, &contents,
				   &trial->err);

	if (r == 0)
		r = source_resolve(&trial->job, &note, &trial->err);
	if (r == 0)
		r = change_points_apply(&trial->job, state, contents, &trial->err);
	if (r == 0 && state)
		r = change_files_keep(state, contents, &trial->err);
	return r;
}

static void apply_ok(struct trial *trial, const char *state)
{
	if (apply(trial, state) < 0)
		fail_msg("%s", trial->err.text);
	assert_int_equal(job_validate(&trial->job, true, &trial->err), 0);
}

static void assert_tree(const struct fixture *fixture, const struct trial *trial, const char *revision)
{
	_cleanup_free_ char *command = text_format("git rev-parse %s^{tree}", revision);
	_cleanup_free_ char *tree = repository_run(fixture->repository, NULL, command);

	assert_string_equal(trial->job.points[1].tree, tree);
}

static void refuse(const struct fixture *fixture, struct trial *trial, const char *expected)
{
	if (apply(trial, fixture->state) == 0)
		fail_msg("taken, instead of '%s': %s", expected, trial->job.points[1].title);
	if (!strstr(trial->err.text, expected))
		fail_msg("'%s' does not hold '%s'", trial->err.text, expected);
	trial_done(trial);
}

static void test_a_series_makes_the_tree_that_git_makes(void **state)
{
	struct fixture *fixture = *state;
	struct trial trial;

	trial_init(&trial, fixture, "base");
	patches_add(&trial, fixture->patches);
	assert_int_equal(trial.job.points[1].changes.n, 5);
	assert_string_equal(trial.job.points[1].changes.items[0].title, "p1");
	apply_ok(&trial, fixture->state);
	assert_tree(fixture, &trial, "top");
	assert_string_equal(trial.job.points[1].title, "base + 5 changes");
	assert_string_equal(trial.job.points[0].title, "base");
	trial_done(&trial);
}

static void test_reverts(void **state)
{
	struct fixture *fixture = *state;
	struct trial trial;

	trial_init(&trial, fixture, "top");
	change_add(&trial, JOB_CHANGE_REVERT, "top");
	change_add(&trial, JOB_CHANGE_REVERT, "top~1");
	change_add(&trial, JOB_CHANGE_REVERT, "top~2");
	change_add(&trial, JOB_CHANGE_REVERT, "top~3");
	change_add(&trial, JOB_CHANGE_REVERT, "top~4");
	apply_ok(&trial, fixture->state);
	assert_tree(fixture, &trial, "base");
	assert_string_equal(trial.job.points[1].changes.items[4].title, "p1");
	trial_done(&trial);
	trial_init(&trial, fixture, "base");
	change_add(&trial, JOB_CHANGE_REVERT, "top~4");
	refuse(fixture, &trial, "mm/a.c: hunk 1 (line 27) does not apply, it seems to be there already");
}

static void test_overrides(void **state)
{
	struct fixture *fixture = *state;
	struct trial trial;

	trial_init(&trial, fixture, "base");
	change_add(&trial, JOB_CHANGE_OVERRIDE, "mm/a.c@top");
	apply_ok(&trial, fixture->state);
	repository_do(fixture->repository, "git checkout -q base");
	repository_do(fixture->repository, "git checkout -q top -- mm/a.c");
	repository_commit(fixture->repository, "expected");
	assert_tree(fixture, &trial, "HEAD");
	assert_int_equal(strlen(trial.job.points[1].changes.items[0].id), 40);
	trial_done(&trial);
	repository_do(fixture->repository, "git checkout -q main");
	trial_init(&trial, fixture, "base");
	change_add(&trial, JOB_CHANGE_OVERRIDE, "mm/none.c@top");
	refuse(fixture, &trial, "top has no file mm/none.c");
	trial_init(&trial, fixture, "base");
	change_add(&trial, JOB_CHANGE_OVERRIDE, "mm/moved.c@top");
	refuse(fixture, &trial, "base has no mm/moved.c to be overridden");
	trial_init(&trial, fixture, "base");
	change_add(&trial, JOB_CHANGE_OVERRIDE, "mm/gone.c@old");
	refuse(fixture, &trial, "changes nothing");
	trial_init(&trial, fixture, "base");
	change_add(&trial, JOB_CHANGE_OVERRIDE, "mm@old");
	refuse(fixture, &trial, "mm is a directory");
	trial_init(&trial, fixture, "base");
	change_add(&trial, JOB_CHANGE_OVERRIDE, "mm/a.c@./own.c");
	refuse(fixture, &trial, "content is missing");
}

/* The order counts: a patch fits only onto the file that the override brings. */
static void test_order(void **state)
{
	struct fixture *fixture = *state;
	static const char patch[] = "diff --git a/mm/a.c b/mm/a.c\n--- a/mm/a.c\n+++ b/mm/a.c\n"
				    "@@ -4,3 +4,3 @@\n line 4\n-line 5 changed\n+line five\n line 6\n";
	struct trial trial;

	trial_init(&trial, fixture, "base");
	change_add(&trial, JOB_CHANGE_OVERRIDE, "mm/a.c@old");
	text_add(&trial, patch);
	apply_ok(&trial, fixture->state);
	trial_done(&trial);
	trial_init(&trial, fixture, "base");
	text_add(&trial, patch);
	change_add(&trial, JOB_CHANGE_OVERRIDE, "mm/a.c@old");
	refuse(fixture, &trial, "patch x.patch does not go onto base");
}

#define HEAD(file) "diff --git a/" file " b/" file "\n"
#define NEW(file, mode) HEAD(file) "new file mode " mode "\n--- /dev/null\n+++ b/" file "\n@@ -0,0 +1 @@\n+a\n"
#define CHANGE(file) HEAD(file) "--- a/" file "\n+++ b/" file "\n"

static void test_refused_patches(void **state)
{
	static const char *const rows[][2] = {
		{ CHANGE("mm/a.c") "@@ -9,3 +9,3 @@\n line 9\n-line ten\n+x\n line 11\n",
		  "mm/a.c: hunk 1 (line 9) does not apply, the file does not have its lines from \"line 9\" on" },
		{ CHANGE("mm/a.c") "@@ -2,3 +2,3 @@\n line 2\n-line 3\n+x\n line 4\n@@ -20,3 +20,3 @@\n line 20\n-line 2\n+x\n line 22\n",
		  "mm/a.c: hunk 2 (line 20)" },
		{ CHANGE("mm/a.c") "@@ -1,2 +1,2 @@\n-line 9\n+x\n line 10\n", "hunk 1 (line 1)" },
		{ CHANGE("mm/a.c") "@@ -20,2 +20,2 @@\n line 20\n-line 21\n+x\n", "hunk 1 (line 20)" },
		{ CHANGE("mm/none.c") "@@ -1 +1 @@\n-a\n+b\n", "mm/none.c: this tree has no such file" },
		{ NEW("mm/a.c", "100644"), "mm/a.c: it makes this file, which is there already" },
		{ NEW("../out.c", "100644"), "no file within a kernel tree" },
		{ NEW("mm/../../out.c", "100644"), "no file within a kernel tree" },
		{ NEW(".git/hooks/x", "100755"), "no file within a kernel tree" },
		{ NEW("mm/l.c", "120000"), "a link or a submodule" },
		{ NEW("mm/l.c", "160000"), "a link or a submodule" },
		{ CHANGE("mm/link.c") "@@ -1 +1 @@\n-a.c\n+/etc/passwd\n", "mm/link.c is a link" },
		{ HEAD("mm/gone.c") "deleted file mode 100644\n--- a/mm/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n", "mm/gone.c: hunk 1" },
		{ HEAD("mm/bin") "new file mode 100644\nindex 0000000..1111111\nGIT binary patch\nliteral 3\nKcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n", "binary" },
		{ HEAD("mm/bin") "index 0000000..1111111 100644\nBinary files a/mm/bin and b/mm/bin differ\n", "binary" },
		{ HEAD("mm/gone.c") "deleted file mode 100644\nindex e69de29..0000000\n", "holds more than it should" },
		{ CHANGE("mm/a.c") "@@ -9,3 +9,9 @@\n line 9\n", "damaged" },
		{ "--- a/mm/a.c\n+++ b/mm/a.c\n@@ -9,3 +9,3 @@\n line 9\n-line 10\n+x\n line 11\n", "no git diff" },
		{ NEW("mm/a.c/b.c", "100644"), "" },
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trial trial;

		trial_init(&trial, fixture, "base");
		text_add(&trial, rows[i][0]);
		refuse(fixture, &trial, rows[i][1]);
	}
}

/* As git apply takes them: a hunk that has moved, in either direction, the nearest place counts. */
static void test_moved_hunks(void **state)
{
	static const char *const rows[] = {
		CHANGE("mm/a.c") "@@ -2,3 +2,3 @@\n line 20\n-line 21\n+line 21 moved\n line 22\n",
		CHANGE("mm/a.c") "@@ -45,3 +45,3 @@\n line 20\n-line 21\n+line 21 moved\n line 22\n",
		CHANGE("mm/a.c") "@@ -58,2 +58,3 @@\n line 59\n line 60\n+line 61\n",
		CHANGE("mm/a.c") "@@ -1,2 +1,3 @@\n+line 0\n line 1\n line 2\n@@ -50,3 +51,2 @@\n line 50\n-line 51\n line 52\n",
		HEAD("mm/empty.c") "new file mode 100644\nindex 0000000..e69de29\n",
		HEAD("mm/b.c") "old mode 100644\nnew mode 100755\n",
		"diff --git a/mm/b.c b/mm/c.c\nsimilarity index 100%\nrename from mm/b.c\nrename to mm/c.c\n",
		CHANGE("mm/b.c") "@@ -1,2 +1,2 @@\n one\n-two\n+two\n\\ No newline at end of file\n",
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *tree = NULL;
		struct trial trial;

		repository_do(fixture->repository, "git checkout -q base");
		repository_write(fixture->directory, "moved.patch", rows[i]);
		repository_do(fixture->repository, "git apply --index ../moved.patch");
		tree = repository_run(fixture->repository, NULL, "git write-tree");
		repository_do(fixture->repository, "git reset -q --hard main");
		repository_do(fixture->repository, "git checkout -q main");
		trial_init(&trial, fixture, "base");
		text_add(&trial, rows[i]);
		apply_ok(&trial, fixture->state);
		assert_string_equal(trial.job.points[1].tree, tree);
		trial_done(&trial);
	}
}

static struct text_buffer listing;

static int list_file(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)kind;
	(void)walk;
	text_printf(&listing, "%s %lld %lld.%09ld\n", path, (long long)status->st_size,
		    (long long)status->st_mtim.tv_sec, status->st_mtim.tv_nsec);
	return 0;
}

static char *list_tree(const char *path)
{
	text_append(&listing, "");
	assert_int_equal(nftw(path, list_file, 16, FTW_PHYS), 0);
	return text_buffer_take(&listing);
}

/* Also objects that are in both: git would touch the times of the user's. */
static void test_users_repository_is_not_touched(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *before = list_tree(fixture->repository);
	_cleanup_free_ char *after = NULL;
	struct trial trial;

	trial_init(&trial, fixture, "base");
	patches_add(&trial, fixture->patches);
	text_add(&trial, NEW("mm/unseen.c", "100644"));
	apply_ok(&trial, fixture->state);
	trial_done(&trial);
	after = list_tree(fixture->repository);
	assert_string_equal(before, after);
}

static void test_a_trial_writes_nothing(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *before = list_tree(fixture->directory);
	_cleanup_free_ char *after = NULL;
	struct trial trial;

	trial_init(&trial, fixture, "base");
	text_add(&trial, NEW("mm/trial.c", "100644"));
	apply_ok(&trial, NULL);
	trial_done(&trial);
	after = list_tree(fixture->directory);
	assert_string_equal(before, after);
}

static void test_the_tree_can_be_checked_out(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *directory = NULL, *path = NULL, *text = NULL;
	struct trial trial;

	trial_init(&trial, fixture, "base");
	text_add(&trial, NEW("mm/checked.c", "100755"));
	apply_ok(&trial, fixture->state);
	directory = build_site_directory(fixture->state, fixture->repository);
	if (source_checkout(fixture->repository, trial.job.points[1].tree, directory, &trial.err) < 0)
		fail_msg("%s", trial.err.text);
	path = path_join(directory, "src/mm/checked.c");
	assert_int_equal(file_read(path, 100, &text, NULL, &trial.err), 0);
	assert_string_equal(text, "a\n");
	assert_int_equal(access(path, X_OK), 0);
	trial_done(&trial);
}

static void test_contents_are_checked(void **state)
{
	struct fixture *fixture = *state;
	struct trial trial;

	trial_init(&trial, fixture, "base");
	text_add(&trial, NEW("mm/sum.c", "100644"));
	assert_int_equal(json_object_set_new(trial.files, trial.job.points[1].changes.items[0].content,
					     json_string("Zm9v")), 0);
	refuse(fixture, &trial, "another checksum");
	trial_init(&trial, fixture, "base");
	text_add(&trial, NEW("mm/sum.c", "100644"));
	json_object_clear(trial.files);
	refuse(fixture, &trial, "is missing");
	trial_init(&trial, fixture, "base");
	text_add(&trial, NEW("mm/sum.c", "100644"));
	apply_ok(&trial, fixture->state);
	/* What an earlier job brought is kept. */
	json_object_clear(trial.files);
	trial.job.points[1].tree[0] = '\0';
	apply_ok(&trial, fixture->state);
	trial_done(&trial);
}

static void test_changes_that_undo_each_other(void **state)
{
	struct fixture *fixture = *state;
	struct trial trial;

	trial_init(&trial, fixture, "base");
	text_add(&trial, NEW("mm/x.c", "100644"));
	text_add(&trial, HEAD("mm/x.c") "deleted file mode 100644\n--- a/mm/x.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
	refuse(fixture, &trial, "undo each other");
}

static void test_refused_files(void **state)
{
	static const char *const rows[][2] = {
		{ "", "is empty" }, { "words\n", "holds no diff" }, { "Subject: x\n\nwords\n", "holds no patch" },
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trial trial;
		struct patch_sink sink = { &trial.job.points[1].changes, NULL, NULL };

		trial_init(&trial, fixture, "base");
		sink.files = trial.files;
		sink.notes = &trial.notes;
		assert_true(patch_read_bytes(rows[i][0], strlen(rows[i][0]), "x.patch", NULL, &sink, &trial.err) < 0);
		if (!strstr(trial.err.text, rows[i][1]))
			fail_msg("'%s' does not hold '%s'", trial.err.text, rows[i][1]);
		assert_true(patch_read_path("/nonexistent/x", &sink, &trial.err) < 0);
		assert_true(patch_read_path("/dev/zero", &sink, &trial.err) < 0);
		trial_done(&trial);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_series_makes_the_tree_that_git_makes),
		cmocka_unit_test(test_reverts),
		cmocka_unit_test(test_overrides),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_refused_patches),
		cmocka_unit_test(test_moved_hunks),
		cmocka_unit_test(test_users_repository_is_not_touched),
		cmocka_unit_test(test_a_trial_writes_nothing),
		cmocka_unit_test(test_the_tree_can_be_checked_out),
		cmocka_unit_test(test_contents_are_checked),
		cmocka_unit_test(test_changes_that_undo_each_other),
		cmocka_unit_test(test_refused_files),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
