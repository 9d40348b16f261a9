// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Summaries against the published figures, and what they refuse.
 */
#include "reports/statistics/tests/vectors.h"

#include <errno.h>

static void test_golden(void **state)
{
	static const double expected[3][SUMMARY_VARIANT_COUNT + 2] = {
		{ 38.133333, 38.214286, 38, 38.153846, 0.743223, 1.949012 },
		{ 53.533333, 53.571429, 54, 53.538462, 0.516398, 0.964628 },
		{ 38.466667, 38.571429, 39, 38.538462, 0.639940, 1.663623 },
	};
	struct boots boots;

	(void)state;
	boots_golden(&boots);
	for (size_t i = 0; i < 3; i++) {
		for (size_t variant = 0; variant < SUMMARY_VARIANT_COUNT; variant++)
			assert_six(boots.summaries[i].location[variant], expected[i][variant]);
		assert_six(boots.summaries[i].sd, expected[i][SUMMARY_VARIANT_COUNT]);
		assert_six(boots.summaries[i].cv_pct, expected[i][SUMMARY_VARIANT_COUNT + 1]);
		assert_true(boots.summaries[i].is_whole);
		assert_int_equal(boots.summaries[i].n, 15);
	}
	assert_six(boots.summaries[0].minimum, 37);
	assert_six(boots.summaries[1].maximum, 54);
}

/* The first of the processes goes, not the last and not the smallest. */
static void test_drop_first(void **state)
{
	const double values[] = { 5, 1, 2, 3 };
	struct summary summary;

	(void)state;
	assert_int_equal(summary_make(values, 4, &summary, NULL), 0);
	assert_six(summary.location[SUMMARY_DROP_FIRST], 2);
	assert_six(summary.location[SUMMARY_MEDIAN], 2.5);
}

/* n/10 in whole numbers at each side: 9 values lose none, 20 lose two at each side. */
static void test_trim(void **state)
{
	double values[20];
	struct summary summary;

	(void)state;
	for (size_t i = 0; i < 20; i++)
		values[i] = 10;
	values[0] = 1000;
	values[7] = 1;
	assert_int_equal(summary_make(values, 9, &summary, NULL), 0);
	assert_six(summary.location[SUMMARY_TRIMMED], (1000 + 1 + 70) / 9.0);
	values[3] = 12;
	values[4] = 8;
	values[5] = 11;
	assert_int_equal(summary_make(values, 20, &summary, NULL), 0);
	/* 1 and 8 go below, 1000 and 12 above. */
	assert_six(summary.location[SUMMARY_TRIMMED], (11 + 15 * 10) / 16.0);
}

static void test_one_value(void **state)
{
	const double value = 3.5;
	struct summary summary;

	(void)state;
	assert_int_equal(summary_make(&value, 1, &summary, NULL), 0);
	assert_six(summary.location[SUMMARY_MEAN], 3.5);
	assert_six(summary.location[SUMMARY_TRIMMED], 3.5);
	assert_true(isnan(summary.sd));
	assert_true(isnan(summary.location[SUMMARY_DROP_FIRST]));
	assert_false(summary.is_whole);
}

static void test_equal_values_are_exact(void **state)
{
	double values[15];
	struct summary summary;

	(void)state;
	for (size_t i = 0; i < 15; i++)
		values[i] = 113.1;
	assert_int_equal(summary_make(values, 15, &summary, NULL), 0);
	assert_true(summary.location[SUMMARY_MEAN] >= 113.1 && summary.location[SUMMARY_MEAN] <= 113.1);
	assert_true(summary.sd >= 0 && summary.sd <= 0);
}

static void test_refusals(void **state)
{
	const double bad[] = { 0, -1, (double)NAN, (double)INFINITY };
	struct summary summary = { .n = 77 };
	struct error err = { "" };

	(void)state;
	assert_int_equal(summary_make(NULL, 0, &summary, &err), -EINVAL);
	for (size_t i = 0; i < 4; i++) {
		double values[] = { 1, bad[i] };

		err.text[0] = '\0';
		assert_int_equal(summary_make(values, 2, &summary, &err), -EINVAL);
		assert_non_null(strstr(err.text, "value 2"));
	}
	assert_int_equal(summary.n, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_drop_first),
		cmocka_unit_test(test_trim),
		cmocka_unit_test(test_one_value),
		cmocka_unit_test(test_equal_values_are_exact),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
