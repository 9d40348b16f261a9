// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ladder: parent, child and probes that each undo one thing more, up to the last one and
 * back down, so that every rung but the turn has two boots around the same middle.
 */
#include "queue/design.h"
#include "reports/statistics/orders.h"

static int first_boots(const struct job *job)
{
	return 2 * (int)job->n_points - 1;
}

static int point(const struct job *job, int ordinal)
{
	if (ordinal < 0 || ordinal >= first_boots(job))
		return -1;
	return (int)order_ladder(job->n_points, (size_t)ordinal);
}

const struct design design_ladder = {
	.name = "ladder",
	.next = design_next_fixed,
	.expected_boots = design_expected_fixed,
	.point = point,
	.first_boots = first_boots,
};
