// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The crash matrix of a bisection: killed, or the power cut, at every place of a search
 * whose commits include those that do not build, do not boot, die, or are the code of
 * another: the same culprit every time, and a clean machine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/text.h"
#include "tests/crash_job.h"

#define CULPRIT "000000170000 changes it by +"
/*
 * Of the places of a whole job, one in so many: primes, so that places of all kinds come. A
 * whole job takes a second, so every place (CRASH_STRIDE=1) is for a night.
 */
#define STRIDE_KILL 89
#define STRIDE_POWER 97

enum trouble {
	TROUBLE_NONE,
	TROUBLE_COMMITS, /* of every kind, near the culprit */
};

static void run_bisection(enum trouble trouble, enum fake_crash crash, int crash_at,
			  struct outcome *ret_outcome, struct fake_world *ret_world)
{
	struct crash_job job = crash_job_new_bisection();

	job.world->crash = crash;
	job.world->crash_at = crash_at;
	if (trouble == TROUBLE_COMMITS) {
		job.world->bisect_unbuildable = 20;
		job.world->bisect_unconfigurable = 19;
		job.world->bisect_panics = 21;
		job.world->bisect_dies = 18;
		job.world->bisect_fails = 17;
		job.world->bisect_twin = 24;
	}
	crash_job_run(&job);
	assert_machine_is_clean(job.world, true);
	crash_job_read(&job, ret_outcome);
	if (ret_world)
		*ret_world = *job.world;
	crash_job_free(&job);
}

static void test_culprit_is_found(void **unused)
{
	struct outcome calm;

	(void)unused;
	run_bisection(TROUBLE_NONE, FAKE_CRASH_NONE, 0, &calm, NULL);
	(void)printf("%d boots, %d reboots, %d places: %s: %s\n", calm.n_boots, calm.n_reboots,
		     calm.places, job_status_name(calm.status), calm.reason);
	assert_int_equal(calm.status, JOB_DONE);
	assert_non_null(strstr(calm.reason, CULPRIT));
	/* The report is the sandwich of the pair, and tells the search. */
	assert_non_null(strstr(calm.report, "\"outcome\": \"found\""));
	assert_non_null(strstr(calm.report, "\"design\": \"bisect\""));
	assert_non_null(strstr(calm.report, "\"order\": \"PCPCP"));
	assert_non_null(strstr(calm.report, "\"verdict\": \"REGRESSION\""));
	assert_non_null(strstr(calm.report, "\"0000001700000000000000000000000000000000\""));
	outcome_done(&calm);
}

static void test_troublesome_commits_are_passed_over(void **unused)
{
	struct outcome calm;
	struct fake_world world;

	(void)unused;
	run_bisection(TROUBLE_COMMITS, FAKE_CRASH_NONE, 0, &calm, &world);
	(void)printf("%d boots, %d reboots, %d places: %s: %s\n", calm.n_boots, calm.n_reboots,
		     calm.places, job_status_name(calm.status), calm.reason);
	assert_int_equal(calm.status, JOB_DONE);
	assert_non_null(strstr(calm.reason, CULPRIT));
	/* One kernel, one set of boots. */
	assert_true(world.boots_of[23] == 0 || world.boots_of[24] == 0);
	outcome_done(&calm);
}

static void assert_same_culprit(enum trouble trouble, enum fake_crash crash, int stride,
				const char *what)
{
	const char *wanted = getenv("CRASH_STRIDE");
	struct outcome calm;
	int64_t number;

	if (wanted && text_parse_i64(wanted, 1, 1000, &number) == 0)
		stride = (int)number;
	run_bisection(trouble, FAKE_CRASH_NONE, 0, &calm, NULL);
	for (int place = 0; place < calm.places; place += stride) {
		struct outcome crashed;

		run_bisection(trouble, crash, place, &crashed, NULL);
		if (crashed.status != calm.status || crashed.n_boots != calm.n_boots ||
		    strcmp(crashed.reason, calm.reason) != 0)
			fail_msg("%s at place %d: %d boots, %s: %s", what, place, crashed.n_boots,
				 job_status_name(crashed.status), crashed.reason);
		outcome_done(&crashed);
	}
	(void)printf("%d places, %s at one in %d\n", calm.places, what, stride);
	outcome_done(&calm);
}

static void test_killed_daemon_finds_the_same(void **unused)
{
	(void)unused;
	assert_same_culprit(TROUBLE_COMMITS, FAKE_CRASH_KILL, STRIDE_KILL, "daemon killed");
}

static void test_power_cut_finds_the_same(void **unused)
{
	(void)unused;
	assert_same_culprit(TROUBLE_NONE, FAKE_CRASH_POWER, STRIDE_POWER, "power cut");
}

static void test_no_change_is_said(void **unused)
{
	struct crash_job job = crash_job_new_bisection();
	struct outcome outcome;

	(void)unused;
	job.world->bisect_pct = 0;
	job.world->noise_pct = .2;
	crash_job_run(&job);
	crash_job_read(&job, &outcome);
	assert_int_equal(outcome.status, JOB_DONE);
	assert_non_null(strstr(outcome.reason, "no change of 1 % or more"));
	outcome_done(&outcome);
	crash_job_free(&job);
}

static void test_end_that_does_not_boot_fails(void **unused)
{
	struct crash_job job = crash_job_new_bisection();
	struct outcome outcome;

	(void)unused;
	job.world->dead_from_boot = 1;
	crash_job_run(&job);
	assert_machine_is_clean(job.world, true);
	crash_job_read(&job, &outcome);
	assert_int_equal(outcome.status, JOB_FAILED);
	assert_non_null(strstr(outcome.reason, "(good) came back in the default kernel"));
	outcome_done(&outcome);
	crash_job_free(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_culprit_is_found),
		cmocka_unit_test(test_troublesome_commits_are_passed_over),
		cmocka_unit_test(test_no_change_is_said),
		cmocka_unit_test(test_end_that_does_not_boot_fails),
		cmocka_unit_test(test_killed_daemon_finds_the_same),
		cmocka_unit_test(test_power_cut_finds_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
