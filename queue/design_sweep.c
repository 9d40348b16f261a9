// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sweep: each of K kernels once a round, in an order that balances which kernel comes
 * after which, every second round reversed.
 */
#include "queue/design.h"
#include "reports/statistics/orders.h"

static int first_boots(const struct job *job)
{
	return (int)job->n_points * (int)job->rounds;
}

static int point(const struct job *job, int ordinal)
{
	if (ordinal < 0 || ordinal >= first_boots(job))
		return -1;
	return (int)order_sweep(job->n_points, (size_t)ordinal);
}

const struct design design_sweep = {
	.name = "sweep",
	.next = design_next_fixed,
	.expected_boots = design_expected_fixed,
	.point = point,
	.first_boots = first_boots,
};
