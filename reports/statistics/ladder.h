// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attribution of a regression to parts of a change. Rungs in order: parent, child,
 * probe 1 .. probe m, each probe holding the change of the one before and one more;
 * booted in that order and back, the last probe (the turn) once. Pure.
 *
 *   R_k = 100 (child - probe k) / (child - parent)      recovered by probe k
 *   share of probe k = R_k - R_(k-1), R_0 = 0           may be negative
 *   combined = R_m, residual = 100 - R_m
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define LADDER_RUNGS_MAX 64

struct ladder_rung {
	bool is_single;          /* the turn: one boot, no drift */
	double mean;             /* of its two boots; the turn's one */
	double drift_pct;        /* 100 (second / first - 1); NAN for the turn */
	double recovered_pct;    /* R_k: 0 for the child, 100 for the parent */
	double share_pct;        /* probes only; NAN else */
};

struct ladder {
	size_t n_rungs;
	struct ladder_rung rungs[LADDER_RUNGS_MAX];
	double original_pct;     /* 100 (child / parent - 1) */
	double combined_pct;
	double residual_pct;
};

/*
 * @means holds the means of 2 n_rungs - 1 boots in the order booted, all greater than
 * zero. -EINVAL for fewer than three rungs or a child equal to its parent, -E2BIG.
 */
int ladder_make(const double *means, size_t n_rungs, struct ladder *ret_ladder, struct error *err);
