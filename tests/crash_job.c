// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lives and outcome of a job on the fake machine. The store, planner and executor are
 * the real ones; which crash comes where is the tests' choice.
 */
#include "tests/crash_job.h"

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
#include "queue/job_key.h"
#include "reports/render/render.h"

#define LIVES_MAX 600 /* of one job: daemon starts */
#define ATTEMPTS 2 /* of one boot */
#define START_NS (1700000000LL * 1000000000)

/* The store of the daemon that lives in this process; NULL between two lives. */
static struct store *living_store;

void outcome_done(struct outcome *outcome)
{
	free(outcome->report);
}

static void fail_with(const char *what, const struct error *err)
{
	fail_msg("%s: %s", what, err->text);
}

static void store_job(const char *state_directory, struct job *job)
{
	struct store *store = NULL;
	struct error err = { 0 };
	int64_t id;

	if (store_open(state_directory, true, &store, &err) < 0 ||
	    store_add_job(store, job, STORE_MACHINE_REAL, 0, START_NS, &id, &err) < 0)
		fail_with("store", &err);
	store_close(store);
	job_done(job);
}

static void add_point(struct job *job, const char *name, char digit)
{
	struct error err = { 0 };
	struct job_point *point = &job->points[job->n_points];

	if (job_add_point(job, name, name, &err) < 0)
		fail_with("job", &err);
	memset(point->commit, digit, 40);
	memset(point->tree, digit + 2, 40);
	point->title = text_duplicate("mm: a change");
}

static void add_bisection(const char *state_directory)
{
	struct job job;

	job_init(&job);
	free(job.name);
	job.name = text_duplicate("crash bisection");
	job.design = JOB_DESIGN_BISECT;
	job.measure.warmups = 0;
	job.measure.processes = PROCESSES;
	job.boot.settle_s = 0;
	job.boot.max_attempts = ATTEMPTS;
	job.boot.max_reboots = 600;
	add_point(&job, "good", '1');
	add_point(&job, "bad", '2');
	store_job(state_directory, &job);
}

static void add_job(const char *state_directory, bool is_exact)
{
	struct error err = { 0 };
	struct job job;

	job_init(&job);
	free(job.name);
	job.name = text_duplicate("crash matrix");
	job.is_exact = is_exact;
	if (is_exact) {
		free(job.order);
		job.order = text_duplicate("PCP");
	}
	job.measure.warmups = WARMUPS;
	job.measure.processes = PROCESSES;
	job.boot.settle_s = 0;
	job.boot.max_attempts = ATTEMPTS;
	if (job_add_bench(&job, "toggle", "mprotect-toggle", &err) < 0 ||
	    job_add_bench(&job, "single", "mprotect-single", &err) < 0)
		fail_with("job", &err);
	job.benches[1].warmups = 0;
	job.benches[1].processes = 1;
	if (job_list_append(&job.measure.diagnoses, "functions=change_pte_range", &err) < 0)
		fail_with("job", &err);
	add_point(&job, "parent", '1');
	add_point(&job, "child", '2');
	store_job(state_directory, &job);
}

