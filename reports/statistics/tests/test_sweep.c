// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sweep against an independent least-squares solution, its order, and the published
 * release window.
 */
#include "reports/statistics/tests/vectors.h"

#include <errno.h>
#include <stdlib.h>

#include "reports/statistics/orders.h"
#include "reports/statistics/sweep.h"

static void check_order(size_t n_kernels, const char *expected)
{
	for (size_t i = 0; expected[i]; i++)
		assert_int_equal(order_sweep(n_kernels, i), expected[i] - '0');
}

static void test_order(void **state)
{
	(void)state;
	check_order(2, "01101001");
	check_order(3, "012210" "120021" "201102");
	check_order(4, "0132231012033021");
	check_order(1, "0000");
}

/* The sum of each kernel's places is the same over every pair of rounds. */
static void test_order_cancels_drift(void **state)
{
	(void)state;
	for (size_t n_kernels = 2; n_kernels <= 9; n_kernels++) {
		for (size_t pair = 0; pair < 4; pair++) {
			size_t sums[9] = { 0 };

			for (size_t i = 0; i < 2 * n_kernels; i++)
				sums[order_sweep(n_kernels, 2 * n_kernels * pair + i)] += i;
			for (size_t i = 0; i < n_kernels; i++)
				assert_int_equal(sums[i], 2 * n_kernels - 1);
		}
	}
}

static struct sweep make(struct boots *boots, const char *order, const double *means,
			 size_t n_kernels)
{
	size_t kernels[BOOTS_MAX];
	struct sweep sweep;

	boots_from_means(boots, order, means);
	for (size_t i = 0; i < boots->n; i++)
		kernels[i] = (size_t)(order[i] - '0');
	assert_int_equal(sweep_make(boots->samples, boots->summaries, kernels, boots->n, n_kernels,
				    NULL, &sweep, NULL), 0);
	return sweep;
}

static void test_with_slope(void **state)
{
	static const double means[] = { 100, 103.2, 101.1, 101.4, 104.0, 100.9, 103.8, 102.2, 101.3 };
	struct boots boots;
	struct sweep sweep = make(&boots, "012210120", means, 3);
	const struct sweep_contrast *contrast = &sweep.kernels[1].against_first;

	(void)state;
	assert_true(sweep.has_slope && sweep.has_bounds && !sweep.n_excluded);
	assert_six(sweep.df, 5);
	assert_six(sweep.s, 0.186974);
	assert_six(sweep.slope, 0.166744);
	assert_six(contrast->b, 2.982469);
	assert_six(contrast->estimate_pct, 3.027391);
	assert_six(contrast->vb, 0.674157);
	assert_six(contrast->t, 19.427413);
	assert_six(contrast->ci95.low_pct, 2.621613);
	assert_six(contrast->ci95.high_pct, 3.434773);
	assert_six(contrast->ci99.low_pct, 2.391612);
	assert_six(contrast->ci99.high_pct, 3.667117);
	contrast = &sweep.kernels[2].against_first;
	assert_six(contrast->estimate_pct, 0.883743);
	assert_six(contrast->ci99.low_pct, 0.263783);
	assert_six(contrast->ci99.high_pct, 1.507535);
	assert_int_equal(sweep.window, 0);
	assert_six(sweep.window_contrast.t, 19.427413);
	assert_six(sweep.kernels[0].mean, (100 + 100.9 + 101.3) / 3);
	assert_int_equal(sweep.kernels[2].n_boots, 3);
}

static void test_without_slope(void **state)
{
	static const double means[] = { 100, 103.2, 101.1, 100.5, 102.9, 101.7 };
	struct boots boots;
	struct sweep sweep = make(&boots, "012012", means, 3);

	(void)state;
	assert_false(sweep.has_slope);
	assert_six(sweep.df, 3);
	assert_six(sweep.s, 0.337549);
	assert_six(sweep.kernels[1].against_first.ci95.low_pct, 1.694900);
	assert_six(sweep.kernels[1].against_first.ci99.high_pct, 4.840005);
	assert_six(sweep.kernels[2].against_first.t, 3.378694);
}

/* Two kernels are the model of the interval, with its slope and its outlier rule. */
static void test_two_kernels_are_the_interval(void **state)
{
	static const double means[] = { 100, 103.2, 100.6, 103.9, 110.99, 104.1, 101.5 };
	struct boots boots;
	struct sweep sweep = make(&boots, "0101010", means, 2);

	(void)state;
	assert_int_equal(sweep.n_excluded, 1);
	assert_int_equal(sweep.excluded[0].boot, 4);
	assert_six(sweep.excluded[0].studentised, 61.715796);
	assert_six(sweep.kernels[1].against_first.b, 2.890191);
	assert_six(sweep.s, 0.128949);
	assert_six(sweep.kernels[1].against_first.vb, 0.670833);
	assert_six(sweep.kernels[1].against_first.ci99.high_pct, 3.569302);
	assert_int_equal(sweep.n_kept, 6);
}

