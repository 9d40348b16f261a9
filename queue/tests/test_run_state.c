// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fold: what failures leave behind, and events that contradict those before them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "queue/design.h"
#include "queue/tests/scene.h"

#define POINT(n) SCOPE(n, -1, -1, -1)
#define BOOT(n) SCOPE(-1, n, -1, -1)
#define ERROR "{\"error\":\"no luck\"}"

static void test_failures_are_kept(void **unused)
{
	struct scene scene;
	struct run_state *state = &scene.state;

	(void)unused;
	set_up(&scene);
	happened(&scene, EVENT_CONFIGURE, EVENT_RESULT, JOB_SCOPE, ERROR);
	assert_string_equal(state->configure_error, "no luck");
	assert_false(state->is_configured);
	happened(&scene, EVENT_BUILD, EVENT_INTENT, POINT(0), "{}");
	assert_int_equal(state->points[0].phase, POINT_RESOLVED);
	happened(&scene, EVENT_INSTALL, EVENT_INTENT, POINT(0), "{}");
	assert_true(state->has_entries); /* perhaps: it must be looked for */
	happened(&scene, EVENT_INSTALL, EVENT_RESULT, POINT(0), ERROR);
	assert_string_equal(state->points[0].failure, "no luck");
	happened(&scene, EVENT_DISARM, EVENT_RESULT, JOB_SCOPE, "{}");
	happened(&scene, EVENT_RETURN, EVENT_RESULT, JOB_SCOPE, ERROR);
	assert_int_equal(state->return_failures, 1);
	happened(&scene, EVENT_REMOVE, EVENT_INTENT, JOB_SCOPE, "{}");
	happened(&scene, EVENT_REMOVE, EVENT_RESULT, JOB_SCOPE, ERROR);
	assert_int_equal(state->remove_failures, 1);
	assert_string_equal(state->remove_error, "no luck");
	run_state_done(state);
	run_state_done(NULL);
}

/* What never began is queued again when it is resumed, however often it was paused. */
static void test_a_queued_job_is_paused_and_resumed(void **unused)
{
	struct scene scene;
	struct run_state *state = &scene.state;

	(void)unused;
	set_up(&scene);
	assert_int_equal(state->status, JOB_QUEUED);
	happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"r\"}");
	happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"r\"}");
	happened(&scene, EVENT_RESUME, EVENT_NOTE, JOB_SCOPE, "{\"by\":\"root\"}");
	assert_int_equal(state->status, JOB_QUEUED);
	run_state_done(state);
}

static void test_failures_of_a_boot_are_kept(void **unused)
{
	struct scene scene;
	struct boot_state *boot;

	(void)unused;
	prepared(&scene);
	hop(&scene, 0, 0, 1, "t");
	boot = &scene.state.boots[0];
	happened(&scene, EVENT_REBOOT, EVENT_INTENT, BOOT(0), "{}");
	assert_int_equal(boot->n_reboot_asks, 0);
	happened(&scene, EVENT_REBOOT, EVENT_RESULT, BOOT(0), ERROR);
	assert_int_equal(boot->reboot_failures, 1);
	running(&scene, "boot-1", PARENT_ID, "t");
	came_up(&scene, 0, "expected");
	happened(&scene, EVENT_PROFILE, EVENT_INTENT, BOOT(0), "{\"saved\":{\"knob\":\"true\"}}");
	/* Tried again after a crash: the first "saved" is the true one. */
	happened(&scene, EVENT_PROFILE, EVENT_INTENT, BOOT(0), "{\"saved\":{\"knob\":\"ours\"}}");
	assert_string_equal(json_string_value(json_object_get(scene.state.profile_saved, "knob")),
			    "true");
	happened(&scene, EVENT_PROFILE, EVENT_RESULT, BOOT(0), ERROR);
	assert_string_equal(boot->error, "no luck");
	assert_int_equal(boot->phase, BOOT_VERIFIED);
	happened(&scene, EVENT_MEASURE, EVENT_INTENT, SCOPE(-1, 0, -1, 0), "{}");
	happened(&scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, 0, -1, 0), ERROR);
	assert_int_equal(boot->n_processes, 0);
	happened(&scene, EVENT_RESTORE, EVENT_INTENT, BOOT(0), "{}");
	assert_true(scene.state.is_profile_open);
	run_state_done(&scene.state);
}

