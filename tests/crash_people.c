// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * More than one thing goes wrong, or somebody asks for something at the worst moment: two
 * crashes, a kernel that dies half-way, pause, cancel and hold at every place, a loader
 * that never comes back. One crash at every place is crash_matrix.c's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/crash_job.h"

#define PAIRS 60

/* The job of the test that runs: what a visitor of its world acts upon. */
static struct crash_job *visited;

static void visit_pause(struct fake_world *world)
{
	(void)world;
	crash_job_note(visited, EVENT_PAUSE);
}

static void visit_cancel(struct fake_world *world)
{
	(void)world;
	crash_job_note(visited, EVENT_CANCEL);
}

static void visit_hold(struct fake_world *world)
{
	world->is_held = true;
}

static void run_calm(struct outcome *ret_outcome)
{
	struct crash_job job = crash_job_new();

	crash_job_run(&job);
	crash_job_read(&job, ret_outcome);
	crash_job_free(&job);
	assert_int_equal(ret_outcome->status, JOB_DONE);
}

/* At whatever place the daemon dies: paused before anything is built, and mended it goes on. */
static void test_refused_machine_waits_until_it_is_mended(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_calm(&calm);
	for (int place = -1; place < 6; place++) {
		struct crash_job job = crash_job_new();
		struct outcome refused;

		job.world->is_refused = true;
		job.world->crash = place < 0 ? FAKE_CRASH_NONE : place % 2 ? FAKE_CRASH_POWER : FAKE_CRASH_KILL;
		job.world->crash_at = place;
		crash_job_run(&job);
		crash_job_read(&job, &refused);
		assert_int_equal(refused.status, JOB_PAUSED);
		assert_non_null(strstr(refused.reason, "not safe to reboot"));
		assert_int_equal(job.world->builds, 0);
		assert_int_equal(refused.n_reboots, 0);
		assert_machine_is_clean(job.world, true);
		outcome_done(&refused);
		job.world->is_refused = false;
		crash_job_note(&job, EVENT_RESUME);
		crash_job_run(&job);
		crash_job_read(&job, &refused);
		assert_same_values(&calm, &refused, place);
		outcome_done(&refused);
		crash_job_free(&job);
	}
	outcome_done(&calm);
}

/* Deterministic, and the same everywhere: a failure can be run again. */
static int chance(uint32_t *state, int below)
{
	*state = *state * 1664525U + 1013904223U;
	return (int)((*state >> 8) % (uint32_t)below);
}

static void test_two_crashes_change_nothing(void **unused)
{
	uint32_t state = 1;
	struct outcome calm;

	(void)unused;
	run_calm(&calm);
	for (int i = 0; i < PAIRS; i++) {
		struct crash_job job = crash_job_new();
		struct outcome crashed;

		/* One power cut at most: two in one boot may rightly be called its fault. */
		job.world->crash = i % 2 ? FAKE_CRASH_POWER : FAKE_CRASH_KILL;
		job.world->crash_at = chance(&state, calm.places);
		job.world->second_crash = i % 4 == 2 ? FAKE_CRASH_POWER : FAKE_CRASH_KILL;
		job.world->second_crash_at = job.world->crash_at + 1 +
					     chance(&state, i % 8 < 4 ? 8 : calm.places);
		crash_job_run(&job);
		assert_machine_is_clean(job.world, true);
		crash_job_read(&job, &crashed);
		assert_same_values(&calm, &crashed, i);
		assert_true(crashed.processes <= calm.processes + PROCESSES_A_BOOT + 2);
		outcome_done(&crashed);
		crash_job_free(&job);
	}
	outcome_done(&calm);
}

