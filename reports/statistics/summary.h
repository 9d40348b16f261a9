// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One boot's measured values as numbers: n, mean, SD, CV, extremes, and the three
 * robust variants of the mean. Pure; a figure that does not exist is NAN.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* One fresh boot: what its measured processes gave, in the order they ran. */
struct sample {
	bool is_child;         /* false: the baseline kernel */
	double ordinal;        /* place among the boots; unit of the drift slope */
	const double *values;  /* borrowed; positive and finite */
	size_t n_values;
};

/* How one boot becomes one number. */
enum summary_variant {
	SUMMARY_MEAN,
	SUMMARY_DROP_FIRST,    /* mean without the first process */
	SUMMARY_MEDIAN,
	SUMMARY_TRIMMED,       /* mean without n/10 (integer) values at each side */
	SUMMARY_VARIANT_COUNT,
};

struct summary {
	size_t n;
	double sd;             /* n-1; NAN for one value */
	double cv_pct;         /* 100 sd / mean */
	double minimum;
	double maximum;
	double location[SUMMARY_VARIANT_COUNT]; /* drop-first of one value is NAN */
	bool is_whole;         /* every value is a whole number */
};

/*
 * -EINVAL for no value, or one that is not finite and positive (a ratio and a
 * logarithm are taken of means later), naming its place. -ENOMEM.
 */
int summary_make(const double *values, size_t n, struct summary *ret_summary,
		 struct error *err);

/* Means are summed about the first value, so that equal values give exactly that value. */
double summary_mean(const double *values, size_t n);
