// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several kernels booted in turn: each one's difference from the first with its
 * interval, and the release window, the neighbours in list order whose difference is
 * the clearest. The model is interval.h's with one indicator a kernel. Pure.
 */
#pragma once

#include "reports/statistics/interval.h"

#define SWEEP_KERNELS_MAX 64

/* One kernel against another. */
struct sweep_contrast {
	double b;                /* 100 ln units */
	double estimate_pct;     /* 100 (exp(b/100) - 1) */
	double vb;               /* the variance of b is s2 vb */
	double t;                /* b / sqrt(s2 vb); NAN without degrees of freedom or scatter */
	struct interval_bounds ci95; /* with has_bounds only */
	struct interval_bounds ci99;
};

struct sweep_kernel {
	size_t n_boots;
	double mean;             /* of its boots' means, all boots */
	double delta_pct;        /* of that mean against the first kernel's: the classic figure */
	struct sweep_contrast against_first; /* zero for the first itself */
};

struct sweep {
	size_t n_kernels;
	size_t n_kept;           /* boots in the model */
	struct sweep_kernel kernels[SWEEP_KERNELS_MAX];
	size_t window;           /* the release window leads from kernel window to window + 1 */
	struct sweep_contrast window_contrast;
	double s;                /* between boots, 100 ln units */
	double floor_s;
	double df;
	bool has_bounds;         /* false: df < 1, no interval exists */
	bool is_history_used;
	bool is_deterministic;   /* s2 = 0 */
	bool has_slope;
	double slope;            /* 100 ln units a boot */
	bool is_slope_significant;
	bool is_quantised;       /* every value of every boot is a whole number */
	size_t n_excluded;
	struct interval_exclusion excluded[INTERVAL_EXCLUDED_MAX];
};

/*
 * @kernels[i] is the place in the list of boot i's kernel. -EINVAL for fewer than two
 * kernels or one without a boot, -E2BIG beyond the limits.
 */
int sweep_make(const struct sample *samples, const struct summary *summaries,
	       const size_t *kernels, size_t n_boots, size_t n_kernels,
	       const struct interval_history *history, struct sweep *ret_sweep, struct error *err);
