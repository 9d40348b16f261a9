// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The planner and the fold, decision by decision: events written by hand, then the one
 * action that must follow. Whole jobs with crashes are in tests/crash_matrix.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "queue/design.h"
#include "queue/job_key.h"
#include "queue/tests/scene.h"

static void test_prepares_in_order(void **unused)
{
	struct scene scene;

	(void)unused;
	set_up(&scene);
	expect(&scene, ACTION_BEGIN);
	happened(&scene, EVENT_BEGIN, EVENT_NOTE, JOB_SCOPE,
		 "{\"build_id\":\"" DEFAULT_ID "\"}");
	expect(&scene, ACTION_CONFIGURE);
	happened(&scene, EVENT_CONFIGURE, EVENT_INTENT, JOB_SCOPE, "{}");
	expect(&scene, ACTION_CONFIGURE); /* an intent without a result: once more */
	happened(&scene, EVENT_CONFIGURE, EVENT_RESULT, JOB_SCOPE, "{}");
	expect(&scene, ACTION_BUILD);
	assert_int_equal(plan(&scene).point, 0);
	happened(&scene, EVENT_BUILD, EVENT_RESULT, SCOPE(0, -1, -1, -1), "{}");
	assert_int_equal(plan(&scene).point, 1);
	happened(&scene, EVENT_BUILD, EVENT_RESULT, SCOPE(1, -1, -1, -1), "{}");
	expect(&scene, ACTION_INSTALL);
	running(&scene, "boot-1", PARENT_ID, "t");
	expect(&scene, ACTION_RETURN); /* never on a kernel under test */
	run_state_done(&scene.state);
}

static void test_sandwich_is_parent_child_parent(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	expect(&scene, ACTION_HOP);
	assert_int_equal(plan(&scene).point, 0);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	expect(&scene, ACTION_RESTORE);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	expect(&scene, ACTION_HOP); /* straight from the parent's kernel */
	assert_int_equal(plan(&scene).point, 1);
	assert_int_equal(plan(&scene).boot, 1);
	measured(&scene, 1, 1, "boot-2", CHILD_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 1, -1, -1), "{}");
	assert_int_equal(plan(&scene).point, 0);
	measured(&scene, 0, 2, "boot-3", PARENT_ID);
	expect(&scene, ACTION_RESTORE);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 2, -1, -1), "{}");
	expect(&scene, ACTION_RETURN);
	running(&scene, "boot-4", DEFAULT_ID, "");
	expect(&scene, ACTION_REMOVE);
	happened(&scene, EVENT_REMOVE, EVENT_RESULT, JOB_SCOPE, "{}");
	expect(&scene, ACTION_END);
	assert_int_equal(plan(&scene).status, JOB_DONE);
	assert_int_equal(scene.state.boots[2].benches[0].n_values, 2); /* the warm-up is none */
	run_state_done(&scene.state);
}

/* After the measured processes of every boot, the last one too; twice at most; never a failure. */
static void test_diagnosis_comes_after_the_measurement(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	assert_int_equal(job_list_append(&scene.state.job.measure.diagnoses, "perf", NULL), 0);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	expect(&scene, ACTION_DIAGNOSE);
	happened(&scene, EVENT_DIAGNOSE, EVENT_INTENT, SCOPE(-1, 0, -1, -1), "{}");
	expect(&scene, ACTION_DIAGNOSE); /* the daemon died of it, perhaps */
	happened(&scene, EVENT_DIAGNOSE, EVENT_INTENT, SCOPE(-1, 0, -1, -1), "{}");
	expect(&scene, ACTION_RESTORE);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	measured(&scene, 1, 1, "boot-2", CHILD_ID);
	expect(&scene, ACTION_DIAGNOSE);
	happened(&scene, EVENT_DIAGNOSE, EVENT_INTENT, SCOPE(-1, 1, -1, -1), "{}");
	happened(&scene, EVENT_DIAGNOSE, EVENT_RESULT, SCOPE(-1, 1, -1, -1), "{\"error\":\"no\"}");
	expect(&scene, ACTION_RESTORE);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 1, -1, -1), "{}");
	measured(&scene, 0, 2, "boot-3", PARENT_ID);
	expect(&scene, ACTION_DIAGNOSE);
	running(&scene, "boot-4", DEFAULT_ID, ""); /* it took the machine down: nothing is lost */
	expect(&scene, ACTION_REMOVE);
	refused(&scene, EVENT_DIAGNOSE, EVENT_RESULT, SCOPE(-1, 7, -1, -1), "{}", "no boot");
	run_state_done(&scene.state);
}

