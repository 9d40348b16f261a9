// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bisection as run state and design: what its events may say, what comes next, and how
 * its outlook and its end are put. Whole searches are tests/crash_bisect.c's.
 */
#include <errno.h>
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
#include "queue/design.h"

#define COMMITS 16

static struct job make_job(void)
{
	struct job job;

	job_init(&job);
	job.design = JOB_DESIGN_BISECT;
	job.measure.warmups = 0;
	job.measure.processes = 1;
	job.boot.max_reboots = 400;
	assert_int_equal(job_add_point(&job, "good", "v1", NULL), 0);
	assert_int_equal(job_add_point(&job, "bad", "v2", NULL), 0);
	return job;
}

static int apply(struct run_state *state, enum event_kind kind, enum event_phase phase, int point,
		 int boot, json_t *data, struct error *err)
{
	struct event event;
	int r;

	event_init(&event, 1, kind, phase);
	event.point = point;
	event.boot = boot;
	event.process = 0;
	json_decref(event.data);
	event.data = data;
	r = run_state_apply(state, &event, err);
	event_done(&event);
	return r;
}

static json_t *line(size_t n)
{
	_cleanup_text_ struct text_buffer ids = { 0 };

	for (size_t i = 0; i <= n; i++)
		text_printf(&ids, "%040zx", i + 1);
	return json_pack("{s:s, s:[i]}", "ids", ids.text, "heavy", 3);
}

static void set_up(struct run_state *state)
{
	struct job job = make_job();

	run_state_init(state);
	assert_int_equal(apply(state, EVENT_SUBMITTED, EVENT_NOTE, -1, -1,
			       json_pack("{s:o}", "job", job_to_json(&job)), NULL), 0);
	job_done(&job);
	assert_int_equal(apply(state, EVENT_RANGE, EVENT_RESULT, -1, -1, line(COMMITS), NULL), 0);
}

static int select_commit(struct run_state *state, size_t index, struct error *err)
{
	return apply(state, EVENT_SELECT, EVENT_RESULT, (int)state->job.n_points, -1,
		     json_pack("{s:I, s:s, s:s}", "index", (json_int_t)index, "tree", "", "title", "a title"),
		     err);
}

static void built(struct run_state *state, int point, const char *code)
{
	assert_int_equal(apply(state, EVENT_BUILD, EVENT_RESULT, point, -1,
			       json_pack("{s:s}", "code_id", code), NULL), 0);
}

/* Boot, whole, of the next boot's point. */
static void measured(struct run_state *state, int point, double value)
{
	int boot = state->n_boots;

	assert_int_equal(apply(state, EVENT_HOP, EVENT_INTENT, point, boot, json_object(), NULL), 0);
	assert_int_equal(apply(state, EVENT_VERIFY, EVENT_RESULT, point, boot,
			       json_pack("{s:s, s:s}", "verdict", "expected", "boot_id", "b"), NULL), 0);
	assert_int_equal(apply(state, EVENT_MEASURE, EVENT_RESULT, point, boot,
			       json_pack("{s:s, s:f}", "status", "ok", "value", value), NULL), 0);
}

static void through_gate(struct run_state *state)
{
	for (int i = 0; i < 6; i++) {
		struct design_answer answer = design_bisect.next(state);

		assert_int_equal(answer.kind, DESIGN_BOOT);
		assert_int_equal(answer.point, design_bisect.point(&state->job, i));
		measured(state, answer.point, answer.point == BISECT_BAD ? 110 + .1 * i : 100 + .1 * i);
	}
}

static void test_ends_first_then_the_middle(void **unused)
{
	_cleanup_(run_state_done) struct run_state state;
	struct design_answer answer;

	(void)unused;
	set_up(&state);
	assert_int_equal(state.points[BISECT_BAD].commit_index, COMMITS);
	built(&state, 0, "a");
	built(&state, 1, "b");
	through_gate(&state);
	answer = design_bisect.next(&state);
	assert_int_equal(answer.kind, DESIGN_SELECT);
	assert_in_range(answer.commit, 1, COMMITS - 1);
	assert_int_equal(select_commit(&state, answer.commit, NULL), 0);
	assert_int_equal(design_bisect.next(&state).kind, DESIGN_BOOT);
	assert_int_equal(design_bisect.next(&state).point, 2);
	assert_string_equal(state.job.points[2].title, "a title");
	assert_true(bisect_outlook_make(&state).builds_left >= 2);
}

