// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The crash matrix: a whole job on the fake machine, killed before and after every side
 * effect and every event, once as a dying daemon and once as a power cut; restarted, it
 * must end with the same report, measure nothing twice, and leave a clean machine. The
 * store, planner and executor are the real ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/executor.h"
#include "orchestrator/work/result_build.h"
#include "reports/render/render.h"
#include "tests/fake_world.h"

#define WARMUPS 1
#define PROCESSES 2
#define LIVES_MAX 40 /* of one job: daemon starts */

struct outcome {
	char *report;
	enum job_status status;
	char reason[256];
	int places;
	int processes;
	int n_boots;
	double values[3][PROCESSES];
};

static void outcome_done(struct outcome *outcome)
{
	free(outcome->report);
}

static void fail_with(const char *what, const struct error *err)
{
	fail_msg("%s: %s", what, err->text);
}

static void add_job(const char *state_directory)
{
	struct store *store = NULL;
	struct error err = { 0 };
	struct job job;
	int64_t id;

	job_init(&job);
	free(job.name);
	job.name = text_duplicate("crash matrix");
	job.is_exact = true;
	job.measure.warmups = WARMUPS;
	job.measure.processes = PROCESSES;
	job.boot.settle_s = 0;
	for (int i = 0; i < 2; i++) {
		if (job_add_point(&job, i ? "child" : "parent", i ? "HEAD" : "HEAD^", &err) < 0)
			fail_with("job", &err);
		memset(job.points[i].commit, '1' + i, 40);
		memset(job.points[i].tree, '3' + i, 40);
		job.points[i].title = text_duplicate("mm: a change");
	}
	if (store_open(state_directory, true, &store, &err) < 0 ||
	    store_add_job(store, &job, STORE_MACHINE_REAL, 0, 1700000000LL * 1000000000, &id, &err) < 0)
		fail_with("store", &err);
	store_close(store);
	job_done(&job);
}

/* One life of the daemon, in a process of its own: until the job waits or a reboot comes. */
static void live(const char *state_directory, struct fake_world *world)
{
	struct ports ports = fake_world_ports(world);
	struct store *store = NULL;
	struct error err = { 0 };
	struct action action;
	int r = store_open(state_directory, false, &store, &err);

	while (r >= 0) {
		r = executor_step(store, &ports, 1, &action, &err);
		if (r == 0) {
			store_close(store);
			if (!world->is_going_down)
				_exit(0);
			fake_world_boot(world);
			_exit(FAKE_EXIT_REBOOTED);
		}
	}
	(void)fprintf(stderr, "%s\n", err.text);
	_exit(1);
}

static void run_lives(const char *state_directory, struct fake_world *world)
{
	for (int life = 0; life < LIVES_MAX; life++) {
		int status = 0;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			live(state_directory, world);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 0)
			return;
		if (WEXITSTATUS(status) != FAKE_EXIT_KILLED &&
		    WEXITSTATUS(status) != FAKE_EXIT_REBOOTED)
			fail_msg("the daemon failed with status %d", WEXITSTATUS(status));
	}
	fail_msg("the job did not end in %d lives of the daemon", LIVES_MAX);
}

static void read_outcome(const char *state_directory, const struct fake_world *world,
			 struct outcome *ret_outcome)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(store_job_list_done) struct store_job_list jobs = { 0 };
	struct run_state state;
	struct result result;
	struct store *store = NULL;
	struct error err = { 0 };

	memset(ret_outcome, 0, sizeof(*ret_outcome));
	if (store_open(state_directory, false, &store, &err) < 0 ||
	    store_load_events(store, 1, &events, &err) < 0 ||
	    store_list_jobs(store, &jobs, &err) < 0 ||
	    run_state_fold(&state, &events, &err) < 0)
		fail_with("reading the outcome", &err);
	ret_outcome->status = state.status;
	(void)snprintf(ret_outcome->reason, sizeof(ret_outcome->reason), "%s",
		       state.reason ? state.reason : "");
	ret_outcome->places = world->places;
	ret_outcome->processes = world->processes;
	ret_outcome->n_boots = state.n_boots;
	for (int i = 0; i < state.n_boots && i < 3; i++)
		for (int j = 0; j < state.boots[i].n_values && j < PROCESSES; j++)
			ret_outcome->values[i][j] = state.boots[i].values[j];
	if (result_build(&jobs.jobs[0], &events, &result, &err) < 0 ||
	    render_result(&result, "json", &ret_outcome->report, &err) < 0)
		fail_with("report", &err);
	result_done(&result);
	run_state_done(&state);
	store_close(store);
}

