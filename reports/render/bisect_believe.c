// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was believed of a commit after each boot, and what is believed of all in the end.
 */
#include <math.h>

#include "reports/render/bisect_story.h"
#include "reports/statistics/change_point_suspects.h"

static void posterior_make(const struct change_point_data *data, struct change_point_posterior *posterior)
{
	const struct change_point_range range = { .lo = 0, .hi = data->n };
	const struct change_point_model model = { .s0 = CHANGE_POINT_S0, .nu0 = CHANGE_POINT_NU0,
						  .tau = CHANGE_POINT_TAU };

	change_point_posterior_make(data, &range, &model, false, posterior);
}

static double bad_of(const struct change_point_posterior *posterior, size_t commit)
{
	for (size_t i = 0; i < posterior->n_positions; i++)
		if (posterior->position[i] == commit)
			return posterior->bad[i];
	return (double)NAN;
}

static bool has_ends(const struct change_point_data *data)
{
	return change_point_data_count(data, 0) > 0 && change_point_data_count(data, data->n) > 0;
}

static void step_believe(struct bisect_step *step, const struct change_point_data *data)
{
	struct change_point_posterior posterior;

	step->bad = (double)NAN;
	step->n_left = 0;
	if (step->phase == CHANGE_POINT_AT_GATE || !has_ends(data))
		return;
	posterior_make(data, &posterior);
	/* The ends are what they are called. */
	if (step->commit != 0 && step->commit != data->n)
		step->bad = bad_of(&posterior, step->commit);
	step->n_left = change_point_suspects(data, &posterior, BISECT_STORY_SURE);
}

static enum bisect_mark mark_of(double bad)
{
	if (bad >= BISECT_STORY_SURE)
		return BISECT_MARK_BAD;
	return bad <= 1 - BISECT_STORY_SURE ? BISECT_MARK_GOOD : BISECT_MARK_NONE;
}

/* A kernel under two names is as good or bad under both. */
static void twins_believe(const struct bisect_step *steps, size_t n_steps, struct bisect_story_commit *commits)
{
	for (size_t i = 0; i < n_steps; i++)
		if (steps[i].kind == BISECT_STEP_SAME_CODE)
			commits[steps[i].commit].mark = commits[steps[i].twin].mark;
}

static void marks_believe(struct bisect_story_commit *commits, const struct change_point_data *data,
			  const struct change_point_posterior *posterior,
			  const struct change_point_found *found)
{
	for (size_t i = 0; i <= data->n; i++)
		commits[i].mark = BISECT_MARK_NONE;
	for (size_t i = 0; posterior && i < posterior->n_positions; i++) {
		size_t commit = posterior->position[i];

		commits[commit].mark = mark_of(posterior->bad[i]);
		if (found)
			commits[commit].mark = commit >= found->hi ? BISECT_MARK_BAD : BISECT_MARK_GOOD;
	}
	for (size_t i = 0; i < data->n_failed; i++)
		commits[data->failed[i]].mark = BISECT_MARK_SKIP;
	commits[0].mark = BISECT_MARK_GOOD;
	commits[data->n].mark = BISECT_MARK_BAD;
}

void bisect_story_believe(struct bisect_step *steps, size_t n_steps, struct bisect_story_commit *commits,
			  const struct change_point_data *data, const struct change_point_found *found)
{
	/* The same commits, with the boots up to each step only. */
	struct change_point_data then = *data;
	struct change_point_posterior posterior;
	bool is_known = has_ends(data);

	then.n_boots = 0;
	for (size_t i = 0; i < n_steps && then.n_boots < data->n_boots; i++) {
		if (steps[i].kind != BISECT_STEP_BOOT)
			continue;
		then.n_boots++;
		step_believe(&steps[i], &then);
	}
	if (is_known)
		posterior_make(data, &posterior);
	marks_believe(commits, data, is_known ? &posterior : NULL, found);
	twins_believe(steps, n_steps, commits);
}
