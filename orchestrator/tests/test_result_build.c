// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From events to the result: what counts, what is forgotten, and which contradictions
 * make a result invalid although the job ended well.
 */
#include <errno.h>
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
#include "common/text.h"
#include "orchestrator/work/result_build.h"
#include "reports/render/render.h"

#define WARMUPS 2
#define PROCESSES 3
#define BUILD_ID_PARENT "1111111111111111111111111111111111111111"
#define BUILD_ID_CHILD "2222222222222222222222222222222222222222"

struct log {
	struct event_list list;
};

static const char *const boot_ids[] = {
	"00000000-0000-4000-8000-000000000001",
	"00000000-0000-4000-8000-000000000002",
	"00000000-0000-4000-8000-000000000003",
	"00000000-0000-4000-8000-000000000004",
};

/* Takes the reference to @data. */
static struct event *add(struct log *log, enum event_kind kind, enum event_phase phase,
			 json_t *data)
{
	struct event *event;

	log->list.events = reallocarray(log->list.events, log->list.n_events + 1,
					sizeof(*log->list.events));
	assert_non_null(log->list.events);
	event = &log->list.events[log->list.n_events++];
	event_init(event, 1, kind, phase);
	event->sequence = (int64_t)log->list.n_events;
	assert_non_null(data);
	json_decref(event->data);
	event->data = data;
	return event;
}

static void add_job(struct log *log, enum job_differences profile_differences)
{
	struct job job;

	job_init(&job);
	assert_int_equal(job_add_point(&job, "parent", "HEAD^", NULL), 0);
	assert_int_equal(job_add_point(&job, "child", "HEAD", NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		memset(job.points[i].commit, i ? 'c' : 'a', 40);
		memset(job.points[i].tree, i ? 'd' : 'b', 40);
		job.points[i].title = text_duplicate(i ? "mm: the change" : "mm: before it");
	}
	free(job.name);
	job.name = text_duplicate("trial");
	free(job.order);
	job.order = text_duplicate("PCP");
	job.is_exact = true;
	free(job.repository);
	job.repository = text_duplicate("/srv/linux");
	job.measure.warmups = WARMUPS;
	job.measure.processes = PROCESSES;
	job.measure.profile_differences = profile_differences;
	add(log, EVENT_SUBMITTED, EVENT_NOTE, json_pack("{s:o}", "job", job_to_json(&job)));
	job_done(&job);
}

static void add_build(struct log *log, int point)
{
	add(log, EVENT_BUILD, EVENT_RESULT,
	    json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "status", "built", "key",
		      point ? "k2" : "k1", "release", point ? "6.12.0-ab2" : "6.12.0-ab1",
		      "build_id", point ? BUILD_ID_CHILD : BUILD_ID_PARENT, "compiler",
		      "gcc 12.2.0", "config_sha256", "feed"))->point = point;
}

static void add_begin(struct log *log)
{
	add(log, EVENT_BEGIN, EVENT_NOTE,
	    json_pack("{s:s, s:s}", "build_id", "00", "release", "6.1.0-default"));
	add(log, EVENT_CONFIGURE, EVENT_RESULT,
	    json_pack("{s:[{s:s},{s:s}], s:b, s:[]}", "points", "config_sha256", "feed",
		      "config_sha256", "feed", "equal", 1, "differences"));
	add_build(log, 0);
	add_build(log, 1);
}

static void set_scope(struct event *event, int boot, int attempt, int process)
{
	event->point = boot == 1;
	event->boot = boot;
	event->attempt = attempt;
	event->process = process;
}

static void add_hop(struct log *log, int boot, int attempt)
{
	set_scope(add(log, EVENT_HOP, EVENT_INTENT, json_pack("{s:s}", "token", "t")), boot,
		  attempt, -1);
}

static void add_verify(struct log *log, int boot, int attempt, const char *boot_id,
		       const char *build_id)
{
	set_scope(add(log, EVENT_VERIFY, EVENT_RESULT,
		      json_pack("{s:s, s:s, s:s, s:s}", "verdict", "expected", "boot_id", boot_id,
				"build_id", build_id, "release",
				boot == 1 ? "6.12.0-ab2" : "6.12.0-ab1")),
		  boot, attempt, -1);
}

