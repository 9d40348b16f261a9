// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pinning of points on real repositories: every way in which a revision or a
 * repository can be useless has its sentence. Checkout is in test_source_checkout.c.
 */
#include "orchestrator/work/source.h"

#include <sys/resource.h>

#include "orchestrator/tests/test_source_repository.h"

/* root, one, two, three on main; a merge on "merged". */
static int setup(void **state)
{
	struct repository_fixture *fixture = repository_fixture_new();

	repository_write(fixture->repository, "Makefile",
			 "# SPDX\nVERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\n");
	repository_write(fixture->repository, "Kconfig", "mainmenu \"x\"\n");
	repository_write(fixture->repository, "mm/mprotect.c", "int a;\n");
	repository_commit(fixture->repository, "root");
	repository_write(fixture->repository, "mm/mprotect.c", "int b;\n");
	repository_commit(fixture->repository, "one");
	repository_do(fixture->repository, "git tag -a -m x v1");
	repository_do(fixture->repository, "git checkout -q -b side");
	repository_write(fixture->repository, "side.c", "int s;\n");
	repository_commit(fixture->repository, "side");
	repository_do(fixture->repository, "git checkout -q main");
	repository_write(fixture->repository, "mm/mprotect.c", "int c;\n");
	repository_commit(fixture->repository, "two");
	repository_do(fixture->repository, "git checkout -q -b merged");
	repository_do(fixture->repository, "git merge -q --no-ff -m merge side");
	repository_do(fixture->repository, "git checkout -q main");
	*state = fixture;
	return 0;
}

/* Resolves one or two revisions; the job is the caller's to release. */
static int resolve(const char *repository, const char *a, const char *b, struct job *job,
		   char **ret_note, struct error *err)
{
	*err = (struct error){ 0 };
	job_init(job);
	free(job->repository);
	job->repository = text_duplicate(repository);
	assert_int_equal(job_add_point(job, b ? "A" : "child", a, err), 0);
	if (b)
		assert_int_equal(job_add_point(job, "B", b, err), 0);
	return source_resolve(job, ret_note, err);
}

static void assert_refused(const char *repository, const char *a, const char *b, const char *expected)
{
	_cleanup_(job_done) struct job job;
	_cleanup_free_ char *note = NULL;
	struct error err;

	assert_true(resolve(repository, a, b, &job, &note, &err) < 0);
	if (!strstr(err.text, expected))
		fail_msg("'%s' does not hold '%s'", err.text, expected);
	assert_int_equal(job.n_points, b ? 2 : 1);
	assert_string_equal(job.points[0].commit, "");
}

static void assert_is(const char *repository, const struct job_point *point, const char *revision)
{
	_cleanup_free_ char *command = text_format("git rev-parse %s", revision);
	_cleanup_free_ char *command_tree = text_format("git rev-parse %s^{tree}", revision);
	_cleanup_free_ char *commit = repository_run(repository, NULL, command);
	_cleanup_free_ char *tree = repository_run(repository, NULL, command_tree);

	assert_string_equal(point->commit, commit);
	assert_string_equal(point->tree, tree);
}

