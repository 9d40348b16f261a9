// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The queue's requests on a real store and a real git repository: what they answer,
 * what they refuse, and that a refusal leaves nothing behind.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/tests/programs.h"
#include "orchestrator/work/evidence.h"
#include "orchestrator/work/service.h"

#define START_NS INT64_C(1700000000000000000)
#define SECOND_NS INT64_C(1000000000)

struct fixture {
	struct store *store;
	char *repository;
	char *state;
	int64_t now_ns;
};

static struct fixture fixture_open(void **state)
{
	struct fixture f = { .now_ns = START_NS };
	struct error err = { 0 };

	f.repository = temporary_path(state, "linux");
	f.state = temporary_path(state, "state");
	programs_make_repository(f.repository);
	if (store_open(f.state, true, &f.store, &err) < 0)
		fail_msg("%s", err.text);
	return f;
}

static void fixture_close(struct fixture *f)
{
	store_close(f->store);
	free(f->repository);
	free(f->state);
}

static json_t *ask(struct fixture *f, json_t *request)
{
	const struct service service = {
		.store = f->store, .state_directory = f->state, .caller = "root", .now_ns = f->now_ns,
	};
	json_t *reply = service_handle(&service, request);

	json_decref(request);
	assert_true(json_is_object(reply));
	return reply;
}

static void expect_error(struct fixture *f, json_t *request, int code, const char *part)
{
	_cleanup_json_ json_t *reply = ask(f, request);
	const char *error = json_string_value(json_object_get(reply, "error"));

	if (!error || !strstr(error, part))
		fail_msg("wanted an error with \"%s\", got: %s", part, error ? error : "none");
	assert_int_equal(json_integer_value(json_object_get(reply, "errno")), code);
}

static void expect_text(struct fixture *f, json_t *request, const char *part)
{
	_cleanup_json_ json_t *reply = ask(f, request);
	const char *text = json_string_value(json_object_get(reply, "text"));
	const char *error = json_string_value(json_object_get(reply, "error"));

	if (error)
		fail_msg("%s", error);
	if (!text || !strstr(text, part))
		fail_msg("wanted \"%s\" in:\n%s", part, text ? text : "nothing");
}

static json_t *on_job(const char *op, int64_t job)
{
	return json_pack("{s:s, s:I}", "op", op, "job", (json_int_t)job);
}

static json_t *queue_request(struct fixture *f, const char *revision, bool is_dry)
{
	struct job job;
	json_t *request;

	job_init(&job);
	free(job.name);
	job.name = text_duplicate("trial");
	job.repository = text_duplicate(f->repository);
	assert_int_equal(job_add_point(&job, "child", revision, NULL), 0);
	request = json_pack("{s:s, s:o, s:b}", "op", "queue", "job", job_to_json(&job), "dry_run",
			    is_dry ? 1 : 0);
	job_done(&job);
	return request;
}

static int64_t queue_one(struct fixture *f)
{
	_cleanup_json_ json_t *reply = ask(f, queue_request(f, "main", false));
	const char *error = json_string_value(json_object_get(reply, "error"));

	if (error)
		fail_msg("%s", error);
	return json_integer_value(json_object_get(reply, "job"));
}

/* One event @seconds after the last. */
static void happen(struct fixture *f, int64_t job, int seconds, enum event_kind kind,
		   enum event_phase phase, int point, int boot, int process, json_t *data)
{
	struct error err = { 0 };
	struct event event;

	f->now_ns += seconds * SECOND_NS;
	event_init(&event, job, kind, phase);
	event.at_ns = f->now_ns;
	event.point = point;
	event.boot = boot;
	event.attempt = boot >= 0 ? 1 : -1;
	event.process = process;
	json_decref(event.data);
	event.data = data ? data : json_object();
	if (store_append(f->store, &event, &err) < 0)
		fail_msg("%s", err.text);
	event_done(&event);
}