/* One life of the daemon, in a process of its own: until the job waits or a reboot comes. */
static void live(const char *state_directory, struct fake_world *world)
{
	struct ports ports = fake_world_ports(world);
	struct store *store = NULL;
	struct error err = { 0 };
	struct action action;
	int r = store_open(state_directory, false, &store, &err);

	living_store = store;
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

void crash_job_run(const struct crash_job *job)
{
	for (int life = 0; life < LIVES_MAX; life++) {
		int status = 0;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			live(job->directory, job->world);
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

void crash_job_read(const struct crash_job *job, struct outcome *ret_outcome)
{
	const struct fake_world *world = job->world;
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(store_job_list_done) struct store_job_list jobs = { 0 };
	struct run_state state;
	struct result result;
	struct store *store = NULL;
	struct error err = { 0 };

	memset(ret_outcome, 0, sizeof(*ret_outcome));
	if (store_open(job->directory, false, &store, &err) < 0 ||
	    store_load_events(store, 1, &events, &err) < 0 ||
	    store_list_jobs(store, &jobs, &err) < 0 ||
	    run_state_fold(&state, &events, &err) < 0)
		fail_with("reading the outcome", &err);
	ret_outcome->status = state.status;
	(void)snprintf(ret_outcome->reason, sizeof(ret_outcome->reason), "%s",
		       state.reason ? state.reason : "");
	ret_outcome->places = world->places;
	ret_outcome->processes = world->processes;
	ret_outcome->diagnoses = world->diagnoses;
	ret_outcome->evidences = world->evidences;
	ret_outcome->n_boots = state.n_boots;
	ret_outcome->n_reboots = state.n_reboots;
	for (int i = 0; i < state.n_boots && i < 3; i++)
		for (int k = 0; k < BENCHES; k++)
			for (int j = 0; j < state.boots[i].benches[k].n_values && j < PROCESSES; j++)
				ret_outcome->values[i][k][j] = state.boots[i].benches[k].values[j];
	if (result_build(&jobs.jobs[0], &events, &result, &err) < 0 ||
	    render_result(&result, "json", &ret_outcome->report, &err) < 0)
		fail_with("report", &err);
	result_done(&result);
	run_state_done(&state);
	store_close(store);
}

void assert_machine_is_clean(const struct fake_world *world, bool has_ended)
{
	assert_string_equal(world->armed_token, "");
	assert_string_equal(world->running_token, "");
	assert_int_equal(world->running_build_id[0], 'd');
	assert_string_equal(world->governor, "powersave");
	for (int i = 0; has_ended && i < FAKE_ENTRIES_MAX; i++)
		assert_string_equal(world->entries[i], "");
	assert_int_equal(world->unrestored, 0);
	assert_int_equal(world->under_deadline, 0);
}

void assert_same_values(const struct outcome *a, const struct outcome *b, int place)
{
	if (a->status != b->status || a->n_boots != b->n_boots ||
	    /* The same bits are meant. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
	    memcmp(a->values, b->values, sizeof(a->values)) != 0)
		fail_msg("a crash at place %d changed the outcome (status %s: %s)", place,
			 job_status_name(b->status), b->reason);
}

static struct crash_job new_world(void)
{
	/*
	 * In memory where possible: what dies here is a process, never the page cache, so a
	 * disk would add thousands of fsyncs and prove nothing more.
	 */
	struct crash_job job = { .directory = text_format("%s/abbot-crash-XXXXXX",
							  access("/dev/shm", W_OK) == 0 ? "/dev/shm"
											: "/tmp"),
				 .world = fake_world_new() };

	assert_non_null(mkdtemp(job.directory));
	return job;
}

static struct crash_job new_job(bool is_exact)
{
	struct crash_job job = new_world();

	add_job(job.directory, is_exact);
	return job;
}

struct crash_job crash_job_new_bisection(void)
{
	struct crash_job job = new_world();

	add_bisection(job.directory);
	job.world->bisect_commits = 40;
	job.world->bisect_culprit = 23;
	job.world->bisect_pct = 5;
	job.world->noise_pct = .8;
	return job;
}

struct crash_job crash_job_new(void)
{
	return new_job(true);
}

struct crash_job crash_job_new_adaptive(void)
{
	return new_job(false);
}

void crash_job_free(struct crash_job *job)
{
	fake_world_free(job->world);
	assert_int_equal(file_remove_tree(job->directory, NULL), 0);
	free(job->directory);
}

void crash_job_note(const struct crash_job *job, enum event_kind kind)
{
	struct store *store = living_store;
	struct error err = { 0 };
	struct event event;

	event_init(&event, 1, kind, EVENT_NOTE);
	event.at_ns = START_NS;
	(void)json_object_set_new(event.data, "by", json_string("root"));
	if (!living_store && store_open(job->directory, false, &store, &err) < 0)
		fail_with("note", &err);
	if (store_append(store, &event, &err) < 0)
		fail_with("note", &err);
	if (!living_store)
		store_close(store);
	event_done(&event);
}
