// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gap recovery, from unrounded means. Which kernel a rung is the caller knows.
 */
#include "reports/statistics/ladder.h"

#include <errno.h>
#include <math.h>

#define PARENT 0
#define CHILD 1

static struct ladder_rung rung_of(const double *means, size_t n_rungs, size_t rung)
{
	size_t second = 2 * (n_rungs - 1) - rung;

	if (second == rung)
		return (struct ladder_rung){
			.is_single = true,
			.mean = means[rung],
			.drift_pct = (double)NAN,
		};
	return (struct ladder_rung){
		.mean = (means[rung] + means[second]) / 2,
		.drift_pct = 100 * (means[second] / means[rung] - 1),
	};
}

int ladder_make(const double *means, size_t n_rungs, struct ladder *ret_ladder, struct error *err)
{
	struct ladder ladder = { .n_rungs = n_rungs };
	double parent;
	double child;

	if (n_rungs < 3)
		return error_set(err, -EINVAL,
				 "a ladder needs parent, child and one probe at least; there are %zu kernels",
				 n_rungs);
	if (n_rungs > LADDER_RUNGS_MAX)
		return error_set(err, -E2BIG, "%zu kernels are more than the %d rungs of a ladder",
				 n_rungs, LADDER_RUNGS_MAX);
	for (size_t i = 0; i < n_rungs; i++)
		ladder.rungs[i] = rung_of(means, n_rungs, i);
	parent = ladder.rungs[PARENT].mean;
	child = ladder.rungs[CHILD].mean;
	/* Closer than a double can tell apart after a division: no gap to recover. */
	if (fabs(child - parent) <= 1e-12 * fabs(parent))
		return error_set(err, -EINVAL,
				 "child and parent have the same mean (%g): there is no gap to attribute",
				 parent);
	for (size_t i = 0; i < n_rungs; i++) {
		struct ladder_rung *rung = &ladder.rungs[i];

		rung->recovered_pct = 100 * (child - rung->mean) / (child - parent);
		rung->share_pct = i > CHILD ? rung->recovered_pct - ladder.rungs[i - 1].recovered_pct
					    : (double)NAN;
	}
	ladder.original_pct = 100 * (child / parent - 1);
	ladder.combined_pct = ladder.rungs[n_rungs - 1].recovered_pct;
	ladder.residual_pct = 100 - ladder.combined_pct;
	*ret_ladder = ladder;
	return 0;
}