static void add_profile(struct log *log, int boot, int attempt, const char *governor)
{
	set_scope(add(log, EVENT_PROFILE, EVENT_RESULT,
		      json_pack("{s:{s:s, s:n, s:{s:s}}, s:[s]}", "in_force", "governor",
				governor, "turbo", "mitigations", "meltdown", "PTI",
				"not_available", "turbo")),
		  boot, attempt, -1);
}

static void add_process(struct log *log, int boot, int attempt, int process, double value)
{
	json_t *bench = json_pack("{s:{s:{s:f, s:s}, s:{s:f}, s:{s:f}}, s:{s:s, s:s, s:i}, s:{s:i}}",
				  "metrics", "iteration", "mean", value, "unit", "ns/page",
				  "protect", "mean", value / 2, "touch", "mean", 7.0,
				  "environment", "cpu_model", "Test CPU", "release", "ignored",
				  "cpu", 3, "parameters", "iterations", 20);

	set_scope(add(log, EVENT_MEASURE, EVENT_RESULT,
		      json_pack("{s:s, s:f, s:o}", "status", "ok", "value", value, "bench", bench)),
		  boot, attempt, process);
}

/* Warm-ups are far off, so that one counted by mistake would show. */
static void add_processes(struct log *log, int boot, int attempt, double value)
{
	for (int i = 0; i < WARMUPS + PROCESSES; i++)
		add_process(log, boot, attempt, i, i < WARMUPS ? 1000 : value + 0.25 * i);
}

static void add_boot(struct log *log, int boot, int attempt, double value)
{
	add_hop(log, boot, attempt);
	add_verify(log, boot, attempt, boot_ids[boot],
		   boot == 1 ? BUILD_ID_CHILD : BUILD_ID_PARENT);
	add_profile(log, boot, attempt, "performance");
	add_processes(log, boot, attempt, value);
}

static void add_end(struct log *log, const char *status, const char *reason)
{
	add(log, EVENT_END, EVENT_NOTE, json_pack("{s:s, s:s}", "status", status, "reason", reason));
}

static void add_good_job(struct log *log)
{
	add_job(log, JOB_DIFFERENCES_REFUSE);
	add_begin(log);
	add_boot(log, 0, 1, 100);
	add_boot(log, 1, 1, 120);
	add_boot(log, 2, 1, 100.5);
	add_end(log, "DONE", "all 3 boots measured");
}

static void build(struct log *log, struct result *ret_result)
{
	const struct store_job job = { .id = 1, .machine = STORE_MACHINE_COUNTED, .rehearses = 4 };
	struct error err = { "" };
	int r = result_build(&job, &log->list, ret_result, &err);

	if (r < 0)
		print_error("%s\n", err.text);
	assert_int_equal(r, 0);
}

#define _cleanup_log_ __attribute__((cleanup(log_done)))
static void log_done(struct log *log)
{
	event_list_done(&log->list);
}

static void test_good_job(void **state)
{
	struct log log _cleanup_log_ = { 0 };
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;

	(void)state;
	add_good_job(&log);
	build(&log, &result);
	assert_int_equal(result.status, RESULT_DONE);
	assert_true(result.is_emulated);
	assert_int_equal(result.rehearses, 4);
	assert_int_equal(result.n_boots, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(result.boots[i].n_values, PROCESSES);
		assert_int_equal(result.boots[i].n_warmups, WARMUPS);
		assert_string_equal(result.boots[i].boot_id, boot_ids[i]);
		assert_true(result.boots[i].is_complete);
	}
	/* Processes 2, 3 and 4 of value + 0.25 i. */
	assert_true(fabs(result.summaries[1].location[SUMMARY_MEAN] - 120.75) < 1e-9);
	assert_true(result.estimates.is_present);
	assert_int_equal(result.estimates.verdict.verdict, VERDICT_REGRESSION);
	assert_true(fabs(result.estimates.sandwich.variants[SUMMARY_MEAN].delta_pct -
			 100 * (120.75 / 101 - 1)) < 1e-9);
	assert_int_equal(result.estimates.n_phases, 2);
	assert_string_equal(result.estimates.phases[0].name, "protect");
	assert_true(fabs(result.estimates.phases[0].child - 60.375) < 1e-9);
	assert_string_equal(result.unit, "ns/page");
	assert_string_equal(result.points[1].build_id, BUILD_ID_CHILD);
	assert_string_equal(result.points[1].title, "mm: the change");
	assert_true(result.is_config_compared && result.is_config_equal);
	assert_int_equal(render_result(&result, "text", &text, NULL), 0);
	assert_non_null(strstr(text, "governor          performance"));
	assert_non_null(strstr(text, "mitigations       meltdown PTI"));
	assert_non_null(strstr(text, "cpu model         Test CPU"));
	assert_non_null(strstr(text, "default kernel    6.1.0-default"));
	assert_non_null(strstr(text, "not available     turbo"));
}

