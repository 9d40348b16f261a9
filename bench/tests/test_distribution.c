// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The histogram against figures computed from all values at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench/distribution.h"
#include "common/cleanup.h"


/* cmocka's own comparison is in single precision. */
static bool is_near(double value, double expected, double tolerance)
{
	return fabs(value - expected) <= tolerance * fabs(expected);
}

static void test_small_values_are_exact(void **state)
{
	_cleanup_distribution_ struct distribution *d = distribution_new();

	(void)state;
	for (uint64_t i = 1; i <= 100; i++)
		distribution_record(d, i);
	assert_true(distribution_mean_ns(d) == 50.5);
	assert_true(is_near(distribution_sd_ns(d), 29.011491975882016, 1e-12));
	assert_true(distribution_quantile_ns(d, 0.50) == 50);
	assert_true(distribution_quantile_ns(d, 0.90) == 90);
	assert_true(distribution_quantile_ns(d, 0.99) == 99);
	assert_true(distribution_quantile_ns(d, 0) == 1);
	assert_true(distribution_quantile_ns(d, 1) == 100);
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* Nine decades of durations: every quantile within 0.05 % of the sorted values' own. */
static void test_large_values_within_resolution(void **state)
{
	enum { N = 20000 };
	_cleanup_distribution_ struct distribution *d = distribution_new();
	_cleanup_free_ uint64_t *values = calloc(N, sizeof(*values));
	uint64_t random = 88172645463325252ULL;
	long double sum = 0;
	long double squares = 0;

	(void)state;
	for (int i = 0; i < N; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		values[i] = random >> (24 + random % 31);
		sum += values[i];
		distribution_record(d, values[i]);
	}
	for (int i = 0; i < N; i++)
		squares += (values[i] - sum / N) * (values[i] - sum / N);
	qsort(values, N, sizeof(*values), compare);
	assert_true(is_near(distribution_mean_ns(d), (double)(sum / N), 1e-12));
	assert_true(is_near(distribution_sd_ns(d), (double)sqrtl(squares / (N - 1)), 1e-9));
	assert_int_equal(d->min_ns, values[0]);
	assert_int_equal(d->max_ns, values[N - 1]);
	for (int percent = 1; percent < 100; percent++) {
		int rank = N * percent / 100;
		double exact = (double)values[rank - 1];
		double got = distribution_quantile_ns(d, percent / 100.0);

		assert_true(fabs(got - exact) <= exact * 0.0005);
	}
}

static void test_bucket_borders(void **state)
{
	(void)state;
	for (unsigned int bit = 9; bit < 40; bit++) {
		for (unsigned int step = 0; step <= 2; step++) {
			_cleanup_distribution_ struct distribution *d = distribution_new();
			uint64_t value = (1ULL << bit) - 1 + step;

			/* Between a far smaller and a far larger one, so that no extreme clamps it. */
			distribution_record(d, 1);
			distribution_record(d, value);
			distribution_record(d, 1ULL << 41);
			assert_true(fabs(distribution_quantile_ns(d, 0.5) - (double)value) <=
				    (double)value * 0.0005);
		}
	}
}

/* Beyond 2^40 ns the histogram ends, the exact figures do not. */
static void test_overflow_is_clamped(void **state)
{
	_cleanup_distribution_ struct distribution *d = distribution_new();

	(void)state;
	distribution_record(d, UINT64_MAX / 4);
	distribution_record(d, 10);
	assert_int_equal(d->max_ns, UINT64_MAX / 4);
	assert_true(distribution_quantile_ns(d, 0.5) == 10);
	assert_true(distribution_quantile_ns(d, 1) <= (double)d->max_ns);
}

static void test_json(void **state)
{
	_cleanup_distribution_ struct distribution *d = distribution_new();
	_cleanup_json_ json_t *none = distribution_to_json(d, "ns/page", 4);

	(void)state;
	assert_true(json_is_null(none));
	distribution_record(d, 10);

	_cleanup_json_ json_t *one = distribution_to_json(d, "ns/page", 4);

	assert_true(json_real_value(json_object_get(one, "mean")) == 2.5);
	assert_true(json_is_null(json_object_get(one, "sd")));
	distribution_record(d, 20);

	_cleanup_json_ json_t *two = distribution_to_json(d, "ns/page", 4);

	assert_string_equal(json_string_value(json_object_get(two, "unit")), "ns/page");
	assert_true(json_real_value(json_object_get(two, "mean")) == 3.75);
	assert_true(is_near(json_real_value(json_object_get(two, "sd")), 1.7677669529663689, 1e-12));
	assert_true(json_real_value(json_object_get(two, "min")) == 2.5);
	assert_true(json_real_value(json_object_get(two, "max")) == 5);
	assert_int_equal(json_integer_value(json_object_get(two, "n")), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_values_are_exact),
		cmocka_unit_test(test_large_values_within_resolution),
		cmocka_unit_test(test_bucket_borders),
		cmocka_unit_test(test_overflow_is_clamped),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
