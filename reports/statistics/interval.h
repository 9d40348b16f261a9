// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The confidence interval of the delta. The boot is the unit of replication:
 *
 *   y_i = 100 ln(mean of boot i) = a + b child_i + c (t_i - tbar) + noise
 *
 * by ordinary least squares, the slope c only from seven boots on. Pure.
 * Quantiles of Student's t come from libRmath (qt).
 */
#pragma once

#include "reports/statistics/summary.h"

#define INTERVAL_BOOTS_MAX 512
#define INTERVAL_EXCLUDED_MAX (INTERVAL_BOOTS_MAX / 7 + 1)

/*
 * Boot-to-boot scatter measured by earlier jobs on this machine with this benchmark.
 * Used only if nu0 >= 5; more than 20 counts as 20.
 */
struct interval_history {
	double s0;               /* SD between boots of one kernel, in 100 ln units */
	double nu0;              /* its degrees of freedom; 0: no history */
};

struct interval_bounds {
	double low_pct;
	double high_pct;
};

struct interval_exclusion {
	size_t boot;             /* index into the samples */
	double studentised;      /* |t| when it was removed */
	double critical;
};

struct interval {
	size_t n_boots;          /* kept */
	double b;                /* 100 ln units */
	double estimate_pct;     /* 100 (exp(b/100) - 1) */
	double s;                /* sqrt(s2), after history and floor */
	double floor_s;          /* what the scatter of processes alone predicts */
	double vb;               /* variance of b is s2 vb */
	double df;
	bool has_slope;
	double slope;            /* 100 ln units a boot; 0 without slope */
	bool is_slope_significant; /* at 99 % */
	bool is_history_used;
	bool is_deterministic;   /* s2 = 0: the interval is the point */
	bool has_bounds;         /* false: df < 1, no interval exists */
	struct interval_bounds ci95;
	struct interval_bounds ci99;
	double mde_pct;          /* smallest change found with 80 % power at 99 % */
	size_t n_excluded;       /* outlier boots, in the order of removal */
	struct interval_exclusion excluded[INTERVAL_EXCLUDED_MAX];
};

/*
 * @history may be NULL. @summaries[i] belongs to @samples[i]. -EINVAL unless both
 * kernels were booted, -E2BIG beyond INTERVAL_BOOTS_MAX boots.
 */
int interval_make(const struct sample *samples, const struct summary *summaries,
		  size_t n_boots, const struct interval_history *history,
		  struct interval *ret_interval, struct error *err);

/* The same for boots of two jobs, which have no common order: never a slope, ordinals count for nothing. */
int interval_make_unordered(const struct sample *samples, const struct summary *summaries,
			    size_t n_boots, const struct interval_history *history,
			    struct interval *ret_interval, struct error *err);
