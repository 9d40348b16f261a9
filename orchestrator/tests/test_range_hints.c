// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Path hints as prior weights, clocks that differ, and a repository that is repacked while
 * ranges of it are resolved.
 */
#include "orchestrator/work/range.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "orchestrator/tests/test_source_repository.h"

/* m0; c1 mm/a.c; c2 fs/b.c; M3 merges a change of mm/a.c; c4 removes fs; c5 mm/new/c.c. */
static int setup(void **state)
{
	struct repository_fixture *fixture = repository_fixture_new();
	const char *repository;

	repository = fixture->repository;
	repository_write(repository, "mm/a.c", "0\n");
	repository_write(repository, "fs/b.c", "0\n");
	repository_commit(repository, "m0");
	repository_write(repository, "mm/a.c", "1\n");
	repository_commit(repository, "c1");
	repository_do(repository, "git checkout -q -b side");
	repository_write(repository, "mm/a.c", "2\n");
	repository_commit(repository, "s1");
	repository_do(repository, "git checkout -q main");
	repository_write(repository, "fs/b.c", "1\n");
	repository_commit(repository, "c2");
	repository_do(repository, "git merge -q --no-ff -m M3 side");
	repository_do(repository, "git rm -q -r fs");
	repository_commit(repository, "c4");
	repository_write(repository, "mm/new/c.c", "0\n");
	repository_commit(repository, "c5");
	*state = fixture;
	return 0;
}

/* @expected: for commits 1..5, 'p' where the weight is that of a hint. */
static void assert_weights(const char *repository, const char *const *paths, const char *expected)
{
	const struct range_request request = { .repository = repository, .good = "HEAD~5", .bad = "HEAD",
					       .paths = paths };
	_cleanup_range_ struct range range = { 0 };
	char found[6] = { 0 };
	struct error err = { 0 };

	if (range_resolve(&request, &range, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(range.n, 5);
	for (size_t i = 1; i <= range.n; i++)
		found[i - 1] = range.commits[i].weight == RANGE_PATH_WEIGHT ? 'p' :
			       range.commits[i].weight == 1 ? '.' : '?';
	assert_string_equal(found, expected);
}

static void paths_raise_the_weight(void **state)
{
	const struct repository_fixture *fixture = *state;

	assert_weights(fixture->repository, NULL, ".....");
	assert_weights(fixture->repository, (const char *[]){ "mm/a.c", NULL }, "p.p..");
	assert_weights(fixture->repository, (const char *[]){ "mm/", NULL }, "p.p.p");
	assert_weights(fixture->repository, (const char *[]){ "./fs/b.c", NULL }, ".p.p.");
	assert_weights(fixture->repository, (const char *[]){ "mm/new", "fs", NULL }, ".p.pp");
}

static void useless_paths_are_refused(void **state)
{
	static const char *const paths[] = { "", "/", "/mm", "../linux", "mm/../fs", "mm//a.c", "./" };
	const struct repository_fixture *fixture = *state;
	struct range_request request = { .repository = fixture->repository, .good = "HEAD~5", .bad = "HEAD" };
	struct range range;
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		request.paths = (const char *[]){ "mm", paths[i], NULL };
		assert_int_equal(range_resolve(&request, &range, &err), -EINVAL);
		assert_non_null(strstr(err.text, "is no path inside"));
	}
	request.paths = (const char *[]){ "mm/mprotec.c", NULL };
	assert_int_equal(range_resolve(&request, &range, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no commit of HEAD~5..HEAD has a path 'mm/mprotec.c'"));
}

/* More commits in a row than the walk believes are older than good, and good below them. */
static void clocks_may_be_wrong(void **state)
{
	const struct repository_fixture *fixture = *state;
	_cleanup_free_ char *repository = path_join(fixture->directory, "clocks");
	_cleanup_free_ char *stream = path_join(fixture->directory, "stream");
	const struct range_request request = { .repository = repository, .good = "main~5999", .bad = "main" };
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_range_ struct range range = { 0 };
	struct error err = { 0 };

	repository_do(fixture->directory, "git init -q --bare clocks");
	for (int i = 0; i < 6000; i++)
		text_printf(&text, "commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata 2\nx\n",
			    i == 0 ? 1700000000 : 1000000000 + i);
	repository_write(fixture->directory, "stream", text.text);
	free(repository_run(repository, stream, "git fast-import --quiet"));
	if (range_resolve(&request, &range, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(range.n, 5999);
}

/*
 * An object that is not one at the first look, and is there at the second: a fifo holds the
 * reader in open() until the object has taken its place.
 */
static void assert_second_look(const struct repository_fixture *fixture, const char *good, const char *bad)
{
	const struct range_request request = { .repository = fixture->repository, .good = good, .bad = bad };
	_cleanup_free_ char *id = repository_run(fixture->repository, NULL, "git rev-parse HEAD~2");
	_cleanup_free_ char *object = text_format("%s/.git/objects/%.2s/%s", fixture->repository, id, id + 2);
	_cleanup_free_ char *aside = path_join(fixture->directory, "aside");
	_cleanup_free_ char *fifo = path_join(fixture->directory, "fifo");
	_cleanup_range_ struct range range = { 0 };
	struct error err = { 0 };
	pid_t pid;

	assert_int_equal(rename(object, aside), 0);
	assert_int_equal(mkfifo(fifo, 0644), 0);
	assert_int_equal(link(fifo, object), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)usleep(500000);
		_exit(rename(aside, object) < 0 || open(fifo, O_WRONLY | O_CLOEXEC) < 0);
	}
	if (range_resolve(&request, &range, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(range.n, 5);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	assert_int_equal(unlink(fifo), 0);
}

static void second_look_finds_what_was_written(void **state)
{
	const struct repository_fixture *fixture = *state;
	_cleanup_free_ char *good = repository_run(fixture->repository, NULL, "git rev-parse HEAD~5");

	assert_second_look(fixture, good, "HEAD");   /* missed by the walk */
	assert_second_look(fixture, "HEAD~5", "HEAD"); /* missed by the search for the ends */
}

/* Repacks over and over until it is killed: packs come and go under the reader. */
static pid_t repack_start(const char *repository)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		(void)setpgid(0, 0);
		for (;;) {
			repository_do(repository, "git repack -a -d -f -q --depth=1 --window=0");
			repository_do(repository, "git repack -a -d -f -q --depth=2 --window=2");
		}
	}
	(void)setpgid(pid, pid);
	return pid;
}

static void repacking_does_no_harm(void **state)
{
	const struct repository_fixture *fixture = *state;
	const struct range_request request = { .repository = fixture->repository, .good = "HEAD~5",
					       .bad = "HEAD", .paths = (const char *[]){ "mm", NULL } };
	pid_t pid = repack_start(fixture->repository);
	struct error err = { 0 };
	int failures = 0;

	for (int i = 0; i < 150; i++) {
		_cleanup_range_ struct range range = { 0 };

		if (range_resolve(&request, &range, &err) != 0 || range.n != 5)
			failures++;
	}
	(void)kill(-pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	if (failures)
		fail_msg("%d of 150: %s", failures, err.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(paths_raise_the_weight, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(useless_paths_are_refused, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(clocks_may_be_wrong, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(second_look_finds_what_was_written, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(repacking_does_no_harm, setup, repository_fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