/* The child went down after two measured processes; its second attempt alone counts. */
static void test_last_attempt_counts(void **state)
{
	struct log log _cleanup_log_ = { 0 };
	_cleanup_(result_done) struct result result;

	(void)state;
	add_job(&log, JOB_DIFFERENCES_REFUSE);
	add_begin(&log);
	add_boot(&log, 0, 1, 100);
	add_hop(&log, 1, 1);
	add_verify(&log, 1, 1, boot_ids[3], BUILD_ID_CHILD);
	add_profile(&log, 1, 1, "powersave");
	for (int i = 0; i < WARMUPS + 2; i++)
		add_process(&log, 1, 1, i, 500);
	add_boot(&log, 1, 2, 120);
	add_boot(&log, 2, 1, 100.5);
	add_end(&log, "DONE", "all 3 boots measured");
	build(&log, &result);
	assert_int_equal(result.status, RESULT_DONE);
	assert_int_equal(result.boots[1].attempt, 2);
	assert_string_equal(result.boots[1].boot_id, boot_ids[1]);
	assert_int_equal(result.boots[1].n_values, PROCESSES);
	assert_true(fabs(result.summaries[1].location[SUMMARY_MEAN] - 120.75) < 1e-9);
	assert_true(fabs(result.estimates.phases[0].child - 60.375) < 1e-9);
	assert_true(result.warnings.n > 0);
	assert_non_null(strstr(result.warnings.items[0], "Boot 2 (child) needed 2 attempts"));
}

static void test_unfinished(void **state)
{
	struct log log _cleanup_log_ = { 0 };
	_cleanup_(result_done) struct result queued = { 0 };
	_cleanup_(result_done) struct result running = { 0 };
	_cleanup_(result_done) struct result paused = { 0 };

	(void)state;
	add_job(&log, JOB_DIFFERENCES_REFUSE);
	build(&log, &queued);
	assert_int_equal(queued.status, RESULT_QUEUED);
	add_begin(&log);
	add_boot(&log, 0, 1, 100);
	add_hop(&log, 1, 1);
	build(&log, &running);
	assert_int_equal(running.status, RESULT_RUNNING);
	assert_int_equal(running.n_boots, 2);
	assert_false(running.boots[1].is_complete);
	assert_false(running.estimates.is_present);
	add(&log, EVENT_PAUSE, EVENT_NOTE, json_pack("{s:s}", "reason", "three fall-backs in a row"));
	build(&log, &paused);
	assert_int_equal(paused.status, RESULT_PAUSED);
	assert_string_equal(paused.reason, "three fall-backs in a row");
}

