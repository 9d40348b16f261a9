// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The least-squares fit beneath interval.c and sweep.c: one indicator a kernel and, from
 * seven boots on, a linear drift. Private to reports/statistics. Pure.
 */
#pragma once

#include "reports/statistics/interval.h"

#define INTERVAL_SLOPE_BOOTS_MIN 7
#define INTERVAL_KERNELS_MAX 64
/* Below this, in (100 ln)^2, a variance is rounding: a double's 100 ln is good to 1e-13. */
#define INTERVAL_ZERO_VARIANCE 1e-22

struct interval_model {
	size_t n;                        /* boots run */
	size_t n_kernels;
	bool has_slope;
	double y[INTERVAL_BOOTS_MAX];
	double t[INTERVAL_BOOTS_MAX];
	double process_variance[INTERVAL_BOOTS_MAX]; /* var(100 ln v)/n of each boot */
	size_t kernel[INTERVAL_BOOTS_MAX];
	bool is_kept[INTERVAL_BOOTS_MAX];
	double history_variance;
	double history_nu;               /* 0: not used */
};

/* A fit of the boots kept. Kernel 0 is the baseline. */
struct interval_fit {
	double n[INTERVAL_KERNELS_MAX];
	double y_mean[INTERVAL_KERNELS_MAX];
	double t_mean[INTERVAL_KERNELS_MAX];
	double n_kept;
	double t_squares;                /* within kernels */
	double slope;
	double rss;
	double floor;
	double df;
	double s2;
};

/* One kernel against another: the variance of b is s2 vb. */
struct interval_contrast {
	double b;                        /* 100 ln units */
	double vb;
};

/*
 * Copies what it needs; @history may be NULL. @kernels[i] is boot i's kernel, below
 * @n_kernels <= INTERVAL_KERNELS_MAX; each has a boot. The slope is in the model where it
 * leaves two degrees of freedom.
 */
void interval_model_init(struct interval_model *model, const struct sample *samples,
			 const struct summary *summaries, const size_t *kernels, size_t n_boots,
			 size_t n_kernels, const struct interval_history *history);
/* Fits the boots that are kept; every kernel must have one. */
struct interval_fit interval_fit_model(const struct interval_model *model);
struct interval_contrast interval_contrast(const struct interval_fit *fit, size_t base, size_t kernel);
/* |t| of one boot, its own residual kept out of the scatter; 0 if it cannot be judged. */
double interval_studentised(const struct interval_model *model, const struct interval_fit *fit,
			    size_t boot);
/*
 * Marks outlier boots as not kept: the worst one again and again, then back all that came
 * after the last one beyond its critical value (two bad boots cannot hide each other).
 * @excluded has room for INTERVAL_EXCLUDED_MAX; returns how many there are.
 */
size_t interval_exclude_outliers(struct interval_model *model, struct interval_exclusion *excluded);
/* Of 100 ln units in percent; the point itself where @variance is 0. */
struct interval_bounds interval_bounds_at(double b, double variance, double df, double quantile);
/* At 99 %. */
bool interval_is_slope_significant(const struct interval_fit *fit);
