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

static int expected_boots(const struct run_state *state)
{
	return (int)strlen(state->job.order);
}

static int expected_point(const struct run_state *state, int ordinal)
{
	if (ordinal < 0 || ordinal >= expected_boots(state))
		return -1;
	return point_of_letter(state->job.order[ordinal]);
}

static struct design_answer next(const struct run_state *state)
{
	if (state->n_boots >= expected_boots(state))
		return (struct design_answer){ .kind = DESIGN_CONCLUDED, .point = -1 };
	return (struct design_answer){
		.kind = DESIGN_BOOT,
		.point = expected_point(state, state->n_boots),
	};
}

const struct design design_sandwich = {
	.name = "sandwich",
	.next = next,
	.expected_boots = expected_boots,
	.expected_point = expected_point,
};
