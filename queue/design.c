// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which design a job asks for: the one place that knows them all; and what designs share
 * whose boots do not depend on what is measured.
 */
#include "queue/design.h"

#include <stddef.h>

const struct design *design_of(const struct job *job)
{
	switch (job->design) {
	case JOB_DESIGN_SANDWICH:
		return &design_sandwich;
	case JOB_DESIGN_SWEEP:
		return &design_sweep;
	case JOB_DESIGN_LADDER:
		return &design_ladder;
	case JOB_DESIGN_BISECT:
		return &design_bisect;
	}
	return NULL;
}

int design_first_boots(const struct job *job)
{
	return design_of(job)->first_boots(job);
}

struct design_answer design_next_fixed(const struct run_state *state)
{
	const struct design *design = design_of(&state->job);

	if (state->n_boots >= design->first_boots(&state->job))
		return (struct design_answer){ .kind = DESIGN_CONCLUDED, .point = -1 };
	return (struct design_answer){
		.kind = DESIGN_BOOT,
		.point = design->point(&state->job, state->n_boots),
	};
}

int design_expected_fixed(const struct run_state *state)
{
	return design_first_boots(&state->job);
}
