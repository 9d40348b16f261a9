// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The demands on the verdict, by simulation with seeds that were not looked at while it
 * was written: few false verdicts at any noise, real changes found within few boots. More
 * seeds: tests/bench/verdict.sh.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/statistics/simulate.h"

#define RUNS 1000
#define SEED 2026113000

static const struct simulate_plan adaptive = { .threshold_pct = 1, .boots_first = 7, .boots_max = 23 };

static struct simulate_outcome simulate(double change_pct, double boot_sd_pct, double outliers_pct)
{
	const struct simulate_world world = {
		.change_pct = change_pct,
		.boot_sd_pct = boot_sd_pct,
		.process_sd_pct = 1,
		.drift_pct = 0.1,
		.outliers_pct = outliers_pct,
		.n_processes = 15,
	};
	struct simulate_outcome outcome;
	uint64_t seed = SEED + (uint64_t)(100 * change_pct + 10 * boot_sd_pct + outliers_pct);

	assert_int_equal(simulate_verdict(&world, &adaptive, RUNS, seed, &outcome, NULL), 0);
	return outcome;
}

static void test_few_false_verdicts(void **state)
{
	static const double boot_sds[] = { 0, 0.3, 0.7, 1.5, 3, 8 };

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		struct simulate_outcome outcome = simulate(0, boot_sds[i / 2], i % 2 ? 2 : 0);
		size_t n_false = outcome.n_verdicts[VERDICT_REGRESSION] +
				 outcome.n_verdicts[VERDICT_IMPROVEMENT];

		if (n_false > RUNS * 5 / 100) {
			print_error("boot SD %g, outliers %zu: %zu false of %d\n", boot_sds[i / 2],
				    i % 2, n_false, RUNS);
			fail();
		}
	}
}

static void test_power(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct simulate_outcome outcome = simulate(2, 0.7, i ? 2 : 0);

		assert_true(outcome.n_verdicts[VERDICT_REGRESSION] >= RUNS * 99 / 100);
		assert_true(outcome.boots_mean <= 12);
		outcome = simulate(1.5, 0.7, i ? 2 : 0);
		assert_true(outcome.n_verdicts[VERDICT_REGRESSION] >= RUNS * 93 / 100);
	}
}

static void test_improvement(void **state)
{
	struct simulate_outcome outcome = simulate(-3, 0.7, 0);

	(void)state;
	assert_true(outcome.n_verdicts[VERDICT_IMPROVEMENT] >= RUNS * 99 / 100);
	assert_int_equal(outcome.n_runs, RUNS);
}

/* Same seed, same answer; one exact sandwich has three boots and one look. */
static void test_repeatable(void **state)
{
	const struct simulate_world world = {
		.change_pct = 3, .boot_sd_pct = 0.3, .process_sd_pct = 1, .n_processes = 5,
	};
	const struct simulate_plan exact = { .threshold_pct = 2, .boots_first = 3, .boots_max = 3 };
	struct simulate_plan informed = exact;
	struct simulate_outcome first;
	struct simulate_outcome again;

	(void)state;
	assert_int_equal(simulate_verdict(&world, &exact, 200, 5, &first, NULL), 0);
	assert_int_equal(simulate_verdict(&world, &exact, 200, 5, &again, NULL), 0);
	assert_memory_equal(&first, &again, sizeof(first));
	assert_true(first.boots_mean > 2.99 && first.boots_mean < 3.01);
	informed.history = (struct interval_history){ .s0 = 0.3, .nu0 = 20 };
	assert_int_equal(simulate_verdict(&world, &informed, 200, 5, &again, NULL), 0);
	assert_true(again.n_verdicts[VERDICT_REGRESSION] > first.n_verdicts[VERDICT_REGRESSION]);
}

static void check_refused(struct simulate_world world, struct simulate_plan plan, size_t n_runs,
			  const char *part)
{
	struct simulate_outcome outcome;
	struct error err = { "" };

	assert_int_equal(simulate_verdict(&world, &plan, n_runs, 1, &outcome, &err), -EINVAL);
	assert_non_null(strstr(err.text, part));
}

static void test_refusals(void **state)
{
	const struct simulate_world world = { .n_processes = 5 };
	struct simulate_world other = world;
	struct simulate_plan plan = adaptive;

	(void)state;
	check_refused(world, plan, 0, "one run at least");
	plan.boots_first = 4;
	check_refused(world, plan, 1, "odd number of boots");
	plan.boots_first = 25;
	check_refused(world, plan, 1, "most boots");
	other.n_processes = 0;
	check_refused(other, adaptive, 1, "processes");
	other = world;
	other.change_pct = -100;
	check_refused(other, adaptive, 1, "no time at all");
	other = world;
	other.drift_pct = -5;
	check_refused(other, adaptive, 1, "drift of -5");
	other = world;
	other.boot_sd_pct = -1;
	check_refused(other, adaptive, 1, "not negative");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few_false_verdicts),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_improvement),
		cmocka_unit_test(test_repeatable),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