static void test_failed_build(void **state)
{
	struct log log _cleanup_log_ = { 0 };
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;

	(void)state;
	add_job(&log, JOB_DIFFERENCES_REFUSE);
	add(&log, EVENT_BEGIN, EVENT_NOTE, json_object());
	add_build(&log, 0);
	add(&log, EVENT_BUILD, EVENT_RESULT,
	    json_pack("{s:s, s:s, s:s}", "status", "failed", "error", "it does not build",
		      "log_tail", "mm/x.c:1: error: no\nmake: *** Error 2\n"))->point = 1;
	add_end(&log, "FAILED", "child was not built: it does not build");
	build(&log, &result);
	assert_int_equal(result.status, RESULT_FAILED);
	assert_string_equal(result.points[1].failure, "it does not build");
	assert_int_equal(render_result(&result, "text", &text, NULL), 0);
	assert_non_null(strstr(text, "FAILED: child was not built"));
	assert_non_null(strstr(text, "    mm/x.c:1: error: no\n    make: *** Error 2\n"));
}

static void check_invalid(struct log *log, const char *part)
{
	_cleanup_(result_done) struct result result;

	build(log, &result);
	assert_int_equal(result.status, RESULT_INVALID);
	assert_false(result.estimates.is_present);
	if (!strstr(result.reason, part)) {
		print_error("no \"%s\" in: %s\n", part, result.reason);
		fail();
	}
}

/* Everything but the third boot is good. */
static void add_all_but_last(struct log *log, enum job_differences profile_differences)
{
	add_job(log, profile_differences);
	add_begin(log);
	add_boot(log, 0, 1, 100);
	add_boot(log, 1, 1, 120);
	add_hop(log, 2, 1);
}

static void add_evidence(struct log *log, int boot, int attempt, json_t *data)
{
	struct event *event = add(log, EVENT_EVIDENCE, EVENT_RESULT, data);

	set_scope(event, boot, attempt, -1);
}

static void assert_warning(const struct result *result, const char *text)
{
	for (size_t i = 0; i < result->warnings.n; i++)
		if (strcmp(result->warnings.items[i], text) == 0)
			return;
	for (size_t i = 0; i < result->warnings.n; i++)
		print_error("warning: %s\n", result->warnings.items[i]);
	fail_msg("there is no warning: %s", text);
}

/* Of every attempt; the same of several boots is said once, and not without end. */
static void test_findings_are_warnings(void **state)
{
	struct log log = { 0 };
	struct result result;
	json_t *many = json_array();

	(void)state;
	add_all_but_last(&log, JOB_DIFFERENCES_REFUSE);
	add_evidence(&log, 0, 1, json_pack("{s:[{s:s, s:s}]}", "findings", "kind", "failed-unit", "text",
					   "x.service"));
	add_evidence(&log, 1, 1, json_pack("{s:[{s:s, s:s, s:s}]}", "findings", "kind", "panic", "text",
					   "Kernel panic - not syncing: why", "from", "pstore"));
	add_evidence(&log, 1, 2, json_pack("{s:[{s:s, s:s}]}", "findings", "kind", "failed-unit", "text",
					   "x.service"));
	for (int i = 0; i < 20; i++)
		json_array_append_new(many, json_pack("{s:s, s:o}", "kind", "warning", "text",
						      json_sprintf("WARNING: %d", i)));
	add_evidence(&log, 1, 2, json_pack("{s:s}", "error", "no memory"));
	add_evidence(&log, 1, 2, json_pack("{s:o}", "findings", many));
	build(&log, &result);
	assert_warning(&result, "boot 1 (parent); boot 2 (child), attempt 2: a unit has failed: x.service");
	assert_warning(&result, "boot 2 (child): its kernel left in pstore: Kernel panic - not syncing: why");
	assert_warning(&result, "boot 2 (child), attempt 2: its log was not kept: no memory");
	assert_warning(&result, "boot 2 (child), attempt 2: its kernel logged: WARNING: 8");
	assert_warning(&result, "The kernels' logs hold 11 findings more: abbot log 1 --boot N.");
	result_done(&result);
	log_done(&log);
}

static void test_same_boot_twice(void **state)
{
	struct log log _cleanup_log_ = { 0 };

	(void)state;
	add_all_but_last(&log, JOB_DIFFERENCES_REFUSE);
	add_verify(&log, 2, 1, boot_ids[0], BUILD_ID_PARENT);
	add_profile(&log, 2, 1, "performance");
	add_processes(&log, 2, 1, 100);
	add_end(&log, "DONE", "");
	check_invalid(&log, "boots 1 and 3 have the same boot id");
}

