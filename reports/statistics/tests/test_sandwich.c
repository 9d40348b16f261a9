// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Midpoint, delta, drift and the agreement of the variants.
 */
#include "reports/statistics/tests/vectors.h"

#include <errno.h>

#include "reports/statistics/sandwich.h"

static struct sandwich make(struct boots *boots, double threshold_pct)
{
	struct sandwich sandwich;

	assert_int_equal(sandwich_make(boots->samples, boots->summaries, boots->n, threshold_pct,
				       &sandwich, NULL), 0);
	return sandwich;
}

static void test_golden(void **state)
{
	static const double expected[SUMMARY_VARIANT_COUNT][3] = {
		{ 38.300000, 39.773716, 0.874126 },
		{ 38.392857, 39.534884, 0.934579 },
		{ 38.5, 40.259740, 2.631579 },
		{ 38.346154, 39.618857, 1.008065 },
	};
	struct boots boots;
	struct sandwich sandwich;

	(void)state;
	boots_golden(&boots);
	sandwich = make(&boots, 2);
	for (size_t i = 0; i < SUMMARY_VARIANT_COUNT; i++) {
		assert_true(sandwich.variants[i].is_present);
		assert_six(sandwich.variants[i].midpoint, expected[i][0]);
		assert_six(sandwich.variants[i].delta_pct, expected[i][1]);
		assert_six(sandwich.variants[i].drift_pct, expected[i][2]);
		assert_six(sandwich.variants[i].worst_step_pct, expected[i][2]);
		assert_false(sandwich.variants[i].is_sign_changed);
		assert_false(sandwich.variants[i].is_moved);
	}
	assert_six(sandwich.variants[SUMMARY_MEAN].child, 53.533333);
	assert_true(sandwich.is_quantised);
}

/* Each child against its own neighbours; drift first to last; the worst single step. */
static void test_seven_boots(void **state)
{
	const double means[] = { 100, 110, 104, 115, 98, 107, 101 };
	struct boots boots;
	struct sandwich_figures mean;

	(void)state;
	boots_from_means(&boots, "PCPCPCP", means);
	mean = make(&boots, 2).variants[SUMMARY_MEAN];
	assert_six(mean.midpoint, (102 + 101 + 99.5) / 3);
	assert_six(mean.child, (110 + 115 + 107) / 3.0);
	assert_six(mean.delta_pct,
		   (100 * (110 / 102.0 - 1) + 100 * (115 / 101.0 - 1) + 100 * (107 / 99.5 - 1)) / 3);
	assert_six(mean.drift_pct, 1);
	assert_six(mean.worst_step_pct, 100 * (98 / 104.0 - 1));
}

static void test_sensitivity(void **state)
{
	/* The first process of the child alone makes the mean's delta. */
	const double parent[] = { 100, 100, 100, 100 };
	const double child[] = { 130, 99, 99, 99 };
	struct boots boots = { .n = 3 };
	struct sandwich sandwich;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		boots.samples[i] = (struct sample){
			.is_child = i == 1, .ordinal = (double)i,
			.values = i == 1 ? child : parent, .n_values = 4 };
	boots_summarise(&boots);
	sandwich = make(&boots, 2);
	assert_true(sandwich.variants[SUMMARY_DROP_FIRST].is_sign_changed);
	assert_true(sandwich.variants[SUMMARY_DROP_FIRST].is_moved);
	assert_false(sandwich.variants[SUMMARY_TRIMMED].is_moved);
	assert_false(sandwich.variants[SUMMARY_MEAN].is_moved);
	/* 7.75 points away: moved when half the threshold is 5 ... */
	assert_true(make(&boots, 10).variants[SUMMARY_DROP_FIRST].is_moved);
	/* ... not moved when half the threshold is 8. */
	sandwich = make(&boots, 16);
	assert_true(sandwich.variants[SUMMARY_DROP_FIRST].is_sign_changed);
	assert_false(sandwich.variants[SUMMARY_DROP_FIRST].is_moved);
}

static void test_not_quantised(void **state)
{
	const double means[] = { 100, 110, 100.5 };
	struct boots boots;

	(void)state;
	boots_from_means(&boots, "PCP", means);
	assert_false(make(&boots, 2).is_quantised);
}

static void test_refusals(void **state)
{
	static const char *const orders[] = { "PP", "PC", "CP", "CPC", "PCPC" };
	const double means[] = { 100, 110, 100, 110 };
	struct sandwich sandwich = { .n_boots = 99 };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct boots boots;
		struct error err = { "" };

		boots_from_means(&boots, orders[i], means);
		assert_int_equal(sandwich_make(boots.samples, boots.summaries, boots.n, 2,
					       &sandwich, &err), -EINVAL);
		assert_true(err.text[0] != '\0');
	}
	assert_int_equal(sandwich.n_boots, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_seven_boots),
		cmocka_unit_test(test_sensitivity),
		cmocka_unit_test(test_not_quantised),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