/* One boot each, ns/page as published: 6.16, 6.17, 6.18, 6.18.19, 6.19.9. */
static void test_release_window(void **state)
{
	static const double values[5][3] = {
		{ 25, 25, 25 }, { 37, 37, 37 }, { 38, 38, 38 }, { 38, 38, 38 }, { 37, 36, 37 },
	};
	static const size_t kernels[5] = { 0, 1, 2, 3, 4 };
	struct boots boots = { .n = 5 };
	struct sweep sweep;

	(void)state;
	for (size_t i = 0; i < 5; i++)
		boots.samples[i] = (struct sample){
			.ordinal = (double)i, .values = values[i], .n_values = 3,
		};
	boots_summarise(&boots);
	assert_int_equal(sweep_make(boots.samples, boots.summaries, kernels, 5, 5, NULL, &sweep,
				    NULL), 0);
	assert_false(sweep.has_bounds);
	assert_six(sweep.df, 0);
	assert_true(isnan(sweep.window_contrast.t));
	assert_int_equal(sweep.window, 0);
	assert_six(sweep.window_contrast.estimate_pct, 48);
	assert_six(sweep.kernels[1].delta_pct, 48);
	assert_six(sweep.kernels[2].delta_pct, 52);
	assert_six(sweep.kernels[4].mean, 36.666667);
	assert_six(boots.summaries[4].cv_pct, 1.574592);
	assert_true(sweep.is_quantised);
	assert_six(sweep.kernels[4].delta_pct, 46.666667);
}

/* The clearest step may be the last one, and downwards. */
static void test_window_at_the_end(void **state)
{
	static const double means[] = { 100, 101, 90, 90.1, 101.2, 100.1 };
	struct boots boots;
	struct sweep sweep = make(&boots, "012210", means, 3);

	(void)state;
	assert_int_equal(sweep.window, 1);
	assert_true(sweep.window_contrast.estimate_pct < -10);
}

static void test_history_gives_bounds(void **state)
{
	static const double means[] = { 100, 103, 101 };
	static const size_t kernels[] = { 0, 1, 2 };
	const struct interval_history history = { .s0 = 0.5, .nu0 = 8 };
	struct boots boots;
	struct sweep sweep = make(&boots, "012", means, 3);

	(void)state;
	assert_false(sweep.has_bounds);
	assert_int_equal(sweep_make(boots.samples, boots.summaries, kernels, 3, 3, &history, &sweep,
				    NULL), 0);
	assert_true(sweep.has_bounds);
	assert_six(sweep.s, 0.5);
	assert_six(sweep.df, 8);
}

static void test_deterministic(void **state)
{
	static const double means[] = { 100, 103, 103, 100 };
	struct boots boots;
	struct sweep sweep = make(&boots, "0110", means, 2);

	(void)state;
	assert_true(sweep.is_deterministic);
	assert_six(sweep.kernels[1].against_first.ci99.low_pct, 3);
	assert_six(sweep.kernels[1].against_first.ci99.high_pct, 3);
}

static void test_refusals(void **state)
{
	static const double means[] = { 100, 103, 101 };
	static const size_t missing[] = { 0, 2, 0 };
	struct sweep sweep;
	struct boots boots;
	struct error err = { "" };

	(void)state;
	boots_from_means(&boots, "PCP", means);
	assert_int_equal(sweep_make(boots.samples, boots.summaries, missing, 3, 3, NULL, &sweep, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "kernel 2 of the sweep has no boot"));
	assert_int_equal(sweep_make(boots.samples, boots.summaries, missing, 3, 1, NULL, &sweep, &err),
			 -EINVAL);
	assert_int_equal(sweep_make(boots.samples, boots.summaries, missing, 3, 2, NULL, &sweep, &err),
			 -EINVAL);
	assert_int_equal(sweep_make(boots.samples, boots.summaries, missing, 3,
				    SWEEP_KERNELS_MAX + 1, NULL, &sweep, &err), -E2BIG);
	assert_int_equal(sweep_make(boots.samples, boots.summaries, missing, INTERVAL_BOOTS_MAX + 1,
				    3, NULL, &sweep, &err), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_order_cancels_drift),
		cmocka_unit_test(test_with_slope),
		cmocka_unit_test(test_without_slope),
		cmocka_unit_test(test_two_kernels_are_the_interval),
		cmocka_unit_test(test_release_window),
		cmocka_unit_test(test_window_at_the_end),
		cmocka_unit_test(test_history_gives_bounds),
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