/* Power cuts that hit before the kernel was even armed are not its fault, however many. */
static void test_power_cuts_before_arming_cost_no_attempt(void **unused)
{
	struct outcome calm;
	int n_tried = 0;

	(void)unused;
	run_calm(&calm);
	for (int place = 0; place < calm.places; place += 2) {
		struct crash_job job = crash_job_new();
		struct outcome crashed;

		job.world->crash = job.world->second_crash = FAKE_CRASH_POWER;
		job.world->crash_at = place;
		job.world->second_crash_at = place + 3;
		crash_job_run(&job);
		assert_machine_is_clean(job.world, true);
		crash_job_read(&job, &crashed);
		if (crashed.status == JOB_DONE) {
			assert_same_values(&calm, &crashed, place);
			n_tried++;
		} else if (crashed.status != JOB_FAILED || !strstr(crashed.reason, "times")) {
			fail_msg("two power cuts from place %d: %s", place, crashed.reason);
		}
		assert_true(job.world->boots <= 5 + 4);
		outcome_done(&crashed);
		crash_job_free(&job);
	}
	assert_true(n_tried * 4 > calm.places);
	outcome_done(&calm);
}

static void test_child_that_dies_half_way_ends_failed(void **unused)
{
	struct outcome calm;

	(void)unused;
	for (int place = -1; place < 0 || place < calm.places; place += place < 0 ? 1 : 3) {
		struct crash_job job = crash_job_new();
		struct outcome crashed;

		job.world->child_panics_measuring = true;
		job.world->crash = place < 0 ? FAKE_CRASH_NONE : FAKE_CRASH_KILL;
		job.world->crash_at = place;
		crash_job_run(&job);
		assert_machine_is_clean(job.world, true);
		crash_job_read(&job, &crashed);
		assert_int_equal(crashed.status, JOB_FAILED);
		assert_non_null(strstr(crashed.reason, "went down during the measurement"));
		assert_true(job.world->boots <= 5);
		if (place < 0)
			calm = crashed;
		else
			outcome_done(&crashed);
		crash_job_free(&job);
	}
	outcome_done(&calm);
}

static void test_pause_anywhere_waits_clean_and_goes_on(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_calm(&calm);
	for (int place = 0; place < calm.places; place++) {
		struct crash_job job = crash_job_new();
		struct outcome paused;

		visited = &job;
		job.world->visit = visit_pause;
		job.world->visit_at = place;
		crash_job_run(&job);
		crash_job_read(&job, &paused);
		if (job.world->visit_at == -1)
			assert_int_equal(paused.status, JOB_PAUSED);
		assert_machine_is_clean(job.world, job.world->visit_at != -1);
		outcome_done(&paused);
		if (job.world->visit_at == -1)
			crash_job_note(&job, EVENT_RESUME);
		crash_job_run(&job);
		assert_machine_is_clean(job.world, true);
		crash_job_read(&job, &paused);
		assert_same_values(&calm, &paused, place);
		outcome_done(&paused);
		crash_job_free(&job);
	}
	outcome_done(&calm);
}

static void test_cancel_anywhere_ends_clean(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_calm(&calm);
	for (int place = 0; place < calm.places; place++) {
		struct crash_job job = crash_job_new();
		struct outcome cancelled;

		visited = &job;
		job.world->visit = visit_cancel;
		job.world->visit_at = place;
		crash_job_run(&job);
		assert_machine_is_clean(job.world, true);
		crash_job_read(&job, &cancelled);
		assert_int_equal(cancelled.status, job.world->visit_at == -1 ? JOB_CANCELLED : JOB_DONE);
		assert_true(job.world->boots <= calm.n_reboots + 2);
		outcome_done(&cancelled);
		crash_job_free(&job);
	}
	outcome_done(&calm);
}

/* A machine that boots no test kernel any more, though it did: a person must look at it. */
static void run_dead(int crash_at, struct outcome *ret_paused, struct outcome *ret_ended)
{
	struct crash_job job = crash_job_new();

	job.world->dead_from_boot = 3;
	job.world->crash = crash_at < 0 ? FAKE_CRASH_NONE : FAKE_CRASH_KILL;
	job.world->crash_at = crash_at;
	crash_job_run(&job);
	crash_job_read(&job, ret_paused);
	assert_int_equal(ret_paused->status, JOB_PAUSED);
	assert_non_null(strstr(ret_paused->reason, "three boots in a row"));
	assert_int_equal(job.world->boots, 2 + 3);
	assert_machine_is_clean(job.world, false);
	job.world->dead_from_boot = 0;
	crash_job_note(&job, EVENT_RESUME);
	crash_job_run(&job);
	assert_machine_is_clean(job.world, true);
	crash_job_read(&job, ret_ended);
	crash_job_free(&job);
}

