// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a machine's own ended jobs say of its scatter, from a real store: pooled over the
 * kernels, of the same benchmark, and never of the lab.
 */
#include "orchestrator/work/history.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define ID_40 "0123456789abcdef0123456789abcdef01234567"

struct fixture {
	char *directory;
	struct store *store;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->directory = text_duplicate("/tmp/abbot-history-XXXXXX");
	assert_non_null(mkdtemp(fixture->directory));
	assert_int_equal(store_open(fixture->directory, true, &fixture->store, NULL), 0);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	store_close(fixture->store);
	assert_int_equal(file_remove_tree(fixture->directory, NULL), 0);
	free(fixture->directory);
	free(fixture);
	return 0;
}

static void append(struct fixture *fixture, int64_t job, enum event_kind kind, enum event_phase phase,
		   int boot, const char *data)
{
	struct event event;
	struct error err = { 0 };

	event_init(&event, job, kind, phase);
	event.at_ns = 1;
	event.boot = boot;
	event.point = boot < 0 ? -1 : boot % 2;
	event.attempt = boot < 0 ? -1 : 1;
	event.process = kind == EVENT_MEASURE ? 0 : -1;
	json_decref(event.data);
	event.data = json_loads(data, 0, NULL);
	assert_non_null(event.data);
	if (store_append(fixture->store, &event, &err) < 0)
		fail_msg("%s", err.text);
	event_done(&event);
}

static void init_job(struct job *job)
{
	job_init(job);
	job->measure.warmups = 0;
	job->measure.processes = 1;
	job->repository = text_duplicate("/nonexistent");
	assert_int_equal(job_add_point(job, "parent", "a", NULL), 0);
	assert_int_equal(job_add_point(job, "child", "b", NULL), 0);
	for (int i = 0; i < 2; i++) {
		(void)snprintf(job->points[i].commit, sizeof(job->points[i].commit), "%s", ID_40);
		(void)snprintf(job->points[i].tree, sizeof(job->points[i].tree), "%s", ID_40);
	}
}

/* A job with a boot for each value: P, C, P, ...; a gate failed where it is negative. */
static int64_t add_ended(struct fixture *fixture, enum store_machine machine, const char *workload,
			 const char *status, const double *values, int n_values)
{
	_cleanup_(job_done) struct job job;
	struct error err = { 0 };
	int64_t id = 0;

	init_job(&job);
	free(job.measure.workload);
	job.measure.workload = text_duplicate(workload);
	free(job.measure.metric);
	job.measure.metric = text_duplicate(strcmp(workload, "exec") == 0 ? "cost" : "iteration");
	if (store_add_job(fixture->store, &job, machine, 0, 1, &id, &err) < 0)
		fail_msg("%s", err.text);
	append(fixture, id, EVENT_BEGIN, EVENT_NOTE, -1, "{\"build_id\":\"d\",\"release\":\"x\"}");
	for (int i = 0; i < n_values; i++) {
		_cleanup_free_ char *value = values[i] < 0 ? text_format("{\"status\":\"unexpected\",\"reason\":\"r\"}") :
			text_format("{\"status\":\"ok\",\"value\":%.17g,\"bench\":{}}", values[i]);

		append(fixture, id, EVENT_HOP, EVENT_INTENT, i,
		       "{\"token\":\"t\",\"from_boot_id\":\"f\",\"build_id\":\"b\",\"entry\":\"e\"}");
		append(fixture, id, EVENT_VERIFY, EVENT_RESULT, i, "{\"verdict\":\"expected\",\"boot_id\":\"v\"}");
		append(fixture, id, EVENT_PROFILE, EVENT_RESULT, i, "{\"in_force\":{},\"not_available\":[]}");
		append(fixture, id, EVENT_MEASURE, EVENT_RESULT, i, value);
	}
	{
		_cleanup_free_ char *end = text_format("{\"status\":\"%s\",\"reason\":\"r\"}", status);

		append(fixture, id, EVENT_END, EVENT_NOTE, -1, end);
	}
	return id;
}

static struct interval_history learn(struct fixture *fixture, int64_t but)
{
	_cleanup_(job_done) struct job job;
	struct interval_history history;

	init_job(&job);
	history_learn(fixture->store, but, &job, &history);
	return history;
}

static void test_pools_kernels_and_jobs(void **state)
{
	/* y = 100 ln v: parents 0, 1, 2 and children 5, 5: squares 2 + 0, three degrees of freedom. */
	const double first[] = { 1, exp(0.05), exp(0.01), exp(0.05), exp(0.02) };
	/* Parents 0 and 3: squares 4.5, one more. */
	const double second[] = { 1, exp(0.07), exp(0.03) };
	struct interval_history history;
	int64_t id;

	assert_float_equal(learn(*state, 0).nu0, 0, 0);
	(void)add_ended(*state, STORE_MACHINE_REAL, "mprotect-toggle", "done", first, 5);
	history = learn(*state, 0);
	assert_float_equal(history.nu0, 3, 0);
	assert_float_equal(history.s0, sqrt(2.0 / 3), 1e-9);
	id = add_ended(*state, STORE_MACHINE_REAL, "mprotect-toggle", "inconclusive", second, 3);
	history = learn(*state, 0);
	assert_float_equal(history.nu0, 4, 0);
	assert_float_equal(history.s0, sqrt(6.5 / 4), 1e-9);
	assert_float_equal(learn(*state, id).nu0, 3, 0); /* never a job's own boots */
}

static void test_what_does_not_count(void **state)
{
	const double values[] = { 1, 2, 3, 4, 5 };
	const double one_failed[] = { 1, 2, 3, 4, -1 }; /* see add_ended() */

	(void)add_ended(*state, STORE_MACHINE_COUNTED, "mprotect-toggle", "done", values, 5);
	(void)add_ended(*state, STORE_MACHINE_EMULATED, "mprotect-toggle", "done", values, 5);
	(void)add_ended(*state, STORE_MACHINE_REAL, "mprotect-single", "done", values, 5);
	(void)add_ended(*state, STORE_MACHINE_REAL, "mprotect-toggle", "failed", values, 5);
	(void)add_ended(*state, STORE_MACHINE_REAL, "mprotect-toggle", "invalid", values, 5);
	/* Of several workloads the first has none, and the job is done all the same. */
	(void)add_ended(*state, STORE_MACHINE_REAL, "mprotect-toggle", "done", one_failed, 5);
	assert_float_equal(learn(*state, 0).nu0, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pools_kernels_and_jobs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_does_not_count, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
