// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorting doubles and picking from them.
 */
#include "reports/statistics/ranked.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

void ranked_sort(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare_doubles);
}

double ranked_median(double *values, size_t n)
{
	ranked_sort(values, n);
	if (n % 2)
		return values[n / 2];
	return values[n / 2 - 1] + (values[n / 2] - values[n / 2 - 1]) / 2;
}

double ranked_quantile(const double *sorted, size_t n, double fraction)
{
	double rank = ceil(fraction * (double)n);

	if (rank < 1)
		return sorted[0];
	return rank > (double)n ? sorted[n - 1] : sorted[(size_t)rank - 1];
}