/* Up to the second process of the first boot: 3 warm-ups and one measured one. */
static void run_some(struct fixture *f, int64_t job)
{
	happen(f, job, 1, EVENT_BEGIN, EVENT_NOTE, -1, -1, -1,
	       json_pack("{s:s, s:s}", "build_id", "d0", "release", "6.1.0"));
	happen(f, job, 1, EVENT_CONFIGURE, EVENT_RESULT, -1, -1, -1, json_pack("{s:b}", "equal", 1));
	for (int i = 0; i < 2; i++) {
		happen(f, job, 1, EVENT_BUILD, EVENT_RESULT, i, -1, -1,
		       json_pack("{s:s, s:s, s:s, s:f}", "key", "k", "build_id", i ? "c1" : "a1",
				 "release", "6.12.0-ab", "wall_time_s", i ? 20.0 : 400.0));
		happen(f, job, 1, EVENT_INSTALL, EVENT_RESULT, i, -1, -1,
		       json_pack("{s:s}", "entry", "abbot-1"));
	}
	happen(f, job, 1, EVENT_HOP, EVENT_INTENT, 0, 0, -1,
	       json_pack("{s:s, s:s}", "token", "t", "from_boot_id", "b0"));
	happen(f, job, 1, EVENT_REBOOT, EVENT_RESULT, 0, 0, -1,
	       json_pack("{s:s}", "method", "logind"));
	happen(f, job, 77, EVENT_VERIFY, EVENT_RESULT, 0, 0, -1,
	       json_pack("{s:s, s:s, s:s}", "verdict", "expected", "boot_id", "b1", "release",
			 "6.12.0-ab"));
	happen(f, job, 1, EVENT_PROFILE, EVENT_RESULT, 0, 0, -1, json_pack("{s:{}}", "in_force"));
	for (int i = 0; i < 4; i++) {
		happen(f, job, 1, EVENT_MEASURE, EVENT_INTENT, 0, 0, i, NULL);
		happen(f, job, 3, EVENT_MEASURE, EVENT_RESULT, 0, 0, i,
		       json_pack("{s:s, s:f, s:{s:{s:{s:s}}}}", "status", "ok", "value", 38.46,
				 "bench", "metrics", "iteration", "unit", "ns/page"));
	}
}

static void test_queue_pins_commits(void **state)
{
	struct fixture f = fixture_open(state);
	_cleanup_json_ json_t *reply = ask(&f, queue_request(&f, "main", false));
	const char *text = json_string_value(json_object_get(reply, "text"));

	assert_int_equal(json_integer_value(json_object_get(reply, "job")), 1);
	assert_non_null(strstr(text, "job 1 queued: trial\n"));
	assert_non_null(strstr(text, "mm: change it"));
	assert_non_null(strstr(text, "boots    parent, child, parent, child, parent, child, parent, and four more "));
	expect_text(&f, on_job("log", 1), "queued: trial");
	expect_text(&f, json_pack("{s:s}", "op", "list"), "   1  queued");
	fixture_close(&f);
}

static void test_refused_or_dry_leaves_nothing(void **state)
{
	struct fixture f = fixture_open(state);
	_cleanup_json_ json_t *dry = ask(&f, queue_request(&f, "main", true));

	assert_true(json_is_null(json_object_get(dry, "job")));
	assert_null(json_object_get(dry, "error"));
	expect_error(&f, queue_request(&f, "nonsense", false), ENOENT, "nonsense");
	expect_text(&f, json_pack("{s:s}", "op", "list"), "No jobs.");
	fixture_close(&f);
}

/* A terminal must not obey a kernel's release, a reason, or whatever else is not ours. */
static void test_answers_hold_nothing_a_terminal_obeys(void **state)
{
	static const char *const ops[] = { "log", "status", "list" };
	static const char hostile[] = "\x1b]0;x\x07\xc2\x9b" "2J\xe2\x80\xae" "6.12.0\x7f";
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);

	happen(&f, job, 1, EVENT_BEGIN, EVENT_NOTE, -1, -1, -1,
	       json_pack("{s:s, s:s}", "build_id", "d0", "release", hostile));
	happen(&f, job, 1, EVENT_PAUSE, EVENT_NOTE, -1, -1, -1,
	       json_pack("{s:s, s:s}", "reason", hostile, "by", hostile));
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		_cleanup_json_ json_t *reply = ask(&f, on_job(ops[i], job));
		const char *text = json_string_value(json_object_get(reply, "text"));

		assert_non_null(text);
		assert_non_null(strstr(text, "6.12.0"));
		assert_null(strpbrk(text, "\x1b\x07\x7f"));
		assert_null(strstr(text, "\xc2\x9b"));
		assert_null(strstr(text, "\xe2\x80\xae"));
	}
	fixture_close(&f);
}

