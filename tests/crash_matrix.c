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
#include <string.h>
#include <cmocka.h>

#include "tests/crash_job.h"

/* A whole job with one crash at place @crash_at. */
static void run_job(enum fake_crash crash, int crash_at, bool child_panics,
		    struct outcome *ret_outcome)
{
	struct crash_job job = crash_job_new();

	job.world->crash = crash;
	job.world->crash_at = crash_at;
	job.world->child_panics = child_panics;
	crash_job_run(&job);
	assert_machine_is_clean(job.world, true);
	crash_job_read(&job, ret_outcome);
	crash_job_free(&job);
}

static void test_killed_daemon_ends_with_the_same_report(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_job(FAKE_CRASH_NONE, 0, false, &calm);
	assert_int_equal(calm.status, JOB_DONE);
	assert_int_equal(calm.processes, 3 * PROCESSES_A_BOOT);
	assert_int_equal(calm.diagnoses, 3);
	assert_int_equal(calm.evidences, 3);
	for (int place = 0; place < calm.places; place++) {
		struct outcome crashed;

		run_job(FAKE_CRASH_KILL, place, false, &crashed);
		assert_same_values(&calm, &crashed, place);
		if (strcmp(calm.report, crashed.report) != 0)
			fail_msg("the report differs after a crash at place %d:\n%s\n%s", place,
				 calm.report, crashed.report);
		/* Only a process that died before its result was kept may run again. */
		assert_in_range(crashed.processes, calm.processes, calm.processes + 1);
		assert_in_range(crashed.diagnoses, calm.diagnoses, calm.diagnoses + 1);
		assert_in_range(crashed.evidences, calm.evidences, calm.evidences + 1);
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
				calm.processes + PROCESSES_A_BOOT);
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
	/* The parent's boot, and two of the child's, each of which left a record. */
	assert_int_equal(calm.evidences, 3);
	assert_non_null(strstr(calm.reason, "it panicked: Kernel panic - not syncing: fake"));
	for (int place = 0; place < calm.places; place++) {
		struct outcome crashed;

		run_job(FAKE_CRASH_KILL, place, true, &crashed);
		assert_same_values(&calm, &crashed, place);
		if (strcmp(calm.report, crashed.report) != 0)
			fail_msg("the report differs after a crash at place %d:\n%s\n%s", place,
				 calm.report, crashed.report);
		outcome_done(&crashed);
	}
	outcome_done(&calm);
}

/* As run_job(), of a job that goes on while its result is inconclusive. */
static void run_noisy(enum fake_crash crash, int crash_at, double child_pct,
		      struct outcome *ret_outcome)
{
	struct crash_job job = crash_job_new_adaptive();

	job.world->crash = crash;
	job.world->crash_at = crash_at;
	job.world->noise_pct = 2;
	job.world->child_pct = child_pct;
	crash_job_run(&job);
	assert_machine_is_clean(job.world, true);
	crash_job_read(&job, ret_outcome);
	crash_job_free(&job);
}

static void test_boots_are_appended_while_inconclusive(void **unused)
{
	struct outcome clear, calm;

	(void)unused;
	run_noisy(FAKE_CRASH_NONE, 0, 30, &clear);
	assert_int_equal(clear.n_boots, 7);
	assert_int_equal(clear.status, JOB_DONE);
	outcome_done(&clear);
	run_noisy(FAKE_CRASH_NONE, 0, 2, &calm);
	(void)printf("2 %% in noise of 2 %%: %d boots, %s\n", calm.n_boots,
		     job_status_name(calm.status));
	assert_true(calm.n_boots > 7 && calm.n_boots % 4 == 3);
	/* A few places of each boot: before, within and after the looks. */
	for (int place = 0; place < calm.places; place += 23) {
		struct outcome crashed;

		run_noisy(FAKE_CRASH_KILL, place, 2, &crashed);
		assert_int_equal(crashed.n_boots, calm.n_boots);
		assert_string_equal(crashed.report, calm.report);
		outcome_done(&crashed);
	}
	outcome_done(&calm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed_daemon_ends_with_the_same_report),
		cmocka_unit_test(test_boots_are_appended_while_inconclusive),
		cmocka_unit_test(test_power_cut_ends_with_the_same_values),
		cmocka_unit_test(test_child_that_panics_ends_failed_after_any_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