/* Before a boot is left, wherever it goes from there; twice at most; never a failure. */
static void test_evidence_before_a_boot_is_left(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	scene.asks_for_evidence = true;
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	expect(&scene, ACTION_RESTORE);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	expect(&scene, ACTION_EVIDENCE);
	assert_int_equal(plan(&scene).boot, 0);
	assert_int_equal(plan(&scene).attempt, 1);
	happened(&scene, EVENT_EVIDENCE, EVENT_INTENT, SCOPE(0, 0, 1, -1), "{}");
	expect(&scene, ACTION_EVIDENCE); /* the daemon died of it, perhaps */
	happened(&scene, EVENT_EVIDENCE, EVENT_INTENT, SCOPE(0, 0, 1, -1), "{}");
	expect(&scene, ACTION_HOP);
	measured(&scene, 1, 1, "boot-2", CHILD_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 1, -1, -1), "{}");
	/* Cancelled: also before the default is booted, but with no one-shot left armed. */
	happened(&scene, EVENT_CANCEL, EVENT_NOTE, JOB_SCOPE, "{\"by\":\"root\"}");
	armed(&scene, "t9");
	expect(&scene, ACTION_DISARM);
	armed(&scene, "");
	expect(&scene, ACTION_EVIDENCE);
	happened(&scene, EVENT_EVIDENCE, EVENT_RESULT, SCOPE(1, 1, 1, -1), "{\"error\":\"no\"}");
	expect(&scene, ACTION_RETURN);
	refused(&scene, EVENT_EVIDENCE, EVENT_RESULT, SCOPE(-1, 7, -1, -1), "{}", "no boot");
	run_state_done(&scene.state);
}

/* Each attempt's own, before the next crash; and the job's end says what was found. */
static void test_evidence_of_a_boot_that_fell_back(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	scene.asks_for_evidence = true;
	for (int attempt = 1; attempt <= 2; attempt++) {
		expect(&scene, ACTION_HOP);
		hop(&scene, 0, 0, attempt, "t1");
		running(&scene, attempt == 1 ? "boot-2" : "boot-3", DEFAULT_ID, "");
		expect(&scene, ACTION_VERIFY);
		came_up(&scene, 0, "fell-back");
		expect(&scene, ACTION_EVIDENCE);
		assert_int_equal(plan(&scene).attempt, attempt);
		happened(&scene, EVENT_EVIDENCE, EVENT_RESULT, SCOPE(0, 0, attempt, -1),
			 attempt == 1 ? "{\"crash\":\"it panicked: no init\"}" : "{}");
	}
	expect(&scene, ACTION_REMOVE);
	assert_int_equal(plan(&scene).status, JOB_FAILED);
	assert_string_equal(plan(&scene).reason,
			    "boot 1 (parent) came back in the default kernel 2 times: it panicked: no init");
	run_state_done(&scene.state);
}

/* It came up, and died while it was measured. One that was never armed left nothing. */
static void test_evidence_of_a_boot_that_was_lost(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	scene.asks_for_evidence = true;
	scene.state.job.boot.max_attempts = 1;
	hop(&scene, 0, 0, 1, "t1");
	running(&scene, "boot-1", PARENT_ID, "t1");
	came_up(&scene, 0, "expected");
	expect(&scene, ACTION_PROFILE); /* never before it is measured */
	running(&scene, "boot-2", DEFAULT_ID, "");
	expect(&scene, ACTION_EVIDENCE);
	happened(&scene, EVENT_EVIDENCE, EVENT_RESULT, SCOPE(0, 0, 1, -1),
		 "{\"crash\":\"the watchdog (watchdog0) reset it\"}");
	expect(&scene, ACTION_REMOVE);
	assert_non_null(strstr(plan(&scene).reason, "1 times in all: the watchdog"));
	run_state_done(&scene.state);

	prepared(&scene);
	scene.asks_for_evidence = true;
	happened(&scene, EVENT_HOP, EVENT_INTENT, SCOPE(0, 0, 1, -1),
		 "{\"token\":\"t\",\"from_boot_id\":\"boot-0\"}");
	running(&scene, "boot-1", DEFAULT_ID, "");
	came_up(&scene, 0, "fell-back");
	expect(&scene, ACTION_HOP);
	run_state_done(&scene.state);
}