static void test_hostile_requests(void **state)
{
	struct fixture f = fixture_open(state);

	expect_error(&f, json_object(), EINVAL, "\"op\"");
	expect_error(&f, json_array(), EINVAL, "\"op\"");
	expect_error(&f, json_pack("{s:i}", "op", 1), EINVAL, "\"op\"");
	expect_error(&f, json_pack("{s:s}", "op", "format-disk"), EINVAL, "format-disk");
	expect_error(&f, json_pack("{s:s, s:s}", "op", "status", "job", "1"), EINVAL, "job number");
	expect_error(&f, on_job("status", 99), ENOENT, "no job 99");
	expect_error(&f, on_job("report", -1), ENOENT, "no job -1");
	expect_error(&f, json_pack("{s:s}", "op", "status"), ENOENT, "no job yet");
	expect_error(&f, json_pack("{s:s}", "op", "cancel"), EINVAL, "which job");
	expect_error(&f, json_pack("{s:s, s:[]}", "op", "queue", "job"), EINVAL, "");
	expect_error(&f, json_pack("{s:s}", "op", "queue"), EINVAL, "");
	expect_text(&f, json_pack("{s:s}", "op", "list"), "No jobs.");
	fixture_close(&f);
}

static void test_cancel_before_it_began_ends_it(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);

	expect_text(&f, on_job("cancel", job), "job 1 cancelled\n");
	expect_text(&f, on_job("status", job), "cancelled by root before it began");
	expect_error(&f, on_job("cancel", job), EALREADY, "already ended: cancelled");
	expect_error(&f, on_job("pause", job), EALREADY, "already ended");
	expect_error(&f, on_job("resume", job), EALREADY, "already ended");
	fixture_close(&f);
}

static void test_cancel_of_a_running_job_is_a_wish(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);

	run_some(&f, job);
	expect_text(&f, on_job("cancel", job), "as soon as the machine is clean");
	expect_text(&f, on_job("status", job), "running, being cancelled");
	expect_error(&f, on_job("cancel", job), EALREADY, "being cancelled already");
	expect_error(&f, on_job("pause", job), EALREADY, "being cancelled");
	fixture_close(&f);
}

static void test_pause_and_resume(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);

	expect_error(&f, on_job("resume", job), EALREADY, "not paused: it is queued");
	expect_text(&f, on_job("pause", job), "job 1 paused");
	expect_error(&f, on_job("pause", job), EALREADY, "paused already");
	expect_text(&f, on_job("status", job), "trial: paused");
	expect_text(&f, on_job("resume", job), "job 1 goes on");
	expect_error(&f, on_job("resume", job), EALREADY, "not paused");
	fixture_close(&f);
}

/* May a second machine expect silence, for how long, and when may it look again? */
static void expect_watch(struct fixture *f, int64_t job, bool may_be_silent, int64_t ask_again_s)
{
	_cleanup_json_ json_t *reply = ask(f, on_job("status", job));
	const json_t *watch = json_object_get(json_object_get(reply, "status"), "watch");

	assert_true(json_is_boolean(json_object_get(watch, "may_be_silent")));
	assert_int_equal(json_is_true(json_object_get(watch, "may_be_silent")), may_be_silent);
	/* The 20 minutes of abbot-deadline.timer, settle time, deadline. */
	assert_int_equal(json_integer_value(json_object_get(watch, "silence_s")), 1200 + 60 + 900);
	assert_int_equal(json_integer_value(json_object_get(watch, "ask_again_s")), ask_again_s);
}

static void test_status_for_a_second_machine(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);

	expect_watch(&f, job, false, 10);
	happen(&f, job, 1, EVENT_BEGIN, EVENT_NOTE, -1, -1, -1, json_pack("{s:s}", "build_id", "d"));
	expect_watch(&f, job, false, 10);
	happen(&f, job, 1, EVENT_INSTALL, EVENT_INTENT, 0, -1, -1, NULL);
	expect_watch(&f, job, true, 10);
	run_some(&f, job);
	/* 14 processes of 3 seconds are left: it is not to be disturbed. */
	expect_watch(&f, job, true, 14 * 3 + 10);
	happen(&f, job, 1, EVENT_PAUSE, EVENT_NOTE, -1, -1, -1, json_pack("{s:s}", "reason", "r"));
	expect_watch(&f, job, false, 10);
	fixture_close(&f);
}

