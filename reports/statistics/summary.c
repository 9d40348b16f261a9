// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Summaries of one boot's values. Comparing boots is left to sandwich.c and
 * interval.c.
 */
#include "reports/statistics/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

double summary_mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i] - values[0];
	return values[0] + sum / (double)n;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

static double sorted_median(const double *sorted, size_t n)
{
	if (n % 2)
		return sorted[n / 2];
	return sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

static double standard_deviation(const double *values, size_t n, double mean)
{
	double squares = 0;

	if (n < 2)
		return (double)NAN;
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return sqrt(squares / (double)(n - 1));
}

static int check_values(const double *values, size_t n, struct error *err)
{
	if (!n)
		return error_set(err, -EINVAL, "there is no measured value");
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]) || values[i] <= 0)
			return error_set(err, -EINVAL,
					 "value %zu is %g; every measured value must be finite and greater than zero",
					 i + 1, values[i]);
	}
	return 0;
}

int summary_make(const double *values, size_t n, struct summary *ret_summary, struct error *err)
{
	_cleanup_free_ double *sorted = NULL;
	struct summary summary = { .n = n, .is_whole = true };
	size_t trim = n / 10;
	double mean;
	int r;

	r = check_values(values, n, err);
	if (r < 0)
		return r;
	sorted = malloc(n * sizeof(*sorted));
	if (!sorted)
		return error_set(err, -ENOMEM, "out of memory for %zu values", n);
	memcpy(sorted, values, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_doubles);

	mean = summary_mean(values, n);
	summary.sd = standard_deviation(values, n, mean);
	summary.cv_pct = 100 * summary.sd / mean;
	summary.minimum = sorted[0];
	summary.maximum = sorted[n - 1];
	summary.location[SUMMARY_MEAN] = mean;
	summary.location[SUMMARY_DROP_FIRST] =
		n > 1 ? summary_mean(values + 1, n - 1) : (double)NAN;
	summary.location[SUMMARY_MEDIAN] = sorted_median(sorted, n);
	summary.location[SUMMARY_TRIMMED] = summary_mean(sorted + trim, n - 2 * trim);
	for (size_t i = 0; i < n; i++)
		summary.is_whole = summary.is_whole && values[i] == rint(values[i]);
	*ret_summary = summary;
	return 0;
}
