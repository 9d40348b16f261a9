// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figures that come from values in their order: median and quantiles. Pure.
 */
#pragma once

#include <stddef.h>

/* Ascending, in place. */
void ranked_sort(double *values, size_t n);
/* Of at least one value; sorts them in place. */
double ranked_median(double *values, size_t n);
/* The smallest of the sorted values that @fraction of all do not exceed. */
double ranked_quantile(const double *sorted, size_t n, double fraction);