static void test_status_and_log_in_words(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);

	run_some(&f, job);
	expect_text(&f, on_job("log", job), "boot 1 of 7 (parent): warm-up 3 of 3: 38.5 ns/page\n");
	expect_text(&f, on_job("log", job), "boot 1 of 7 (parent): process 1 of 15: 38.5 ns/page\n");
	expect_text(&f, on_job("log", job), "parent: built 6.12.0-ab in 6 min 40 s\n");
	expect_text(&f, on_job("status", job), "boot 1 of 7 (parent): 4 of 18 processes");
	expect_text(&f, on_job("status", job), "next: boot 1 of 7 (parent): measure 14 more");
	fixture_close(&f);
}

/* Every attempt's files, and no other name that an event may hold. */
static void test_kept_log_of_a_boot(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);
	_cleanup_free_ char *directory = evidence_directory(f.state, job, 0, 1);
	_cleanup_free_ char *path = path_join(directory, EVIDENCE_KERNEL_LOG);
	json_t *request = on_job("log", job);

	run_some(&f, job);
	assert_int_equal(file_make_directories(directory, 0755, NULL), 0);
	assert_int_equal(file_write_durable(path, "[ 1.0] a\033b\n", 11, 0640, NULL), 0);
	(void)json_object_set_new(request, "boot", json_integer(1));
	expect_error(&f, json_deep_copy(request), ENOENT, "no kernel log of boot 1");
	happen(&f, job, 1, EVENT_EVIDENCE, EVENT_INTENT, 0, 0, -1, NULL);
	happen(&f, job, 1, EVENT_EVIDENCE, EVENT_RESULT, 0, 0, -1,
	       json_pack("{s:[s,s,s]}", "files", "dmesg.txt", "../../../../etc/passwd", "pstore.txt"));
	expect_text(&f, json_deep_copy(request), "/boot-01-attempt-1/dmesg.txt\n[ 1.0] a?b\n==> ");
	expect_text(&f, json_deep_copy(request), "/pstore.txt: No such file");
	expect_text(&f, on_job("log", job), "boot 1 of 7 (parent): kernel log kept\n");
	json_decref(request);
	fixture_close(&f);
}

static void test_log_lines_stay_lines(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);
	_cleanup_json_ json_t *reply = NULL;
	const char *text;
	size_t n_lines = 0;

	happen(&f, job, 1, EVENT_BUILD, EVENT_RESULT, 0, -1, -1,
	       json_pack("{s:s}", "error", "one\ntwo\033[31m\rthree"));
	reply = ask(&f, on_job("log", job));
	text = json_string_value(json_object_get(reply, "text"));
	assert_non_null(text);
	for (const char *c = text; *c; c++)
		n_lines += *c == '\n';
	assert_int_equal(n_lines, 2);
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\r'));
	fixture_close(&f);
}

static json_t *plan_of(struct fixture *f, int64_t job)
{
	_cleanup_json_ json_t *reply = ask(f, on_job("plan", job));
	json_t *plan = json_object_get(reply, "plan");

	assert_non_null(plan);
	return json_incref(plan);
}

static double seconds_of(const json_t *plan, const char *part)
{
	size_t i;
	json_t *step;

	json_array_foreach(json_object_get(plan, "steps"), i, step)
		if (strstr(json_string_value(json_object_get(step, "what")), part))
			return json_number_value(json_object_get(step, "seconds"));
	fail_msg("no step with \"%s\"", part);
	return 0;
}