static void test_hop_arms_then_reboots_then_verifies(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	hop(&scene, 0, 0, 1, "token-1");
	expect(&scene, ACTION_ARM);
	armed(&scene, "somebody-else");
	expect(&scene, ACTION_ARM);
	armed(&scene, "token-1");
	expect(&scene, ACTION_REBOOT);
	happened(&scene, EVENT_REBOOT, EVENT_RESULT, SCOPE(0, 0, 1, -1), "{}");
	expect(&scene, ACTION_IDLE); /* it is going down */
	scene.seen.now_s += 181;
	expect(&scene, ACTION_REBOOT); /* it did not */
	running(&scene, "boot-1", PARENT_ID, "token-1");
	armed(&scene, "");
	expect(&scene, ACTION_VERIFY);
	came_up(&scene, 0, "expected");
	expect(&scene, ACTION_PROFILE);
	scene.seen.uptime_s = 20;
	expect(&scene, ACTION_IDLE); /* settling */
	assert_int_equal(plan(&scene).wake_at_s, scene.seen.now_s + 40);
	scene.seen.uptime_s = 61;
	scene.seen.is_system_ready = false;
	expect(&scene, ACTION_IDLE);
	run_state_done(&scene.state);
}

static void test_fall_back_is_tried_again_then_given_up(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	hop(&scene, 1, 1, 1, "t1");
	running(&scene, "boot-2", DEFAULT_ID, "");
	came_up(&scene, 1, "fell-back");
	expect(&scene, ACTION_HOP);
	assert_int_equal(plan(&scene).boot, 1);
	assert_int_equal(plan(&scene).attempt, 2);
	hop(&scene, 1, 1, 2, "t2");
	running(&scene, "boot-3", DEFAULT_ID, "");
	came_up(&scene, 1, "fell-back");
	expect(&scene, ACTION_REMOVE);
	happened(&scene, EVENT_REMOVE, EVENT_RESULT, JOB_SCOPE, "{}");
	expect(&scene, ACTION_END);
	assert_int_equal(plan(&scene).status, JOB_FAILED);
	run_state_done(&scene.state);
}

static void test_power_cut_while_measuring_measures_the_boot_anew(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	hop(&scene, 0, 0, 1, "t1");
	running(&scene, "boot-1", PARENT_ID, "t1");
	came_up(&scene, 0, "expected");
	happened(&scene, EVENT_PROFILE, EVENT_INTENT, SCOPE(0, 0, 1, -1), "{\"saved\":{}}");
	happened(&scene, EVENT_PROFILE, EVENT_RESULT, SCOPE(0, 0, 1, -1), "{\"in_force\":{}}");
	happened(&scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(0, 0, 1, 0),
		 "{\"status\":\"ok\",\"value\":1}");
	happened(&scene, EVENT_MEASURE, EVENT_INTENT, SCOPE(0, 0, 1, 1), "{}");
	expect(&scene, ACTION_MEASURE); /* only the daemon died */
	assert_int_equal(plan(&scene).process, 1);
	running(&scene, "boot-2", DEFAULT_ID, ""); /* the machine died */
	expect(&scene, ACTION_HOP);
	assert_int_equal(plan(&scene).attempt, 2);
	hop(&scene, 0, 0, 2, "t2");
	assert_int_equal(scene.state.boots[0].n_processes, 0);
	running(&scene, "boot-3", PARENT_ID, "t2");
	came_up(&scene, 0, "expected");
	running(&scene, "boot-4", DEFAULT_ID, "");
	expect(&scene, ACTION_REMOVE); /* twice: it does not stay up */
	assert_int_equal(plan(&scene).status, JOB_FAILED);
	run_state_done(&scene.state);
}

static void test_one_shot_left_armed_is_disarmed_and_pauses(void **unused)
{
	static const char *const verdicts[] = { "not-taken", "not-cleared", "wrong-kernel" };

	(void)unused;
	for (size_t i = 0; i < 3; i++) {
		struct scene scene;

		prepared(&scene);
		hop(&scene, 0, 0, 1, "t1");
		running(&scene, "boot-1", DEFAULT_ID, "");
		armed(&scene, "t1");
		came_up(&scene, 0, verdicts[i]);
		expect(&scene, ACTION_DISARM);
		armed(&scene, "");
		expect(&scene, ACTION_PAUSE);
		happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"r\"}");
		expect(&scene, ACTION_IDLE);
		happened(&scene, EVENT_RESUME, EVENT_NOTE, JOB_SCOPE, "{\"by\":\"root\"}");
		expect(&scene, ACTION_BEGIN);
		run_state_done(&scene.state);
	}
}