static void test_wrong_kernel(void **state)
{
	struct log log _cleanup_log_ = { 0 };

	(void)state;
	add_all_but_last(&log, JOB_DIFFERENCES_REFUSE);
	add_verify(&log, 2, 1, boot_ids[2], BUILD_ID_CHILD);
	add_profile(&log, 2, 1, "performance");
	add_processes(&log, 2, 1, 100);
	add_end(&log, "DONE", "");
	check_invalid(&log, "boot 3 (parent) ran the kernel 2222");
}

static void test_settings_differ(void **state)
{
	struct log log _cleanup_log_ = { 0 };
	struct log allowed _cleanup_log_ = { 0 };
	_cleanup_(result_done) struct result result;

	(void)state;
	add_all_but_last(&log, JOB_DIFFERENCES_REFUSE);
	add_verify(&log, 2, 1, boot_ids[2], BUILD_ID_PARENT);
	add_profile(&log, 2, 1, "powersave");
	add_processes(&log, 2, 1, 100);
	add_end(&log, "DONE", "");
	check_invalid(&log, "governor differs: performance in boot 1, powersave in boot 3");

	add_all_but_last(&allowed, JOB_DIFFERENCES_ALLOW);
	add_verify(&allowed, 2, 1, boot_ids[2], BUILD_ID_PARENT);
	add_profile(&allowed, 2, 1, "powersave");
	add_processes(&allowed, 2, 1, 100);
	add_end(&allowed, "DONE", "");
	build(&allowed, &result);
	assert_int_equal(result.status, RESULT_DONE);
	assert_non_null(strstr(result.warnings.items[0], "governor differs"));
	for (size_t i = 0; i < result.held_equal.n; i++)
		assert_string_not_equal(result.held_equal.items[i].name, "governor");
}

static void add_unexpected(struct log *log, int boot, int process)
{
	set_scope(add(log, EVENT_MEASURE, EVENT_RESULT,
		      json_pack("{s:s, s:n, s:s, s:{}}", "status", "unexpected", "value", "reason",
				"a huge page in the mapping", "bench")),
		  boot, 1, process);
}

static void test_unexpected_process(void **state)
{
	struct log log _cleanup_log_ = { 0 };

	(void)state;
	add_all_but_last(&log, JOB_DIFFERENCES_REFUSE);
	add_verify(&log, 2, 1, boot_ids[2], BUILD_ID_PARENT);
	add_profile(&log, 2, 1, "performance");
	add_unexpected(&log, 2, 0);
	for (int i = 1; i < WARMUPS + PROCESSES; i++)
		add_process(&log, 2, 1, i, 100);
	add_end(&log, "DONE", "");
	check_invalid(&log, "boot 3 (parent): a huge page in the mapping");
}

static void test_contradictions(void **state)
{
	struct log empty _cleanup_log_ = { 0 };
	struct log unsubmitted _cleanup_log_ = { 0 };
	struct log skipping _cleanup_log_ = { 0 };
	struct log processes _cleanup_log_ = { 0 };
	struct log *logs[] = { &empty, &unsubmitted, &skipping, &processes };
	const struct store_job job = { .id = 1 };

	(void)state;
	add_begin(&unsubmitted);
	add_job(&skipping, JOB_DIFFERENCES_REFUSE);
	add_hop(&skipping, 1, 1);
	add_job(&processes, JOB_DIFFERENCES_REFUSE);
	add_hop(&processes, 0, 1);
	add_process(&processes, 0, 1, 1, 100);
	for (size_t i = 0; i < 4; i++) {
		struct result result = { .job_id = 99 };
		struct error err = { "" };

		assert_int_equal(result_build(&job, &logs[i]->list, &result, &err), -EBADMSG);
		assert_int_equal(strncmp(err.text, "job 1: ", 7), 0);
		assert_int_equal(result.job_id, 99);
	}
}

/*
 * A job of two workloads, which take turns; the last process in boot 2 of those in the set @unexpected
 * fails its gate.
 */