static void assert_pair(const char *repository, const char *revision)
{
	_cleanup_(job_done) struct job job;
	_cleanup_free_ char *note = NULL;
	struct error err;

	if (resolve(repository, revision, NULL, &job, &note, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(job.n_points, 2);
	assert_string_equal(job.points[0].name, "parent");
	assert_string_equal(job.points[1].name, "child");
	assert_is(repository, &job.points[0], "main^");
	assert_is(repository, &job.points[1], "main");
	assert_string_equal(job.points[0].title, "one");
	assert_string_equal(job.points[1].title, "two");
	assert_null(note);
}

static void test_commit_against_parent(void **state)
{
	struct repository_fixture *fixture = *state;
	_cleanup_free_ char *full = repository_run(fixture->repository, NULL, "git rev-parse main");
	_cleanup_free_ char *brief = strndup(full, 12);

	assert_pair(fixture->repository, "main");
	assert_pair(fixture->repository, "HEAD");
	assert_pair(fixture->repository, full);
	assert_pair(fixture->repository, brief);
	assert_pair(fixture->repository, "main~1..main");
	assert_pair(fixture->repository, "v1..");
}

static void test_pair_as_named(void **state)
{
	struct repository_fixture *fixture = *state;
	_cleanup_(job_done) struct job job;
	_cleanup_free_ char *note = NULL;
	struct error err;

	assert_int_equal(resolve(fixture->repository, "v1", "merged", &job, &note, &err), 0);
	assert_int_equal(job.n_points, 2);
	assert_string_equal(job.points[0].name, "A");
	assert_string_equal(job.points[0].revision, "v1");
	assert_is(fixture->repository, &job.points[0], "main^");
	assert_is(fixture->repository, &job.points[1], "merged");
}

static void test_refuses_revisions(void **state)
{
	struct repository_fixture *fixture = *state;
	const char *repository = fixture->repository;
	_cleanup_free_ char *merge_parent = repository_run(repository, NULL, "git rev-parse --short=12 main");

	assert_refused(repository, "merged", NULL, "is a merge of 2 parents");
	assert_refused(repository, "merged", NULL, merge_parent);
	assert_refused(repository, "main~2", NULL, "is a root commit");
	assert_refused(repository, "nonesuch", NULL, "has no revision 'nonesuch'");
	assert_refused(repository, "main", "nonesuch", "has no revision 'nonesuch'");
	assert_refused(repository, "0123456789abcdef0123456789abcdef01234567", NULL, "has no revision");
	for (const char *digit = "0123456789abcdef"; *digit; digit++) {
		const char short_id[] = { *digit, '\0' };

		assert_refused(repository, short_id, NULL, "a commit's id needs 4 digits at least");
	}
	assert_refused(repository, "", NULL, "not a way to name a commit");
	assert_refused(repository, "HEAD@{99", NULL, "not a way to name a commit");
	assert_refused(repository, "main:Makefile", NULL, "names a blob, not a commit");
	assert_refused(repository, "main~2..main", NULL, "holds 2 commits, and this design compares one commit");
	assert_refused(repository, "main..merged", NULL, "holds 2 commits, and this design compares one commit");
	assert_refused(repository, "main..main~1", NULL, "holds no commit");
	assert_refused(repository, "main..main", NULL, "holds no commit");
	assert_refused(repository, "main~1...main", NULL, "three dots");
	assert_refused(repository, "main~1..main", "main", "a range stands alone");
}

/* A thousand commits have ids that begin alike; dates are fixed, so they always do. */
static void test_ambiguous(void **state)
{
	struct repository_fixture *fixture = *state;
	_cleanup_text_ struct text_buffer stream = { 0 };
	_cleanup_free_ char *input = path_join(fixture->directory, "stream");
	_cleanup_free_ char *many = path_join(fixture->directory, "many");
	_cleanup_free_ char *list = NULL;
	_cleanup_free_ char *brief = NULL;
	const char *previous = NULL;
	char *position = NULL, prefix[5] = "";

	for (int i = 0; i < 1000; i++)
		text_printf(&stream, "commit refs/heads/main\ncommitter T <t@example.org> %d +0000\ndata 1\nx\n",
			    1700000000 + i);
	repository_write(fixture->directory, "stream", stream.text);
	repository_do(fixture->directory, "git init -q -b main many");
	free(repository_run(many, input, "git fast-import --quiet"));
	list = repository_run(many, NULL, "git log --format=%H main");
	const char *ids[1000] = { NULL };
	size_t n = 0;

	for (char *id = strtok_r(list, "\n", &position); id; id = strtok_r(NULL, "\n", &position)) {
		for (size_t i = 0; i < n && !previous; i++) {
			if (!strncmp(ids[i], id, 4))
				previous = ids[i];
		}
		if (previous && !*prefix)
			memcpy(prefix, id, 4);
		ids[n++] = id;
	}
	assert_non_null(previous);
	brief = strndup(previous, 12);
	assert_refused(many, prefix, NULL, "is ambiguous");
	assert_refused(many, prefix, NULL, brief);
}

static void test_shallow(void **state)
{
	struct repository_fixture *fixture = *state;
	_cleanup_free_ char *command = text_format("git clone -q --depth 1 -b main file://%s shallow",
						   fixture->repository);
	_cleanup_free_ char *shallow = path_join(fixture->directory, "shallow");

	repository_do(fixture->directory, command);
	assert_refused(shallow, "main", NULL, "shallow clone: run git -C");
	assert_refused(shallow, "main~1", NULL, "shallow clone");
	assert_refused(shallow, "main~2..main", NULL, "shallow");
}

static void test_kinds_of_repository(void **state)
{
	struct repository_fixture *fixture = *state;
	_cleanup_free_ char *bare = path_join(fixture->directory, "bare.git");
	_cleanup_free_ char *shared = path_join(fixture->directory, "shared");
	_cleanup_free_ char *worktree = path_join(fixture->directory, "worktree");
	_cleanup_free_ char *dot_git = path_join(fixture->repository, ".git");

	repository_do(fixture->directory, "git clone -q --bare linux bare.git");
	repository_do(fixture->directory, "git clone -q --shared linux shared");
	repository_do(fixture->repository, "git worktree add -q ../worktree main --detach");
	repository_do(worktree, "git sparse-checkout set mm");
	assert_pair(bare, "main");
	assert_pair(shared, "main");
	assert_pair(dot_git, "main");
	/* "git sparse-checkout" set extensions.worktreeConfig; format 1 makes libgit2 mind it. */
	repository_do(fixture->repository, "git config core.repositoryformatversion 1");
	assert_pair(fixture->repository, "main");
	assert_pair(worktree, "main");
	if (geteuid() == 0) {
		repository_do(fixture->directory, "chown -R 12345:12345 bare.git linux");
		assert_pair(bare, "main");
		assert_pair(fixture->repository, "main");
		repository_do(fixture->directory, "chown -R 0:0 bare.git linux");
	}
}

static void test_dirty_is_mentioned(void **state)
{
	struct repository_fixture *fixture = *state;
	_cleanup_(job_done) struct job job;
	_cleanup_free_ char *note = NULL;
	struct error err;

	repository_write(fixture->repository, "untracked", "x");
	assert_pair(fixture->repository, "main");
	/* Only the time differs: it is read, and is clean. */
	repository_do(fixture->repository, "touch -d 2001-01-01 mm/mprotect.c");
	assert_int_equal(resolve(fixture->repository, "main", NULL, &job, &note, &err), 0);
	assert_null(note);
	job_done(&job);
	repository_write(fixture->repository, "mm/mprotect.c", "int dirty;\n");
	assert_int_equal(resolve(fixture->repository, "main", NULL, &job, &note, &err), 0);
	assert_non_null(note);
	assert_non_null(strstr(note, "uncommitted changes (mm/mprotect.c)"));
	repository_do(fixture->repository, "git checkout -q -f main");
}

static void test_refuses_repositories(void **state)
{
	struct repository_fixture *fixture = *state;
	_cleanup_free_ char *missing = path_join(fixture->directory, "missing");
	_cleanup_free_ char *plain = path_join(fixture->directory, "plain");
	_cleanup_free_ char *other = path_join(fixture->directory, "other");
	_cleanup_(job_done) struct job job;
	_cleanup_free_ char *note = NULL;
	struct error err = { 0 };

	assert_refused(missing, "main", NULL, "there is no repository at");
	repository_write(plain, "file", "x");
	assert_refused(plain, "main", NULL, "is not a git repository");
	repository_do(fixture->directory, "git init -q -b main other");
	assert_refused(other, "HEAD", NULL, "has no revision 'HEAD'");
	repository_write(other, "Makefile", "all:\n");
	repository_commit(other, "a");
	repository_write(other, "b", "b");
	repository_commit(other, "b");
	assert_refused(other, "main", NULL, "is not a kernel tree");

	job_init(&job);
	assert_int_equal(job_add_point(&job, "child", "main", &err), 0);
	assert_int_equal(source_resolve(&job, &note, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--repository"));
}

static int resolve_ladder(const char *repository, const char *child, const char *probe,
			  struct error *err)
{
	_cleanup_free_ char *note = NULL;
	struct job job;
	int r;

	job_init(&job);
	job.design = JOB_DESIGN_LADDER;
	free(job.repository);
	job.repository = text_duplicate(repository);
	assert_int_equal(job_add_point(&job, "parent", "v1~1", err), 0);
	assert_int_equal(job_add_point(&job, "child", child, err), 0);
	assert_int_equal(job_add_point(&job, "probe-1", probe, err), 0);
	r = source_resolve(&job, &note, err);
	job_done(&job);
	return r;
}

static void test_probes_come_after_the_child(void **state)
{
	struct repository_fixture *fixture = *state;
	struct error err;

	assert_int_equal(resolve_ladder(fixture->repository, "v1", "main", &err), 0);
	assert_int_equal(resolve_ladder(fixture->repository, "v1", "side", &err), 0);
	assert_int_equal(resolve_ladder(fixture->repository, "main", "side", &err), -EINVAL);
	assert_non_null(strstr(err.text, "probe-1"));
	assert_int_equal(resolve_ladder(fixture->repository, "main", "main", &err), -EINVAL);
}

static void test_damaged(void **state)
{
	struct repository_fixture *fixture = *state;
	_cleanup_free_ char *damaged = path_join(fixture->directory, "damaged");
	_cleanup_free_ char *id = NULL;
	_cleanup_free_ char *path = NULL;
	struct rlimit limit, limited;

	repository_do(fixture->directory, "git clone -q --no-hardlinks --no-local linux damaged");
	repository_write(damaged, "new", "x");
	repository_commit(damaged, "new");
	id = repository_run(damaged, NULL, "git rev-parse main");
	path = text_format("%s/.git/objects/%.2s/%s", damaged, id, id + 2);
	assert_int_equal(chmod(path, 0644), 0);
	/* libgit2 1.5 never finds the end of this one: the limit does. */
	assert_int_equal(getrlimit(RLIMIT_CPU, &limit), 0);
	limited = limit;
	limited.rlim_cur = 2;
	assert_int_equal(truncate(path, 20), 0);
	assert_int_equal(setrlimit(RLIMIT_CPU, &limited), 0);
	assert_refused(damaged, "main", NULL, "fsck");
	assert_int_equal(setrlimit(RLIMIT_CPU, &limit), 0);
	assert_int_equal(truncate(path, 0), 0);
	assert_refused(damaged, "main", NULL, "fsck");
	assert_int_equal(unlink(path), 0);
	/* The branch is there: no talk of its spelling. */
	assert_refused(damaged, "main", NULL, "'main' names a commit that is not in");
	assert_refused(damaged, "main", NULL, "damaged? try git -C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commit_against_parent),
		cmocka_unit_test(test_pair_as_named),
		cmocka_unit_test(test_refuses_revisions),
		cmocka_unit_test(test_ambiguous),
		cmocka_unit_test(test_shallow),
		cmocka_unit_test(test_kinds_of_repository),
		cmocka_unit_test(test_dirty_is_mentioned),
		cmocka_unit_test(test_refuses_repositories),
		cmocka_unit_test(test_probes_come_after_the_child),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, setup, repository_fixture_teardown);
}