static void test_three_fall_backs_in_a_row_pause(void **unused)
{
	struct outcome calm, paused, ended;

	(void)unused;
	run_calm(&calm);
	run_dead(-1, &paused, &ended);
	for (int place = paused.places - 60; place < paused.places; place++) {
		struct outcome paused_too, ended_too;

		run_dead(place, &paused_too, &ended_too);
		assert_same_values(&calm, &ended_too, place);
		assert_string_equal(paused_too.report, paused.report);
		outcome_done(&paused_too);
		outcome_done(&ended_too);
	}
	assert_same_values(&calm, &ended, -1);
	outcome_done(&calm);
	outcome_done(&paused);
	outcome_done(&ended);
}

static void test_hold_anywhere_stops_and_goes_on(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_calm(&calm);
	for (int place = 0; place < calm.places; place++) {
		struct crash_job job = crash_job_new();
		struct outcome held;
		int places;

		job.world->visit = visit_hold;
		job.world->visit_at = place;
		crash_job_run(&job);
		places = job.world->places;
		crash_job_run(&job); /* nothing happens */
		assert_int_equal(job.world->places, places);
		job.world->is_held = false;
		crash_job_run(&job);
		assert_machine_is_clean(job.world, true);
		crash_job_read(&job, &held);
		assert_same_values(&calm, &held, place);
		assert_int_equal(held.processes, calm.processes);
		outcome_done(&held);
		crash_job_free(&job);
	}
	outcome_done(&calm);
}

/* The loader says that it is not armed, and boots the test kernel for ever all the same. */
static void test_machine_that_never_comes_back_is_left_alone(void **unused)
{
	struct crash_job job = crash_job_new();
	struct outcome outcome;

	(void)unused;
	job.world->never_returns = true;
	crash_job_run(&job);
	crash_job_read(&job, &outcome);
	assert_int_equal(outcome.status, JOB_DONE); /* all was measured */
	assert_non_null(strstr(outcome.reason, "does not come back"));
	assert_int_equal(job.world->boots, 3 + 3);
	for (int i = 0; i < FAKE_ENTRIES_MAX; i++)
		assert_string_equal(job.world->entries[i], "");
	outcome_done(&outcome);
	crash_job_free(&job);
}

static void test_unreadable_profile_ends_the_job(void **unused)
{
	struct crash_job job = crash_job_new();
	struct outcome outcome;

	(void)unused;
	job.world->is_profile_unreadable = true;
	crash_job_run(&job);
	crash_job_read(&job, &outcome);
	assert_int_equal(outcome.status, JOB_FAILED);
	assert_non_null(strstr(outcome.reason, "the knobs cannot be read"));
	assert_machine_is_clean(job.world, true);
	outcome_done(&outcome);
	crash_job_free(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_crashes_change_nothing),
		cmocka_unit_test(test_refused_machine_waits_until_it_is_mended),
		cmocka_unit_test(test_power_cuts_before_arming_cost_no_attempt),
		cmocka_unit_test(test_child_that_dies_half_way_ends_failed),
		cmocka_unit_test(test_pause_anywhere_waits_clean_and_goes_on),
		cmocka_unit_test(test_cancel_anywhere_ends_clean),
		cmocka_unit_test(test_three_fall_backs_in_a_row_pause),
		cmocka_unit_test(test_hold_anywhere_stops_and_goes_on),
		cmocka_unit_test(test_machine_that_never_comes_back_is_left_alone),
		cmocka_unit_test(test_unreadable_profile_ends_the_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