static void build_two(unsigned int unexpected, const char *status, struct result *result)
{
	struct log log _cleanup_log_ = { 0 };
	_cleanup_(job_done) struct job job;

	add_job(&log, JOB_DIFFERENCES_REFUSE);
	assert_int_equal(job_from_json(json_object_get(log.list.events[0].data, "job"), &job, NULL), 0);
	assert_int_equal(job_add_bench(&job, "toggle", "mprotect-toggle", NULL), 0);
	assert_int_equal(job_add_bench(&job, "single", "mprotect-single", NULL), 0);
	job.benches[1].processes = PROCESSES + 1;
	assert_int_equal(json_object_set_new(log.list.events[0].data, "job", job_to_json(&job)), 0);
	add_begin(&log);
	for (int boot = 0; boot < 3; boot++) {
		add_hop(&log, boot, 1);
		add_verify(&log, boot, 1, boot_ids[boot],
			   boot == 1 ? BUILD_ID_CHILD : BUILD_ID_PARENT);
		add_profile(&log, boot, 1, "performance");
		for (int i = 0; i < job_n_processes(&job); i++) {
			struct job_process process = job_process_at(&job, boot, i);
			double value = process.is_warmup   ? 1000
				       : process.bench == 1 ? 50
							    : (boot == 1 ? 120 : 100);

			if (boot == 1 && process.index == WARMUPS && unexpected & 1U << process.bench)
				add_unexpected(&log, boot, i);
			else
				add_process(&log, boot, 1, i, value);
		}
	}
	add_end(&log, status, "all 3 boots measured");
	build(&log, result);
}

/* Each result has its own values, and only those. */
static void test_workloads_are_told_apart(void **state)
{
	_cleanup_(result_done) struct result result;

	(void)state;
	build_two(0, "DONE", &result);
	assert_string_equal(result.bench, "toggle");
	assert_int_equal(result.n_further, 1);
	assert_string_equal(result.further[0].workload, "mprotect-single");
	assert_string_equal(result.further[0].metric, "protect");
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(result.boots[i].n_values, PROCESSES);
		assert_int_equal(result.further[0].boots[i].n_values, PROCESSES + 1);
		assert_true(result.further[0].boots[i].is_complete);
		assert_true(result.further[0].boots[i].values[0] == 50);
		assert_true(result.boots[i].values[0] == (i == 1 ? 120 : 100));
	}
	assert_int_equal(result.estimates.verdict.verdict, VERDICT_REGRESSION);
	assert_int_equal(result.further[0].estimates.verdict.verdict, VERDICT_NO_CHANGE);
}

static void test_a_failed_gate_is_of_its_workload_only(void **state)
{
	static const char why[] = "boot 2 (child): a huge page in the mapping";

	(void)state;
	for (unsigned int unexpected = 1; unexpected <= 3; unexpected++) {
		_cleanup_(result_done) struct result result;

		build_two(unexpected, unexpected == 3 ? "INVALID" : "DONE", &result);
		for (size_t i = 0; i < 2; i++) {
			const struct result *bench = result_bench(&result, i);
			bool is_invalid = unexpected & 1U << i;

			assert_int_equal(bench->status, is_invalid ? RESULT_INVALID : RESULT_DONE);
			assert_int_equal(bench->estimates.is_present, !is_invalid);
			if (is_invalid)
				assert_string_equal(bench->reason, why);
		}
		assert_int_equal(result_is_partly_invalid(&result), unexpected != 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_job),
		cmocka_unit_test(test_workloads_are_told_apart),
		cmocka_unit_test(test_a_failed_gate_is_of_its_workload_only),
		cmocka_unit_test(test_last_attempt_counts),
		cmocka_unit_test(test_findings_are_warnings),
		cmocka_unit_test(test_unfinished),
		cmocka_unit_test(test_failed_build),
		cmocka_unit_test(test_same_boot_twice),
		cmocka_unit_test(test_wrong_kernel),
		cmocka_unit_test(test_settings_differ),
		cmocka_unit_test(test_unexpected_process),
		cmocka_unit_test(test_contradictions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