static void test_ending_leaves_the_machine_clean(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_CANCEL, EVENT_NOTE, JOB_SCOPE, "{\"by\":\"root\"}");
	armed(&scene, "t2");
	expect(&scene, ACTION_RESTORE);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	expect(&scene, ACTION_DISARM);
	armed(&scene, "");
	expect(&scene, ACTION_RETURN);
	happened(&scene, EVENT_RETURN, EVENT_INTENT, JOB_SCOPE, "{}");
	happened(&scene, EVENT_RETURN, EVENT_RESULT, JOB_SCOPE, "{}");
	expect(&scene, ACTION_IDLE);
	running(&scene, "boot-2", DEFAULT_ID, "");
	expect(&scene, ACTION_REMOVE);
	happened(&scene, EVENT_REMOVE, EVENT_RESULT, JOB_SCOPE, "{}");
	expect(&scene, ACTION_END);
	assert_int_equal(plan(&scene).status, JOB_CANCELLED);
	happened(&scene, EVENT_END, EVENT_NOTE, JOB_SCOPE,
		 "{\"status\":\"cancelled\",\"reason\":\"\"}");
	expect(&scene, ACTION_IDLE);
	run_state_done(&scene.state);
}

static void test_failures_end_the_job(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	hop(&scene, 0, 0, 1, "t1");
	happened(&scene, EVENT_ARM, EVENT_RESULT, SCOPE(0, 0, 1, -1), "{\"error\":\"no\"}");
	expect(&scene, ACTION_REMOVE);
	assert_int_equal(plan(&scene).status, JOB_FAILED);
	run_state_done(&scene.state);

	set_up(&scene);
	happened(&scene, EVENT_BEGIN, EVENT_NOTE, JOB_SCOPE, "{\"build_id\":\"" DEFAULT_ID "\"}");
	happened(&scene, EVENT_CONFIGURE, EVENT_RESULT, JOB_SCOPE, "{}");
	happened(&scene, EVENT_BUILD, EVENT_RESULT, SCOPE(0, -1, -1, -1),
		 "{\"error\":\"mm/mprotect.c:1: error\"}");
	expect(&scene, ACTION_END);
	assert_non_null(strstr(plan(&scene).reason, "mm/mprotect.c:1"));
	run_state_done(&scene.state);
}

static void test_gates_make_the_job_invalid(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	hop(&scene, 1, 1, 1, "t");
	running(&scene, "boot-2", CHILD_ID, "t");
	came_up(&scene, 1, "expected");
	happened(&scene, EVENT_PROFILE, EVENT_RESULT, SCOPE(-1, 1, -1, -1),
		 "{\"in_force\":{\"governor\":\"powersave\"}}");
	expect(&scene, ACTION_RETURN);
	assert_int_equal(plan(&scene).status, JOB_INVALID);
	run_state_done(&scene.state);

	prepared(&scene);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	hop(&scene, 1, 1, 1, "t");
	running(&scene, "boot-2", CHILD_ID, "t");
	came_up(&scene, 1, "expected");
	happened(&scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, 1, -1, 0),
		 "{\"status\":\"unexpected\",\"reason\":\"huge page\"}");
	expect(&scene, ACTION_RETURN);
	assert_int_equal(plan(&scene).status, JOB_INVALID);
	run_state_done(&scene.state);
}

/* A warm-up and a process of each of two workloads, in turns; @results[i] of workload i. */
static void measured_two(struct scene *scene, int boot, const char *const *results)
{
	static const char *const boot_ids[] = { "boot-1", "boot-2", "boot-3" };

	hop(scene, boot % 2, boot, 1, "t");
	running(scene, boot_ids[boot], boot % 2 ? CHILD_ID : PARENT_ID, "t");
	came_up(scene, boot, "expected");
	happened(scene, EVENT_PROFILE, EVENT_RESULT, SCOPE(-1, boot, -1, -1), "{\"in_force\":{}}");
	for (int i = 0; i < 4 && plan(scene).kind == ACTION_MEASURE; i++)
		happened(scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, boot, -1, i),
			 results[job_process_at(&scene->state.job, boot, i).bench]);
}

static void two_workloads(struct scene *scene)
{
	prepared(scene);
	assert_int_equal(job_add_bench(&scene->state.job, "toggle", "mprotect-toggle", NULL), 0);
	assert_int_equal(job_add_bench(&scene->state.job, "pmd", "mprotect-pmd", NULL), 0);
	scene->state.job.measure.processes = 1;
}

#define GOOD "{\"status\":\"ok\",\"value\":5.5}"
#define SMALL_PAGE "{\"status\":\"unexpected\",\"reason\":\"a small page\"}"

