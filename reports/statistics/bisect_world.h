// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A made-up machine and history to try a bisection on: one commit of many changed the
 * level, boots scatter and drift, some go badly wrong, some commits do not build. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/statistics/random.h"

#define BISECT_WORLD_COMMITS_MAX 1000000

struct bisect_world_options {
	size_t commits;           /* 0 is good, this one is bad */
	double step_pct;          /* what the culprit changes; 0: there is none */
	double boot_sd_pct;       /* between boots of one kernel */
	double process_sd_pct;    /* between the 15 processes of a boot */
	double drift_pct;         /* each boot against the one before */
	double outliers_pct;      /* of the boots, which are 10 % slower */
	double unbuildable_pct;   /* of the commits: half of them alone, half in runs of about 8 */
	double commit_sd_pct;     /* what a commit changes by itself, not passed on */
	uint64_t seed;
};

struct bisect_world {
	struct bisect_world_options options;
	size_t culprit;           /* 1 .. commits; 0: none */
	bool *is_unbuildable;
	double *effect;           /* of each commit, 100 ln */
	uint64_t number;
	struct random_stream noise;
	size_t n_boots;
};

/* -EINVAL with what is wrong, -ENOMEM. Released by bisect_world_done(). */
int bisect_world_init(struct bisect_world *world, const struct bisect_world_options *options,
		      struct error *err);
void bisect_world_done(struct bisect_world *world);

/* Makes world @number: the same one whenever asked. */
void bisect_world_make(struct bisect_world *world, uint64_t number);
/* The machine is fresh again, for another way (@stream) to look for the same culprit. */
void bisect_world_restart(struct bisect_world *world, uint64_t stream);
/* A boot's 100 ln(mean). */
double bisect_world_boot(struct bisect_world *world, size_t commit);