static void test_equal_code_is_not_booted(void **unused)
{
	_cleanup_(run_state_done) struct run_state state;
	size_t commit;

	(void)unused;
	set_up(&state);
	built(&state, 0, "a");
	built(&state, 1, "b");
	through_gate(&state);
	commit = design_bisect.next(&state).commit;
	assert_int_equal(select_commit(&state, commit, NULL), 0);
	built(&state, 2, "a");
	/* As good as good: the change is after it, and what lies before is never asked for. */
	assert_int_equal(design_bisect.next(&state).kind, DESIGN_SELECT);
	assert_true(design_bisect.next(&state).commit > commit);
	assert_int_equal(state.n_boots, 6);
}

static void test_ends_of_equal_code_end_it(void **unused)
{
	_cleanup_(run_state_done) struct run_state state;
	char words[256];

	(void)unused;
	set_up(&state);
	built(&state, 0, "a");
	built(&state, 1, "a");
	measured(&state, BISECT_GOOD, 100);
	assert_int_equal(design_bisect.next(&state).kind, DESIGN_CONCLUDED);
	bisect_say_end(&state, words, sizeof(words));
	assert_non_null(strstr(words, "the same kernel"));
}

static void test_failed_build_is_passed_over(void **unused)
{
	_cleanup_(run_state_done) struct run_state state;
	size_t commit;

	(void)unused;
	set_up(&state);
	built(&state, 0, "a");
	built(&state, 1, "b");
	through_gate(&state);
	commit = design_bisect.next(&state).commit;
	assert_int_equal(select_commit(&state, commit, NULL), 0);
	assert_int_equal(apply(&state, EVENT_BUILD, EVENT_RESULT, 2, -1,
			       json_pack("{s:s, s:b}", "error", "no such header", "of_commit", 1), NULL), 0);
	assert_true(state.points[2].is_passed_over);
	assert_int_equal(design_bisect.next(&state).kind, DESIGN_SELECT);
	assert_int_not_equal(design_bisect.next(&state).commit, commit);
}

static void test_contradictions_are_refused(void **unused)
{
	_cleanup_(run_state_done) struct run_state state;
	struct error err = { 0 };

	(void)unused;
	set_up(&state);
	assert_int_equal(apply(&state, EVENT_RANGE, EVENT_RESULT, -1, -1, line(3), &err), -EBADMSG);
	assert_int_equal(select_commit(&state, 0, &err), -EBADMSG);
	assert_int_equal(select_commit(&state, COMMITS, &err), -EBADMSG);
	assert_int_equal(select_commit(&state, 5, &err), 0);
	assert_int_equal(select_commit(&state, 5, &err), -EBADMSG);
	measured(&state, BISECT_GOOD, 100);
	assert_int_equal(apply(&state, EVENT_SKIP, EVENT_NOTE, 0, 0, json_object(), &err), -EBADMSG);
}

static void test_lines_that_are_none(void **unused)
{
	static const char *const lines[] = { "", "0123", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
					     "0123456789012345678901234567890123456789" };

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_(run_state_done) struct run_state state;
		struct job job = make_job();

		run_state_init(&state);
		assert_int_equal(apply(&state, EVENT_SUBMITTED, EVENT_NOTE, -1, -1,
				       json_pack("{s:o}", "job", job_to_json(&job)), NULL), 0);
		job_done(&job);
		assert_int_equal(apply(&state, EVENT_RANGE, EVENT_RESULT, -1, -1,
				       json_pack("{s:s}", "ids", lines[i]), NULL), -EBADMSG);
	}
}

static void assert_refused(struct job *job, const char *words)
{
	struct error err = { 0 };

	assert_true(job_validate(job, false, &err) < 0);
	if (!strstr(err.text, words))
		fail_msg("%s", err.text);
}

static void test_validation(void **unused)
{
	struct job job = make_job();
	struct error err = { 0 };

	(void)unused;
	job.name = text_duplicate("x");
	assert_int_equal(job_validate(&job, false, &err), 0);
	job.boot.max_reboots = 40;
	assert_refused(&job, "may take a hundred");
	job.boot.max_reboots = 400;
	job.threshold_pct = 0;
	assert_refused(&job, "threshold above 0");
	job.threshold_pct = 2;
	job.is_exact = true;
	assert_refused(&job, "leave job.exactly out");
	job.is_exact = false;
	assert_int_equal(job_changes_add(&job.points[1].changes, JOB_CHANGE_CMDLINE, "quiet", NULL, NULL), 0);
	assert_refused(&job, "commits as they are");
	job_changes_done(&job.points[1].changes);
	assert_int_equal(job_add_point(&job, "third", "v3", NULL), 0);
	assert_refused(&job, "has two points");
	job_done(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_first_then_the_middle),
		cmocka_unit_test(test_equal_code_is_not_booted),
		cmocka_unit_test(test_ends_of_equal_code_end_it),
		cmocka_unit_test(test_failed_build_is_passed_over),
		cmocka_unit_test(test_contradictions_are_refused),
		cmocka_unit_test(test_lines_that_are_none),
		cmocka_unit_test(test_validation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
