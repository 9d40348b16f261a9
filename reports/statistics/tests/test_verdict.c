// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The decision rule at its edges.
 */
#include "reports/statistics/tests/vectors.h"

#include "reports/statistics/verdict.h"

struct row {
	double estimate, low95, high95, low99, high99;
	double drift;
	size_t n_boots;
	bool is_single_look;
	enum verdict verdict;
	bool is_below;
	bool is_gate;
};

static void test_table(void **state)
{
	static const struct row rows[] = {
		/* the 99 % interval decides ... */
		{ 5, 3, 7, 1, 9, 0, 7, false, VERDICT_REGRESSION, false, false },
		{ 5, 1, 9, -1, 11, 0, 7, false, VERDICT_INCONCLUSIVE, false, false },
		{ -5, -7, -3, -9, -1, 0, 7, false, VERDICT_IMPROVEMENT, false, false },
		/* ... but one look at exactly three boots takes the 95 % one */
		{ 5, 1, 9, -1, 11, 0, 3, true, VERDICT_REGRESSION, false, false },
		{ -5, -9, -1, -11, 1, 0, 3, true, VERDICT_IMPROVEMENT, false, false },
		/* the threshold: exactly at it is a verdict, below it is not */
		{ 2, 1.5, 2.5, 1, 3, 0, 7, false, VERDICT_REGRESSION, false, false },
		{ 1.99, 1.5, 2.5, 1, 3, 0, 7, false, VERDICT_INCONCLUSIVE, false, false },
		/* inside the threshold at 95 % */
		{ 0.1, -1, 1.2, -3, 3.2, 0, 7, false, VERDICT_NO_CHANGE, false, false },
		{ 1, 0.5, 1.5, 0.2, 1.8, 0, 7, false, VERDICT_NO_CHANGE, true, false },
		{ -1, -1.5, -0.5, -1.8, -0.2, 0, 7, false, VERDICT_NO_CHANGE, true, false },
		{ 0.1, -2.1, 1.2, -3, 3.2, 0, 7, false, VERDICT_INCONCLUSIVE, false, false },
		/* drift gate: max(1 %, a quarter of the delta), three and five boots only */
		{ 5, 3, 7, 1, 9, 1.26, 3, false, VERDICT_INCONCLUSIVE, false, true },
		{ 5, 3, 7, 1, 9, 1.24, 3, false, VERDICT_REGRESSION, false, false },
		{ 5, 3, 7, 1, 9, -1.26, 5, false, VERDICT_INCONCLUSIVE, false, true },
		{ 0.1, -1, 1.2, -1, 1.2, 1.01, 3, true, VERDICT_INCONCLUSIVE, false, true },
		{ 0.1, -1, 1.2, -1, 1.2, 0.99, 3, true, VERDICT_NO_CHANGE, false, false },
		{ 5, 3, 7, 1, 9, 4, 7, false, VERDICT_REGRESSION, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		struct sandwich sandwich = { .n_boots = row->n_boots };
		struct interval interval = {
			.estimate_pct = row->estimate, .has_bounds = true,
			.ci95 = { row->low95, row->high95 }, .ci99 = { row->low99, row->high99 },
		};
		struct verdict_rule rule = { .threshold_pct = 2, .is_single_look = row->is_single_look };
		struct verdict_result result;

		sandwich.variants[SUMMARY_MEAN].delta_pct = row->estimate;
		sandwich.variants[SUMMARY_MEAN].drift_pct = row->drift;
		result = verdict_make(&sandwich, &interval, &rule);
		if (result.verdict != row->verdict || result.is_below_threshold != row->is_below ||
		    result.is_drift_gate != row->is_gate) {
			print_error("row %zu: verdict %d below %d gate %d\n", i, (int)result.verdict,
				    result.is_below_threshold, result.is_drift_gate);
			fail();
		}
	}
}

static void test_golden(void **state)
{
	struct boots boots;
	struct sandwich sandwich;
	struct interval interval;
	struct verdict_rule rule = { .threshold_pct = 2, .is_single_look = true };

	(void)state;
	boots_golden(&boots);
	assert_int_equal(sandwich_make(boots.samples, boots.summaries, 3, 2, &sandwich, NULL), 0);
	assert_int_equal(interval_make(boots.samples, boots.summaries, 3, NULL, &interval, NULL), 0);
	assert_int_equal(verdict_make(&sandwich, &interval, &rule).verdict, VERDICT_REGRESSION);
	assert_six(verdict_make(&sandwich, &interval, &rule).drift_limit_pct, 39.773716 / 4);
	rule.is_higher_better = true;
	assert_int_equal(verdict_make(&sandwich, &interval, &rule).verdict, VERDICT_IMPROVEMENT);
	/* Not asked for exactly three boots: 99 % at one degree of freedom says nothing. */
	rule.is_single_look = false;
	assert_int_equal(verdict_make(&sandwich, &interval, &rule).verdict, VERDICT_INCONCLUSIVE);
}

static void test_without_bounds(void **state)
{
	struct sandwich sandwich = { .n_boots = 3 };
	struct interval interval = { .estimate_pct = 50 };
	struct verdict_rule rule = { .threshold_pct = 2 };

	(void)state;
	assert_int_equal(verdict_make(&sandwich, &interval, &rule).verdict, VERDICT_INCONCLUSIVE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_without_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
