// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The classic figures of a sandwich (parent, child, parent, ...): midpoint, delta,
 * drift, for the mean and for each robust variant, and whether the variants agree.
 * Every boot counts here, also one that the interval leaves out. Pure.
 */
#pragma once

#include "reports/statistics/summary.h"

struct sandwich_figures {
	bool is_present;         /* false: a boot lacks this variant (drop-first of one value) */
	double midpoint;         /* mean over the child boots of each one's midpoint */
	double child;            /* mean of the child boots */
	double delta_pct;        /* mean over the child boots of 100 (child_j / midpoint_j - 1) */
	double drift_pct;        /* last parent boot against the first */
	double worst_step_pct;   /* the largest step between neighbouring parent boots, signed */
	/* Against the mean's delta; always false for the mean itself. */
	bool is_sign_changed;
	bool is_moved;           /* by more than half the threshold */
};

struct sandwich {
	size_t n_boots;
	size_t n_children;
	struct sandwich_figures variants[SUMMARY_VARIANT_COUNT];
	bool is_quantised;       /* every value of every boot is a whole number */
};

/*
 * Midpoint_j is the mean of the parent boots just before and just after child boot j.
 * -EINVAL when a child boot lacks a parent boot on one side, or there is no child.
 * @summaries[i] belongs to @samples[i]; @samples are in the order booted.
 */
int sandwich_make(const struct sample *samples, const struct summary *summaries,
		  size_t n_boots, double threshold_pct, struct sandwich *ret_sandwich,
		  struct error *err);
