// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The least-squares fit beneath interval.c: one indicator and, from seven boots on,
 * a linear drift. Private to reports/statistics. Pure.
 */
#pragma once

#include "reports/statistics/interval.h"

#define INTERVAL_SLOPE_BOOTS_MIN 7
/* Below this, in (100 ln)^2, a variance is rounding: a double's 100 ln is good to 1e-13. */
#define INTERVAL_ZERO_VARIANCE 1e-22

struct interval_model {
	size_t n;                        /* boots run */
	bool has_slope;
	double y[INTERVAL_BOOTS_MAX];
	double t[INTERVAL_BOOTS_MAX];
	double process_variance[INTERVAL_BOOTS_MAX]; /* var(100 ln v)/n of each boot */
	bool is_child[INTERVAL_BOOTS_MAX];
	bool is_kept[INTERVAL_BOOTS_MAX];
	double history_variance;
	double history_nu;               /* 0: not used */
};

/* A fit of the boots kept. Group 0 is the parent, 1 the child. */
struct interval_fit {
	double n[2];
	double y_mean[2];
	double t_mean[2];
	double t_squares;                /* within groups */
	double b;
	double slope;
	double rss;
	double floor;
	double own_df;                   /* without history */
	double df;
	double s2;
	double vb;
};

/* Copies what it needs of @samples and @summaries, @n_boots each; @history may be NULL. */
void interval_model_init(struct interval_model *model, const struct sample *samples,
			 const struct summary *summaries, size_t n_boots,
			 const struct interval_history *history);
/* Fits the boots that are kept; both kernels must have one. */
struct interval_fit interval_fit_model(const struct interval_model *model);
/* |t| of one boot, its own residual kept out of the scatter; 0 if it cannot be judged. */
double interval_studentised(const struct interval_model *model, const struct interval_fit *fit,
			    size_t boot);