static void test_a_failed_gate_is_of_its_workload_only(void **unused)
{
	static const char *const both[] = { GOOD, GOOD };
	static const char *const first_only[] = { GOOD, SMALL_PAGE };
	static const char *const none[] = { SMALL_PAGE, SMALL_PAGE };
	struct scene scene;

	(void)unused;
	two_workloads(&scene);
	for (int boot = 0; boot < 3; boot++) {
		measured_two(&scene, boot, boot == 1 ? first_only : both);
		assert_true(boot_state_is_complete(&scene.state.boots[boot]));
	}
	assert_int_equal(run_state_bench_fault(&scene.state, 1), 1);
	assert_int_equal(run_state_bench_fault(&scene.state, 0), -1);
	assert_int_equal(scene.state.boots[1].benches[0].n_values, 1);
	expect(&scene, ACTION_RETURN);
	assert_int_equal(plan(&scene).status, JOB_DONE);
	run_state_done(&scene.state);

	two_workloads(&scene);
	measured_two(&scene, 0, none);
	/* Not measured any further. */
	assert_true(scene.state.boots[0].n_processes < 4);
	expect(&scene, ACTION_RETURN);
	assert_int_equal(plan(&scene).status, JOB_INVALID);
	assert_string_equal(plan(&scene).reason,
			    "boot 1 (parent): each workload failed a gate, the first so: a small page");
	run_state_done(&scene.state);
}

/* The boot that counts is the last attempt. */
static void test_a_boot_tried_again_has_its_gates_anew(void **unused)
{
	struct scene scene;

	(void)unused;
	two_workloads(&scene);
	hop(&scene, 0, 0, 1, "t");
	running(&scene, "boot-1", PARENT_ID, "t");
	came_up(&scene, 0, "expected");
	happened(&scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, 0, -1, 0), SMALL_PAGE);
	assert_int_equal(run_state_valid_bench(&scene.state), 1);
	running(&scene, "boot-2", DEFAULT_ID, "");
	hop(&scene, 0, 0, 2, "t2");
	assert_int_equal(run_state_valid_bench(&scene.state), 0);
	run_state_done(&scene.state);
}

static void test_pause_finds_a_safe_place_and_costs_no_attempt(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	hop(&scene, 0, 0, 1, "t1");
	running(&scene, "boot-1", PARENT_ID, "t1");
	came_up(&scene, 0, "expected");
	happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"asked\"}");
	expect(&scene, ACTION_RETURN);
	running(&scene, "boot-2", DEFAULT_ID, "");
	expect(&scene, ACTION_IDLE);
	happened(&scene, EVENT_RESUME, EVENT_NOTE, JOB_SCOPE, "{\"by\":\"root\"}");
	happened(&scene, EVENT_BEGIN, EVENT_NOTE, JOB_SCOPE, "{\"build_id\":\"" DEFAULT_ID "\"}");
	expect(&scene, ACTION_HOP);
	hop(&scene, 0, 0, 2, "t2");
	assert_int_equal(scene.state.boots[0].failures, 0);
	run_state_done(&scene.state);
}

static void test_held_or_strange_machine_is_left_alone(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	scene.seen.is_held = true;
	expect(&scene, ACTION_IDLE);
	assert_int_equal(plan(&scene).wake_at_s, NOW_S + 30); /* is it over? */
	scene.seen.is_held = false;
	running(&scene, "boot-1", "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "");
	expect(&scene, ACTION_PAUSE);
	run_state_done(&scene.state);
}

static void test_reboots_are_limited(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	scene.state.job.boot.max_reboots = 2;
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	measured(&scene, 1, 1, "boot-2", CHILD_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 1, -1, -1), "{}");
	expect(&scene, ACTION_RETURN);
	assert_int_equal(plan(&scene).status, JOB_FAILED);
	run_state_done(&scene.state);
}

/* Each boot that was asked to return comes up with a token again, as boot-1 did. */
static void returns_in_vain(struct scene *scene, int n_boots)
{
	for (int i = 0; i < n_boots; i++) {
		char boot_id[32];

		expect(scene, ACTION_RETURN);
		happened(scene, EVENT_RETURN, EVENT_INTENT, JOB_SCOPE, "{}");
		happened(scene, EVENT_RETURN, EVENT_RESULT, JOB_SCOPE, "{}");
		expect(scene, ACTION_IDLE); /* it is going down */
		scene->seen.now_s += 181;
		expect(scene, ACTION_RETURN); /* within one boot that costs nothing but time */
		(void)snprintf(boot_id, sizeof(boot_id), "vain-%d", i);
		running(scene, boot_id, PARENT_ID, "t");
	}
}