static void assert_machine_is_clean(const struct fake_world *world)
{
	assert_string_equal(world->armed_token, "");
	assert_string_equal(world->running_token, "");
	assert_int_equal(world->running_build_id[0], 'd');
	assert_string_equal(world->governor, "powersave");
	for (int i = 0; i < FAKE_ENTRIES_MAX; i++)
		assert_string_equal(world->entries[i], "");
	assert_int_equal(world->unrestored, 0);
}

/* A whole job with one crash at place @crash_at, in a state directory of its own. */
static void run_job(enum fake_crash crash, int crash_at, bool child_panics,
		    struct outcome *ret_outcome)
{
	/*
	 * In memory where possible: what dies here is a process, never the page cache, so a
	 * disk would add thousands of fsyncs and prove nothing more.
	 */
	_cleanup_free_ char *directory = text_format("%s/abbot-crash-XXXXXX",
						     access("/dev/shm", W_OK) == 0 ? "/dev/shm"
										   : "/tmp");
	struct fake_world *world = fake_world_new();

	assert_non_null(mkdtemp(directory));
	world->crash = crash;
	world->crash_at = crash_at;
	world->child_panics = child_panics;
	add_job(directory);
	run_lives(directory, world);
	assert_machine_is_clean(world);
	read_outcome(directory, world, ret_outcome);
	fake_world_free(world);
	assert_int_equal(file_remove_tree(directory, NULL), 0);
}

static void assert_same_values(const struct outcome *a, const struct outcome *b, int place)
{
	if (a->status != b->status || a->n_boots != b->n_boots ||
	    memcmp(a->values, b->values, sizeof(a->values)) != 0)
		fail_msg("a crash at place %d changed the outcome (status %s: %s)", place,
			 job_status_name(b->status), b->reason);
}

static void test_killed_daemon_ends_with_the_same_report(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_job(FAKE_CRASH_NONE, 0, false, &calm);
	assert_int_equal(calm.status, JOB_DONE);
	assert_int_equal(calm.processes, 3 * (WARMUPS + PROCESSES));
	for (int place = 0; place < calm.places; place++) {
		struct outcome crashed;

		run_job(FAKE_CRASH_KILL, place, false, &crashed);
		assert_same_values(&calm, &crashed, place);
		if (strcmp(calm.report, crashed.report) != 0)
			fail_msg("the report differs after a crash at place %d:\n%s\n%s", place,
				 calm.report, crashed.report);
		/* Only a process that died before its result was kept may run again. */
		assert_in_range(crashed.processes, calm.processes, calm.processes + 1);
		outcome_done(&crashed);
	}
	(void)printf("%d places, daemon killed at each\n", calm.places);
	outcome_done(&calm);
}

static void test_power_cut_ends_with_the_same_values(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_job(FAKE_CRASH_NONE, 0, false, &calm);
	for (int place = 0; place < calm.places; place++) {
		struct outcome crashed;

		run_job(FAKE_CRASH_POWER, place, false, &crashed);
		assert_same_values(&calm, &crashed, place);
		/* A boot that was cut off is measured anew, whole. */
		assert_in_range(crashed.processes, calm.processes,
				calm.processes + WARMUPS + PROCESSES);
		outcome_done(&crashed);
	}
	(void)printf("%d places, power cut at each\n", calm.places);
	outcome_done(&calm);
}

static void test_child_that_panics_ends_failed_after_any_crash(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_job(FAKE_CRASH_NONE, 0, true, &calm);
	assert_int_equal(calm.status, JOB_FAILED);
	for (int place = 0; place < calm.places; place++) {
		struct outcome crashed;

		run_job(FAKE_CRASH_KILL, place, true, &crashed);
		assert_same_values(&calm, &crashed, place);
		outcome_done(&crashed);
	}
	outcome_done(&calm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed_daemon_ends_with_the_same_report),
		cmocka_unit_test(test_power_cut_ends_with_the_same_values),
		cmocka_unit_test(test_child_that_panics_ends_failed_after_any_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
