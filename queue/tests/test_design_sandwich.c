// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When a sandwich is over: so many boots at first, four more while the numbers leave it open,
 * never beyond what the job and the design allow. The numbers are those of boots.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "queue/design.h"

/* Boots of the child are @pct slower; boot i is off by noise[i % 4] percent. */
struct trial {
	struct run_state state;
	struct boot_state boots[32];
	double values[32];
};

static void fill(struct trial *trial, int n_boots, double pct, double noise_pct)
{
	static const double noise[] = { 1, -0.4, -1, 0.6, 0.9, 0.1, -0.8 };

	memset(trial, 0, sizeof(*trial));
	job_init(&trial->state.job);
	trial->state.boots = trial->boots;
	trial->state.n_boots = n_boots;
	trial->state.n_reboots = n_boots;
	for (int i = 0; i < n_boots; i++) {
		trial->boots[i].point = i % 2;
		trial->values[i] = 100 * (1 + noise_pct / 100 * noise[i % 7]) *
				   (i % 2 ? 1 + pct / 100 : 1);
		trial->boots[i].benches[0] =
			(struct boot_values){ .values = &trial->values[i], .n_values = 1 };
	}
}

static struct design_answer next(struct trial *trial)
{
	return design_sandwich.next(&trial->state);
}

/* Boots until it is over. */
static int run(double pct, double noise_pct, double nu0, bool *ret_is_inconclusive)
{
	for (int n = 0; n < 32; n++) {
		struct trial trial;
		struct design_answer answer;

		fill(&trial, n, pct, noise_pct);
		trial.state.history = (struct interval_history){ .s0 = noise_pct, .nu0 = nu0 };
		answer = next(&trial);
		job_done(&trial.state.job);
		*ret_is_inconclusive = answer.is_inconclusive;
		if (answer.kind == DESIGN_CONCLUDED)
			return n;
		assert_int_equal(answer.point, n % 2);
	}
	fail_msg("it never ends");
	return 0;
}

static void test_looks(void **unused)
{
	bool is_inconclusive;

	(void)unused;
	assert_int_equal(run(30, 0.5, 0, &is_inconclusive), 7);
	assert_false(is_inconclusive);
	assert_int_equal(run(0, 0, 0, &is_inconclusive), 7); /* no change at all is a verdict */
	assert_false(is_inconclusive);
	assert_int_equal(run(2, 8, 0, &is_inconclusive), 23);
	assert_true(is_inconclusive);
	assert_int_equal(run(30, 0.5, 6, &is_inconclusive), 5);
	assert_int_equal(run(30, 0.5, 4, &is_inconclusive), 7); /* too little to be a history */
	assert_int_equal(run(2, 8, 20, &is_inconclusive), 25);
	assert_true(is_inconclusive);
}

static void test_exactly_is_exactly(void **unused)
{
	struct trial trial;

	(void)unused;
	fill(&trial, 3, 2, 8);
	free(trial.state.job.order);
	trial.state.job.order = strdup("PCP");
	assert_int_equal(next(&trial).kind, DESIGN_BOOT); /* four more */
	trial.state.job.is_exact = true;
	assert_int_equal(next(&trial).kind, DESIGN_CONCLUDED);
	assert_false(next(&trial).is_inconclusive);
	assert_int_equal(design_sandwich.point(&trial.state.job, 3), -1);
	job_done(&trial.state.job);
}

/* What is measured must be reported: a job does not fail for want of reboots to append. */
static void test_appends_within_the_reboots(void **unused)
{
	struct trial trial;

	(void)unused;
	fill(&trial, 7, 2, 8);
	trial.state.n_reboots = 9;
	trial.state.job.boot.max_reboots = 14;
	assert_int_equal(next(&trial).kind, DESIGN_BOOT);
	trial.state.job.boot.max_reboots = 13;
	assert_int_equal(next(&trial).kind, DESIGN_CONCLUDED);
	assert_true(next(&trial).is_inconclusive);
	job_done(&trial.state.job);
}

/* The middle of a step is no look. */
static void test_expected_boots(void **unused)
{
	struct trial trial;

	(void)unused;
	fill(&trial, 8, 30, 0);
	assert_int_equal(design_sandwich.expected_boots(&trial.state), 11);
	assert_int_equal(next(&trial).kind, DESIGN_BOOT);
	job_done(&trial.state.job);
}

/* The first workload has no number: the second one's numbers say when it is over. */
static void test_looks_at_a_workload_whose_gates_held(void **unused)
{
	char reason[] = "a huge page";
	struct trial trial, clear;

	(void)unused;
	fill(&trial, 9, 2, 8);
	fill(&clear, 9, 10, 0.5);
	/* Of the first workload: with it, such a change would settle nothing. */
	trial.state.history = (struct interval_history){ .s0 = 30, .nu0 = 20 };
	assert_int_equal(job_add_bench(&trial.state.job, "a", "mprotect-toggle", NULL), 0);
	assert_int_equal(job_add_bench(&trial.state.job, "b", "mprotect-single", NULL), 0);
	for (int i = 0; i < 9; i++)
		trial.boots[i].benches[1] = clear.boots[i].benches[0];
	assert_int_equal(next(&trial).kind, DESIGN_BOOT);
	trial.boots[3].benches[0] = (struct boot_values){ .invalid_reason = reason };
	assert_int_equal(next(&trial).kind, DESIGN_CONCLUDED);
	assert_false(next(&trial).is_inconclusive);
	trial.boots[3].benches[1] = (struct boot_values){ .invalid_reason = reason };
	assert_int_equal(next(&trial).kind, DESIGN_CONCLUDED);
	job_done(&clear.state.job);
	job_done(&trial.state.job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_looks),
		cmocka_unit_test(test_exactly_is_exactly),
		cmocka_unit_test(test_appends_within_the_reboots),
		cmocka_unit_test(test_expected_boots),
		cmocka_unit_test(test_looks_at_a_workload_whose_gates_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
