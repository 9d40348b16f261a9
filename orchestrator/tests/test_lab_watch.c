// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rehearsals that are ended from outside: what is recorded, what is removed, and with
 * what the caller ends. No machine is started: the run is a function that waits.
 */
#include "orchestrator/cli/lab_watch.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orchestrator/tests/test_source_repository.h"

static char *state_directory;
static int64_t rehearsal;

static int setup(void **state)
{
	struct store *store = NULL;
	struct error err = { 0 };
	struct job job;

	(void)state;
	state_directory = repository_temporary();
	job_init(&job);
	if (job_add_point(&job, "parent", "main^", &err) < 0 || job_add_point(&job, "child", "main", &err) < 0 ||
	    store_open(state_directory, true, &store, &err) < 0 ||
	    store_add_job(store, &job, STORE_MACHINE_COUNTED, 0, 1, &rehearsal, &err) < 0)
		fail_msg("%s", err.text);
	store_close(store);
	job_done(&job);
	return 0;
}

static int teardown(void **state)
{
	int r = file_remove_tree(state_directory, NULL);

	(void)state;
	free(state_directory);
	return r;
}

/* The reason why the rehearsal has failed, "" while it has not. */
static char *reason_read(void)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state;
	struct lab_host host = { .state_directory = state_directory, .job_id = rehearsal };
	char *reason;

	run_state_init(&state);
	assert_int_equal(lab_host_open(&host, 5, NULL), 0);
	assert_int_equal(store_load_events(host.store, rehearsal, &events, NULL), 0);
	assert_int_equal(run_state_fold(&state, &events, NULL), 0);
	reason = text_duplicate(state.status == JOB_FAILED ? state.reason : "");
	lab_host_done(&host);
	return reason;
}

struct run {
	int ready;
	bool waits;
};

static int run_function(void *context, struct lab_jobs *rehearsals)
{
	const struct run *run = context;
	_cleanup_free_ char *directory = text_format("%s/lab/job-%lld/guest-state", state_directory,
						     (long long)rehearsal);

	rehearsals->ids[rehearsals->n_jobs++] = rehearsal;
	if (run->waits) {
		(void)file_make_directories(directory, 0755, NULL);
		(void)!write(run->ready, "r", 1);
		for (;;)
			(void)pause();
	}
	return 1;
}

/* The wait status of a process that called lab_watch(), and got @number meanwhile. */
static int watch(int number)
{
	struct run run = { .waits = number != 0 };
	char letter;
	int pair[2], status;
	pid_t pid;

	assert_int_equal(pipe(pair), 0);
	run.ready = pair[1];
	pid = fork();
	if (pid == 0)
		_exit(lab_watch(state_directory, run_function, &run));
	if (number) {
		assert_int_equal(read(pair[0], &letter, 1), 1);
		assert_int_equal(kill(pid, number), 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	(void)close(pair[0]);
	(void)close(pair[1]);
	return status;
}

static void test_its_own_end(void **state)
{
	_cleanup_free_ char *reason = NULL;
	int status = watch(0);

	(void)state;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	reason = reason_read();
	assert_string_equal(reason, "");
}

static void test_signals(void **state)
{
	_cleanup_free_ char *reason = NULL;
	_cleanup_free_ char *directory = text_format("%s/lab/job-%lld", state_directory,
						     (long long)rehearsal);
	int status = watch(SIGINT);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
	reason = reason_read();
	assert_non_null(strstr(reason, "ended by signal 2"));
	assert_false(file_exists(directory));
}

static void clean(void)
{
	struct lab_host host = { .state_directory = state_directory };
	struct error err = { 0 };

	assert_int_equal(lab_host_open(&host, 5, NULL), 0);
	if (lab_watch_clean(&host, &err) < 0)
		fail_msg("%s", err.text);
	lab_host_done(&host);
}

/* After kill -9 the next run finds out; one that still runs is left alone. */
static void test_killed(void **state)
{
	struct lab_host host = { .state_directory = state_directory, .job_id = rehearsal };
	_cleanup_free_ char *running = NULL;
	_cleanup_free_ char *killed = NULL;
	int claim = -1;

	(void)state;
	assert_int_equal(lab_watch_claim(&host, &claim, NULL), 0);
	clean();
	running = reason_read();
	assert_string_equal(running, "");
	(void)close(claim);
	clean();
	killed = reason_read();
	assert_non_null(strstr(killed, "was killed before"));
}

/* The rehearsal is the second of two on one machine. */
static void test_shared(void **state)
{
	struct lab_host host = { .state_directory = state_directory, .job_id = rehearsal + 1 };
	_cleanup_free_ char *running = NULL;
	_cleanup_free_ char *killed = NULL;
	_cleanup_free_ char *link = text_format("%s/lab/job-%lld", state_directory, (long long)rehearsal);
	struct stat status;
	int claim = -1;

	(void)state;
	assert_int_equal(lab_watch_claim(&host, &claim, NULL), 0);
	assert_int_equal(lab_watch_share(&host, rehearsal, NULL), 0);
	assert_int_equal(lab_watch_share(&host, rehearsal, NULL), 0); /* over one of a run before */
	clean();
	running = reason_read();
	assert_string_equal(running, "");
	(void)close(claim);
	clean();
	killed = reason_read();
	assert_non_null(strstr(killed, "was killed before"));
	assert_int_equal(lstat(link, &status), -1);
	/* A link that was left does not lead a later run elsewhere. */
	assert_int_equal(lab_watch_share(&host, rehearsal, NULL), 0);
	host.job_id = rehearsal;
	assert_int_equal(lab_watch_claim(&host, &claim, NULL), 0);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	(void)close(claim);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_its_own_end),
		TEST(test_signals),
		TEST(test_killed),
		TEST(test_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
