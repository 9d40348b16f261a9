// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gap recovery of the nine published boots (sums of 15 processes, ns/page), and what a
 * ladder refuses.
 */
#include "reports/statistics/tests/vectors.h"

#include <errno.h>

#include "reports/statistics/ladder.h"
#include "reports/statistics/orders.h"

/* parent, child, fastpath, folioonly, nofolio and back. */
static const double published_sums[9] = { 581, 794, 702, 704, 609, 703, 704, 795, 583 };

static void test_order(void **state)
{
	static const size_t expected[9] = { 0, 1, 2, 3, 4, 3, 2, 1, 0 };

	(void)state;
	for (size_t i = 0; i < 9; i++)
		assert_int_equal(order_ladder(5, i), expected[i]);
}

static void test_published(void **state)
{
	struct ladder ladder;
	double means[9];

	(void)state;
	for (size_t i = 0; i < 9; i++)
		means[i] = published_sums[i] / 15;
	assert_int_equal(ladder_make(means, 5, &ladder, NULL), 0);
	assert_six(ladder.rungs[2].share_pct, 43.058824);
	assert_six(ladder.rungs[3].share_pct, -0.235294);
	assert_six(ladder.rungs[4].share_pct, 44.470588);
	assert_six(ladder.combined_pct, 87.294118);
	assert_six(ladder.residual_pct, 12.705882);
	assert_six(ladder.original_pct, 36.512027);
	assert_six(ladder.rungs[0].mean, 38.8);
	assert_six(ladder.rungs[0].recovered_pct, 100);
	assert_six(ladder.rungs[1].recovered_pct, 0);
	assert_six(ladder.rungs[1].mean, 794.5 / 15);
	assert_six(ladder.rungs[0].drift_pct, 100 * (583.0 / 581 - 1));
	assert_true(isnan(ladder.rungs[0].share_pct) && isnan(ladder.rungs[1].share_pct));
	assert_true(ladder.rungs[4].is_single && isnan(ladder.rungs[4].drift_pct));
	assert_six(ladder.rungs[4].mean, 40.6);
	assert_false(ladder.rungs[3].is_single);
}

static void test_refusals(void **state)
{
	static const double flat[5] = { 38, 38, 37, 39, 39 };
	static const double equal[5] = { 38, 39, 37, 38, 39 };
	struct ladder ladder = { .n_rungs = 4711 };
	struct error err = { "" };

	(void)state;
	assert_int_equal(ladder_make(equal, 3, &ladder, &err), -EINVAL);
	assert_non_null(strstr(err.text, "the same mean (38.5)"));
	assert_int_equal(ladder_make(flat, 2, &ladder, &err), -EINVAL);
	assert_non_null(strstr(err.text, "one probe at least"));
	assert_int_equal(ladder_make(flat, LADDER_RUNGS_MAX + 1, &ladder, &err), -E2BIG);
	assert_int_equal(ladder.n_rungs, 4711);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
