// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sandwich: parent, child, parent (P C P), the order as the job spells it. The
 * child stands between two boots of the parent, so that drift shows and cancels.
 */
#include "queue/design.h"

#include <string.h>

static int point_of_letter(char letter)
{
	return letter == 'C' ? 1 : 0;
}

static int first_boots(const struct job *job)
{
	return (int)strlen(job->order);
}

static int point(const struct job *job, int ordinal)
{
	if (ordinal < 0 || ordinal >= first_boots(job))
		return -1;
	return point_of_letter(job->order[ordinal]);
}

const struct design design_sandwich = {
	.name = "sandwich",
	.next = design_next_fixed,
	.expected_boots = design_expected_fixed,
	.point = point,
	.first_boots = first_boots,
};
