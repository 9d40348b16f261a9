// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rehearsals of one lab run in the store: all are added or none, and what the
 * machine left open ends with the reason that somebody must read.
 */
#include "orchestrator/cli/lab_jobs.h"

#include "orchestrator/tests/test_source_repository.h"

static char *state_directory;
static struct lab_host host;

static int64_t add_job(enum store_machine machine, int64_t rehearses)
{
	struct error err = { 0 };
	struct job job;
	int64_t id = 0;

	job_init(&job);
	if (job_add_point(&job, "parent", "main^", &err) < 0 || job_add_point(&job, "child", "main", &err) < 0 ||
	    store_add_job(host.store, &job, machine, rehearses, 1, &id, &err) < 0)
		fail_msg("%s", err.text);
	job_done(&job);
	return id;
}

static int setup(void **state)
{
	(void)state;
	state_directory = repository_temporary();
	host = (struct lab_host){ .state_directory = state_directory };
	return store_open(state_directory, true, &host.store, NULL);
}

static int teardown(void **state)
{
	int r;

	(void)state;
	lab_host_done(&host);
	r = file_remove_tree(state_directory, NULL);
	free(state_directory);
	return r;
}

static void happened(int64_t job, enum event_kind kind, const char *member, const char *text)
{
	struct event event;

	event_init(&event, job, kind, EVENT_NOTE);
	assert_int_equal(json_object_set_new(event.data, member, json_string(text)), 0);
	assert_int_equal(store_append(host.store, &event, NULL), 0);
	event_done(&event);
}

static char *reason_of(int64_t job)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state;

	run_state_init(&state);
	assert_int_equal(store_load_events(host.store, job, &events, NULL), 0);
	assert_int_equal(run_state_fold(&state, &events, NULL), 0);
	assert_true(run_state_is_ended(&state));
	return text_duplicate(state.reason);
}

static void test_all_or_none(void **state)
{
	int64_t real = add_job(STORE_MACHINE_REAL, 0), emulated = add_job(STORE_MACHINE_COUNTED, real);
	struct lab_jobs jobs = { .n_jobs = 2, .ids = { real, emulated } }, rehearsals = { 0 };
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(lab_jobs_add(host.store, &jobs, true, &rehearsals, &err), -EINVAL);
	assert_non_null(strstr(err.text, "is a lab run itself; rehearse job 1"));
	jobs.ids[1] = 77;
	assert_int_equal(lab_jobs_add(host.store, &jobs, true, &rehearsals, &err), -ENOENT);
	assert_int_equal(rehearsals.n_jobs, 0);
	jobs.ids[1] = real; /* one job twice */
	assert_int_equal(lab_jobs_add(host.store, &jobs, true, &rehearsals, &err), 0);
	assert_int_equal(rehearsals.n_jobs, 2);
	assert_int_equal(store_list_jobs(host.store, &list, &err), 0);
	assert_int_equal(list.n_jobs, 4);
	for (size_t i = 2; i < list.n_jobs; i++) {
		assert_true(list.jobs[i].is_emulated);
		assert_int_equal(list.jobs[i].rehearses, real);
		assert_int_equal(list.jobs[i].id, rehearsals.ids[i - 2]);
	}
}

static void test_ends(void **state)
{
	int64_t real = add_job(STORE_MACHINE_REAL, 0);
	const struct lab_jobs jobs = { .n_jobs = 3, .ids = { real, real, real } };
	struct lab_jobs rehearsals = { 0 };
	const struct lab_jobs *first;
	struct error err = { 0 };
	_cleanup_free_ char *done = NULL, *paused = NULL, *open = NULL;

	(void)state;
	assert_int_equal(lab_jobs_add(host.store, &jobs, false, &rehearsals, &err), 0);
	happened(rehearsals.ids[0], EVENT_END, "status", "done");
	happened(rehearsals.ids[1], EVENT_PAUSE, "reason", "another kernel came up");
	lab_jobs_end(&host, &rehearsals, "the machine went off");
	done = reason_of(rehearsals.ids[0]);
	paused = reason_of(rehearsals.ids[1]);
	open = reason_of(rehearsals.ids[2]);
	assert_string_equal(done, "");
	assert_string_equal(paused, "it was paused in the lab, where nobody resumes it: another kernel came up");
	assert_string_equal(open, "the machine went off");
	assert_int_equal(lab_jobs_are_done(host.store, &rehearsals, &err), 0);
	first = &(struct lab_jobs){ .n_jobs = 1, .ids = { rehearsals.ids[0] } };
	assert_int_equal(lab_jobs_are_done(host.store, first, &err), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_all_or_none),
		TEST(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
