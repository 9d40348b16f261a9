// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How well, and at what cost, a bisection finds the culprit of a made-up world: Abbot's
 * own, and side by side the plain one that calls a commit bad when its boot (or the
 * median of three) is nearer to the bad end. Pure.
 */
#pragma once

#include "reports/statistics/bisect_world.h"

enum bisect_ending {
	BISECT_EXACT,         /* the culprit is in the named set */
	BISECT_WRONG,         /* a set without it is named */
	BISECT_INCONCLUSIVE,
	BISECT_NONE,          /* "no change in this range" */
	BISECT_ENDING_COUNT,
};

struct bisect_run {
	enum bisect_ending ending;
	bool is_single;       /* exact, and the set is that one commit */
	size_t boots;
	size_t builds;        /* attempts: ends and failures too */
};

int bisect_simulate_search(struct bisect_world *world, struct bisect_run *ret_run,
			   struct error *err);
/* @boots_each 1 or 3. -ENOMEM. */
int bisect_simulate_plain(struct bisect_world *world, size_t boots_each,
			  struct bisect_run *ret_run, struct error *err);

/* What came of many worlds. Zero-initialise; bisect_tally_done() releases. */
struct bisect_tally {
	size_t n;
	size_t endings[BISECT_ENDING_COUNT];
	size_t n_single;
	double *boots;
	double *builds;
	size_t capacity;
};

int bisect_tally_add(struct bisect_tally *tally, const struct bisect_run *run, struct error *err);
void bisect_tally_done(struct bisect_tally *tally);

struct bisect_figures {
	double share[BISECT_ENDING_COUNT]; /* of the worlds */
	double single_commit;
	double boots_median, boots_p95;
	double builds_median, builds_p95;
};

/* Of at least one run. */
struct bisect_figures bisect_tally_figures(struct bisect_tally *tally);
