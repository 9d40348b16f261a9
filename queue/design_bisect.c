// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bisection: whatever commit the search asks for next. That a commit has no kernel, or
 * the kernel of another one, the fold has answered already (run_state_bisect.c).
 */
#include "queue/design.h"

#include <string.h>

/* The ends, to see whether there is anything to find. */
static const char gate[] = "GBBGGB";

static int first_boots(const struct job *job)
{
	(void)job;
	return (int)strlen(gate);
}

static int point(const struct job *job, int ordinal)
{
	if (ordinal < 0 || ordinal >= first_boots(job))
		return -1;
	return gate[ordinal] == 'G' ? BISECT_GOOD : BISECT_BAD;
}

static int expected_boots(const struct run_state *state)
{
	return state->n_boots + bisect_outlook_make(state).boots_left;
}

static struct design_answer next(const struct run_state *state)
{
	struct change_point_request request;
	int of_request;

	if (!state->bisect)
		return (struct design_answer){ .kind = DESIGN_BOOT, .point = BISECT_GOOD };
	if (!change_point_search_next(state->bisect->search, &request)) {
		enum change_point_outcome outcome =
			change_point_search_answer(state->bisect->search)->outcome;

		return (struct design_answer){
			.kind = DESIGN_CONCLUDED, .point = -1,
			.is_inconclusive = outcome == CHANGE_POINT_INCONCLUSIVE,
		};
	}
	of_request = bisect_point(state, request.commit);
	if (of_request >= 0)
		return (struct design_answer){ .kind = DESIGN_BOOT, .point = of_request };
	if (state->job.n_points == JOB_POINTS_MAX)
		return (struct design_answer){ .kind = DESIGN_CONCLUDED, .point = -1, .is_inconclusive = true };
	return (struct design_answer){ .kind = DESIGN_SELECT, .point = -1, .commit = request.commit };
}

const struct design design_bisect = {
	.name = "bisect",
	.next = next,
	.expected_boots = expected_boots,
	.point = point,
	.first_boots = first_boots,
};