static void test_plan_assumes_then_learns(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);
	_cleanup_json_ json_t *assumed = plan_of(&f, job), *learned = NULL, *running = NULL;
	double sum = 0;
	size_t i;
	json_t *step;

	assert_int_equal(json_array_size(json_object_get(assumed, "steps")), 13);
	assert_float_equal(seconds_of(assumed, "build parent"), 1800, 1e-9);
	expect_text(&f, on_job("plan", job), "a first build: 30 min 0 s, assumed");
	run_some(&f, job);
	/* 14 processes of 3 s are left in this boot, and no settling. */
	running = plan_of(&f, job);
	assert_float_equal(seconds_of(running, "boot 1 of 7"), 14 * 3, 1e-9);
	job = queue_one(&f);
	learned = plan_of(&f, job);
	assert_float_equal(seconds_of(learned, "build parent"), 400, 1e-9);
	assert_float_equal(seconds_of(learned, "build child"), 20, 1e-9);
	assert_float_equal(seconds_of(learned, "boot 2 of 7 (child)"), 77 + 60 + 18 * 3, 1e-9);
	json_array_foreach(json_object_get(learned, "steps"), i, step)
		sum += json_number_value(json_object_get(step, "seconds"));
	assert_float_equal(json_number_value(json_object_get(learned, "total_s")), sum, 1e-6);
	expect_text(&f, on_job("plan", job), "a reboot: 1 min 17 s, as seen here");
	fixture_close(&f);
}

static void test_ended_job_has_no_plan(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);
	_cleanup_json_ json_t *plan = NULL;

	expect_text(&f, on_job("cancel", job), "cancelled");
	plan = plan_of(&f, job);
	assert_int_equal(json_array_size(json_object_get(plan, "steps")), 0);
	expect_text(&f, on_job("plan", job), "nothing is left to do: it is cancelled");
	fixture_close(&f);
}

/* Without a number: the first that has not ended, else the newest. */
static void test_job_left_out(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t first = queue_one(&f), second = queue_one(&f);

	expect_text(&f, json_pack("{s:s}", "op", "status"), "job 1:");
	expect_text(&f, on_job("cancel", first), "cancelled");
	expect_text(&f, json_pack("{s:s}", "op", "status"), "job 2:");
	expect_text(&f, on_job("cancel", second), "cancelled");
	expect_text(&f, json_pack("{s:s}", "op", "status"), "job 2:");
	fixture_close(&f);
}

static void test_report_of_an_unfinished_job(void **state)
{
	struct fixture f = fixture_open(state);
	int64_t job = queue_one(&f);

	run_some(&f, job);
	expect_text(&f, on_job("report", job), "mm: change it");
	expect_text(&f, json_pack("{s:s, s:I, s:s}", "op", "report", "job", (json_int_t)job, "format",
				  "json"), "\"schema\"");
	expect_error(&f, json_pack("{s:s, s:I, s:s}", "op", "report", "job", (json_int_t)job, "format",
				   "docx"), EINVAL, "docx");
	expect_text(&f, json_pack("{s:s, s:I, s:s}", "op", "report", "job", (json_int_t)job, "format",
				  "html"), "<!DOCTYPE html>");
	expect_error(&f, json_pack("{s:s, s:I, s:s, s:{s:[s], s:s}}", "op", "report", "job",
				   (json_int_t)job, "format", "mail", "mail", "to", "a@kernel.org",
				   "subject_prefix", "mm"), EINVAL, "no result to mail");
	expect_error(&f, json_pack("{s:s, s:I, s:{s:s}}", "op", "report", "job", (json_int_t)job,
				   "mail", "to", "a@kernel.org"), EINVAL, "\"to\" must be a list");
	expect_error(&f, json_pack("{s:s, s:I, s:{s:[i]}}", "op", "report", "job", (json_int_t)job,
				   "mail", "cc", 7), EINVAL, "\"cc\" must hold addresses");
	expect_error(&f, json_pack("{s:s, s:I, s:{s:i}}", "op", "report", "job", (json_int_t)job,
				   "mail", "reply_to", 7), EINVAL, "\"reply_to\" must be text");
	fixture_close(&f);
}

int main(void)
{
#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_queue_pins_commits),
		TEST(test_refused_or_dry_leaves_nothing),
		TEST(test_answers_hold_nothing_a_terminal_obeys),
		TEST(test_hostile_requests),
		TEST(test_cancel_before_it_began_ends_it),
		TEST(test_cancel_of_a_running_job_is_a_wish),
		TEST(test_pause_and_resume),
		TEST(test_status_for_a_second_machine),
		TEST(test_status_and_log_in_words),
		TEST(test_kept_log_of_a_boot),
		TEST(test_log_lines_stay_lines),
		TEST(test_plan_assumes_then_learns),
		TEST(test_ended_job_has_no_plan),
		TEST(test_job_left_out),
		TEST(test_report_of_an_unfinished_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