static void test_fall_backs_in_a_row_pause(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	assert_int_equal(scene.state.job.boot.max_attempts, 2);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, BOOT(0), "{}");
	measured(&scene, 1, 1, "boot-2", CHILD_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, BOOT(1), "{}");
	for (int attempt = 1; attempt <= 3; attempt++) {
		hop(&scene, 0, 2, attempt, "t");
		running(&scene, attempt % 2 ? "boot-3" : "boot-4", DEFAULT_ID, "");
		came_up(&scene, 2, "fell-back");
		assert_int_equal(scene.state.consecutive_fallbacks, attempt);
		expect(&scene, attempt < 3 ? ACTION_HOP : ACTION_PAUSE);
	}
	assert_non_null(strstr(plan(&scene).reason, "look at the machine"));
	happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"three\"}");
	happened(&scene, EVENT_RESUME, EVENT_NOTE, JOB_SCOPE, "{}");
	happened(&scene, EVENT_BEGIN, EVENT_NOTE, JOB_SCOPE, "{\"build_id\":\"" DEFAULT_ID "\"}");
	expect(&scene, ACTION_HOP);
	run_state_done(&scene.state);
}

static void test_contradicting_events_are_refused(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	refused(&scene, EVENT_VERIFY, EVENT_RESULT, BOOT(0), "{}", "not asked for");
	refused(&scene, EVENT_HOP, EVENT_INTENT, SCOPE(0, 5, 1, -1), "{}", "boot 0 is next");
	refused(&scene, EVENT_HOP, EVENT_INTENT, SCOPE(7, 0, 1, -1), "{}", "no point");
	refused(&scene, EVENT_BUILD, EVENT_RESULT, POINT(2), "{}", "no point");
	refused(&scene, EVENT_INSTALL, EVENT_RESULT, POINT(-1), "{}", "no point");
	refused(&scene, EVENT_PROFILE, EVENT_RESULT, BOOT(0), "{}", "no boot");
	refused(&scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, 3, -1, 0), "{}", "no boot");
	refused(&scene, EVENT_SUBMITTED, EVENT_NOTE, JOB_SCOPE, "{\"job\":{\"nmae\":1}}", "nmae");
	refused(&scene, EVENT_KIND_COUNT, EVENT_NOTE, JOB_SCOPE, "{}", "unknown kind");
	hop(&scene, 0, 0, 1, "t");
	refused(&scene, EVENT_HOP, EVENT_INTENT, SCOPE(0, 0, 2, -1), "{}", "needs no boot");
	running(&scene, "boot-1", PARENT_ID, "t");
	came_up(&scene, 0, "expected");
	refused(&scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, 0, -1, 1), "{}", "0 was due");
	happened(&scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, 0, -1, 0), "{}");
	refused(&scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, 0, -1, 1),
		"{\"value\":\"much\"}", "no measured value");
	refused(&scene, EVENT_END, EVENT_NOTE, JOB_SCOPE, "{\"status\":\"paused\"}",
		"unknown way");
	happened(&scene, EVENT_END, EVENT_NOTE, JOB_SCOPE, "{\"status\":\"failed\"}");
	refused(&scene, EVENT_CANCEL, EVENT_NOTE, JOB_SCOPE, "{}", "after the job's end");
	run_state_done(&scene.state);
}

/* The fold of a list, whole or not at all. */
static void test_fold(void **unused)
{
	struct event events[2];
	struct event_list list = { .events = events, .n_events = 2 };
	struct run_state state;
	struct error err = { 0 };

	(void)unused;
	event_init(&events[0], 1, EVENT_CANCEL, EVENT_NOTE);
	event_init(&events[1], 1, EVENT_VERIFY, EVENT_RESULT);
	memset(&state, 0x5a, sizeof(state));
	assert_int_equal(run_state_fold(&state, &list, &err), -EBADMSG);
	assert_int_equal(((const unsigned char *)&state)[0], 0x5a);
	list.n_events = 1;
	assert_int_equal(run_state_fold(&state, &list, &err), 0);
	assert_true(state.is_cancel_requested);
	run_state_done(&state);
	event_done(&events[0]);
	event_done(&events[1]);
}

/* Distinct words: they are written into the store, and read back by people. */
static void test_names(void **unused)
{
	(void)unused;
	for (enum action_kind a = ACTION_IDLE; a <= ACTION_END; a++)
		for (enum action_kind b = ACTION_IDLE; b <= ACTION_END; b++)
			assert_int_equal(strcmp(action_kind_name(a), action_kind_name(b)) == 0, a == b);
	for (enum job_status a = JOB_QUEUED; a <= JOB_CANCELLED; a++)
		for (enum job_status b = JOB_QUEUED; b <= JOB_CANCELLED; b++)
			assert_int_equal(strcmp(job_status_name(a), job_status_name(b)) == 0, a == b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failures_are_kept),
		cmocka_unit_test(test_a_queued_job_is_paused_and_resumed),
		cmocka_unit_test(test_failures_of_a_boot_are_kept),
		cmocka_unit_test(test_fall_backs_in_a_row_pause),
		cmocka_unit_test(test_contradicting_events_are_refused),
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