static void test_returns_are_limited(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene); /* cancelled: it ends where it is, without its entries */
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	happened(&scene, EVENT_CANCEL, EVENT_NOTE, JOB_SCOPE, "{\"by\":\"root\"}");
	returns_in_vain(&scene, 3);
	expect(&scene, ACTION_REMOVE);
	happened(&scene, EVENT_REMOVE, EVENT_RESULT, JOB_SCOPE, "{}");
	expect(&scene, ACTION_END);
	assert_int_equal(plan(&scene).status, JOB_CANCELLED);
	assert_non_null(strstr(plan(&scene).reason, "does not come back"));
	run_state_done(&scene.state);

	prepared(&scene); /* paused: it waits */
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"asked\"}");
	returns_in_vain(&scene, 3);
	expect(&scene, ACTION_IDLE);
	run_state_done(&scene.state);

	set_up(&scene); /* not begun, on somebody's test kernel */
	running(&scene, "boot-1", PARENT_ID, "t");
	returns_in_vain(&scene, 3);
	expect(&scene, ACTION_END);
	assert_int_equal(plan(&scene).status, JOB_FAILED);
	run_state_done(&scene.state);
}

static void test_machine_that_does_not_go_down_ends_the_job(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	hop(&scene, 0, 0, 1, "t1");
	armed(&scene, "t1");
	for (int i = 0; i < 3; i++) {
		expect(&scene, ACTION_REBOOT);
		happened(&scene, EVENT_REBOOT, EVENT_RESULT, SCOPE(0, 0, 1, -1), "{}");
		expect(&scene, ACTION_IDLE);
		scene.seen.now_s += 181;
	}
	expect(&scene, ACTION_DISARM);
	assert_non_null(strstr(plan(&scene).reason, "does not go down"));
	run_state_done(&scene.state);
}

/* Built at once, booted not before the time, cancelled at any time. */
static void test_not_before(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	scene.state.job.boot.not_before_s = scene.seen.now_s + 3600;
	expect(&scene, ACTION_IDLE);
	assert_int_equal(plan(&scene).wake_at_s, scene.seen.now_s + 3600);
	scene.seen.now_s += 3600;
	expect(&scene, ACTION_HOP);
	scene.seen.now_s -= 1;
	happened(&scene, EVENT_CANCEL, EVENT_NOTE, JOB_SCOPE, "{\"by\":\"root\"}");
	expect(&scene, ACTION_REMOVE);
	run_state_done(&scene.state);
}

static void test_system_that_never_starts_up_pauses(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	hop(&scene, 0, 0, 1, "t1");
	running(&scene, "boot-1", PARENT_ID, "t1");
	came_up(&scene, 0, "expected");
	scene.seen.is_system_ready = false;
	scene.seen.uptime_s = scene.state.job.boot.settle_s + scene.state.job.boot.deadline_s - 1;
	expect(&scene, ACTION_IDLE);
	scene.seen.uptime_s++;
	expect(&scene, ACTION_PAUSE);
	happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"r\"}");
	expect(&scene, ACTION_RETURN);
	run_state_done(&scene.state);
}

/* Neither says anything about the kernel: paused before it went down, or never armed. */
static void test_boot_that_was_not_tried_costs_no_attempt(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	hop(&scene, 0, 0, 1, "t1");
	happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"asked\"}");
	running(&scene, "boot-1", DEFAULT_ID, "");
	expect(&scene, ACTION_VERIFY);
	came_up(&scene, 0, "fell-back");
	assert_int_equal(scene.state.boots[0].failures, 0);
	run_state_done(&scene.state);

	prepared(&scene);
	happened(&scene, EVENT_HOP, EVENT_INTENT, SCOPE(0, 0, 1, -1),
		 "{\"token\":\"t1\",\"from_boot_id\":\"boot-0\"}");
	running(&scene, "boot-1", DEFAULT_ID, ""); /* a power cut before it was armed */
	came_up(&scene, 0, "fell-back");
	assert_int_equal(scene.state.boots[0].failures, 0);
	expect(&scene, ACTION_HOP);
	run_state_done(&scene.state);
}

