// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often the verdict is right on a machine of given noise: whole jobs are drawn at
 * random and judged by the very functions that judge real ones, look after look. Pure;
 * equal seeds give equal answers.
 */
#pragma once

#include <stdint.h>

#include "reports/statistics/verdict.h"

#define SIMULATE_PROCESSES_MAX 1000
#define SIMULATE_BOOTS_FIRST_MIN 3
#define SIMULATE_VERDICTS 4

/* The machine: SDs and effects in percent. */
struct simulate_world {
	double change_pct;       /* true change of the child */
	double boot_sd_pct;
	double process_sd_pct;   /* on top, within a boot */
	double drift_pct;        /* a boot */
	double outliers_pct;     /* share of boots that are 10 % slower */
	size_t n_processes;      /* a boot */
};

/* The job: boots at the first look, four more while inconclusive, up to the last. */
struct simulate_plan {
	double threshold_pct;
	size_t boots_first;      /* odd: parent, child, ..., parent */
	size_t boots_max;        /* equal to the first: one look, judged by the 95 % interval */
	struct interval_history history; /* nu0 0: none */
};

struct simulate_outcome {
	size_t n_runs;
	size_t n_verdicts[SIMULATE_VERDICTS]; /* by enum verdict, at the look that ended the job */
	double boots_mean;
};

/* -EINVAL for a plan or world that cannot be. Takes about a second for 20000 runs of 7 boots. */
int simulate_verdict(const struct simulate_world *world, const struct simulate_plan *plan,
		     size_t n_runs, uint64_t seed, struct simulate_outcome *ret_outcome,
		     struct error *err);