/* Resumed before the pause had come to its end: the profile goes back before the reboot. */
static void test_resume_restores_before_it_returns(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_PAUSE, EVENT_NOTE, JOB_SCOPE, "{\"reason\":\"asked\"}");
	happened(&scene, EVENT_RESUME, EVENT_NOTE, JOB_SCOPE, "{\"by\":\"root\"}");
	expect(&scene, ACTION_RESTORE);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	armed(&scene, "somebody-else");
	expect(&scene, ACTION_DISARM);
	armed(&scene, "");
	expect(&scene, ACTION_RETURN);
	run_state_done(&scene.state);
}

static void test_what_cannot_be_prepared_or_rebooted_ends(void **unused)
{
	struct scene scene;

	(void)unused;
	set_up(&scene);
	happened(&scene, EVENT_BEGIN, EVENT_NOTE, JOB_SCOPE, "{\"build_id\":\"" DEFAULT_ID "\"}");
	happened(&scene, EVENT_CONFIGURE, EVENT_RESULT, JOB_SCOPE, "{\"error\":\"they differ\"}");
	expect(&scene, ACTION_END);
	assert_int_equal(plan(&scene).status, JOB_FAILED);
	assert_string_equal(plan(&scene).reason, "they differ");
	run_state_done(&scene.state);
	prepared(&scene);
	hop(&scene, 0, 0, 1, "t");
	armed(&scene, "t");
	for (int i = 0; i < 3; i++) {
		expect(&scene, ACTION_REBOOT);
		happened(&scene, EVENT_REBOOT, EVENT_RESULT, SCOPE(-1, 0, -1, -1),
			 "{\"error\":\"no\"}");
		scene.seen.now_s += 181;
	}
	expect(&scene, ACTION_DISARM);
	armed(&scene, "");
	expect(&scene, ACTION_REMOVE);
	happened(&scene, EVENT_REMOVE, EVENT_RESULT, JOB_SCOPE, "{}");
	expect(&scene, ACTION_END);
	assert_non_null(strstr(plan(&scene).reason, "refused to reboot 3 times"));
	run_state_done(&scene.state);
}

static void test_differing_profiles_may_be_allowed(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	measured(&scene, 0, 0, "boot-1", PARENT_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 0, -1, -1), "{}");
	measured(&scene, 1, 1, "boot-2", CHILD_ID);
	happened(&scene, EVENT_RESTORE, EVENT_RESULT, SCOPE(-1, 1, -1, -1), "{}");
	expect(&scene, ACTION_HOP);
	scene.state.boots[1].profile[2] = 'G'; /* another knob than in boot 1 */
	expect(&scene, ACTION_RETURN);
	scene.state.job.measure.profile_differences = JOB_DIFFERENCES_ALLOW;
	expect(&scene, ACTION_HOP);
	run_state_done(&scene.state);
}

static void test_last_allowed_boot_is_measured_to_its_end(void **unused)
{
	struct scene scene;

	(void)unused;
	prepared(&scene);
	scene.state.job.boot.max_reboots = 1;
	hop(&scene, 0, 0, 1, "t");
	armed(&scene, "t");
	expect(&scene, ACTION_REBOOT); /* the open hop is counted already */
	armed(&scene, "");
	running(&scene, "boot-1", PARENT_ID, "t");
	came_up(&scene, 0, "expected");
	expect(&scene, ACTION_PROFILE);
	running(&scene, "boot-2", DEFAULT_ID, "");
	expect(&scene, ACTION_REMOVE);
	run_state_done(&scene.state);
}

static void test_kernel_under_test_that_cannot_be_left_pauses(void **unused)
{
	struct scene scene;

	(void)unused;
	set_up(&scene);
	happened(&scene, EVENT_BEGIN, EVENT_NOTE, JOB_SCOPE, "{\"build_id\":\"" DEFAULT_ID "\"}");
	running(&scene, "boot-1", PARENT_ID, "t");
	returns_in_vain(&scene, 3);
	expect(&scene, ACTION_PAUSE); /* and nothing is configured or built on it */
	run_state_done(&scene.state);
}

static void test_design_knows_its_boots_and_no_others(void **unused)
{
	struct scene scene;

	(void)unused;
	set_up(&scene);
	assert_ptr_equal(design_of(&scene.state.job), &design_sandwich);
	assert_int_equal(design_sandwich.point(&scene.state.job, 1), 1);
	assert_int_equal(design_sandwich.point(&scene.state.job, -1), -1);
	assert_int_equal(design_sandwich.point(&scene.state.job, 3), -1);
	run_state_done(&scene.state);
}

/* K kernels, R rounds: STATISTICS.md's orders, Williams rows and their reverses. */
static void test_sweep_order(void **unused)
{
	static const int two[] = { 0, 1, 1, 0, 1, 0, 0, 1 };
	static const int four[] = { 0, 1, 3, 2, 2, 3, 1, 0, 1, 2, 0, 3, 3, 0, 2, 1 };
	struct job job = { .design = JOB_DESIGN_SWEEP, .n_points = 2, .rounds = 4 };

	(void)unused;
	assert_int_equal(design_first_boots(&job), 8);
	for (int i = 0; i < 8; i++)
		assert_int_equal(design_of(&job)->point(&job, i), two[i]);
	job.n_points = 4;
	assert_int_equal(design_first_boots(&job), 16);
	for (int i = 0; i < 16; i++)
		assert_int_equal(design_of(&job)->point(&job, i), four[i]);
	assert_int_equal(design_of(&job)->point(&job, 16), -1);
	assert_int_equal(design_of(&job)->point(&job, -1), -1);
}

static void test_ladder_order(void **unused)
{
	static const int order[] = { 0, 1, 2, 3, 2, 1, 0 };
	struct job job = { .design = JOB_DESIGN_LADDER, .n_points = 4 };

	(void)unused;
	assert_int_equal(design_first_boots(&job), 7);
	for (int i = 0; i < 7; i++)
		assert_int_equal(design_of(&job)->point(&job, i), order[i]);
	assert_int_equal(design_of(&job)->point(&job, 7), -1);
}

/* The planner asks for a sweep's boots one after the other, and then it ends. */
static void test_sweep_is_followed_to_its_end(void **unused)
{
	struct scene scene;

	(void)unused;
	set_up(&scene);
	scene.state.job.design = JOB_DESIGN_SWEEP;
	scene.state.job.rounds = 1;
	assert_int_equal(design_of(&scene.state.job)->next(&scene.state).point, 0);
	scene.state.n_boots = 1;
	assert_int_equal(design_of(&scene.state.job)->next(&scene.state).point, 1);
	scene.state.n_boots = 2;
	assert_int_equal(design_of(&scene.state.job)->next(&scene.state).kind, DESIGN_CONCLUDED);
	scene.state.n_boots = 0;
	run_state_done(&scene.state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sweep_order),
		cmocka_unit_test(test_ladder_order),
		cmocka_unit_test(test_sweep_is_followed_to_its_end),
		cmocka_unit_test(test_prepares_in_order),
		cmocka_unit_test(test_sandwich_is_parent_child_parent),
		cmocka_unit_test(test_diagnosis_comes_after_the_measurement),
		cmocka_unit_test(test_evidence_before_a_boot_is_left),
		cmocka_unit_test(test_evidence_of_a_boot_that_fell_back),
		cmocka_unit_test(test_evidence_of_a_boot_that_was_lost),
		cmocka_unit_test(test_hop_arms_then_reboots_then_verifies),
		cmocka_unit_test(test_fall_back_is_tried_again_then_given_up),
		cmocka_unit_test(test_power_cut_while_measuring_measures_the_boot_anew),
		cmocka_unit_test(test_one_shot_left_armed_is_disarmed_and_pauses),
		cmocka_unit_test(test_ending_leaves_the_machine_clean),
		cmocka_unit_test(test_failures_end_the_job),
		cmocka_unit_test(test_gates_make_the_job_invalid),
		cmocka_unit_test(test_a_failed_gate_is_of_its_workload_only),
		cmocka_unit_test(test_a_boot_tried_again_has_its_gates_anew),
		cmocka_unit_test(test_pause_finds_a_safe_place_and_costs_no_attempt),
		cmocka_unit_test(test_held_or_strange_machine_is_left_alone),
		cmocka_unit_test(test_reboots_are_limited),
		cmocka_unit_test(test_returns_are_limited),
		cmocka_unit_test(test_machine_that_does_not_go_down_ends_the_job),
		cmocka_unit_test(test_system_that_never_starts_up_pauses),
		cmocka_unit_test(test_not_before),
		cmocka_unit_test(test_boot_that_was_not_tried_costs_no_attempt),
		cmocka_unit_test(test_resume_restores_before_it_returns),
		cmocka_unit_test(test_what_cannot_be_prepared_or_rebooted_ends),
		cmocka_unit_test(test_differing_profiles_may_be_allowed),
		cmocka_unit_test(test_last_allowed_boot_is_measured_to_its_end),
		cmocka_unit_test(test_kernel_under_test_that_cannot_be_left_pauses),
		cmocka_unit_test(test_design_knows_its_boots_and_no_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
