// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The answers of a bisection as steps: what was measured, and why the rest was not. What
 * followed from it is bisect_story_believe()'s.
 */
#include "orchestrator/work/bisect_tale.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "reports/statistics/change_point_posterior.h"
#include "reports/statistics/summary.h"

void bisect_tale_done(struct bisect_tale *tale)
{
	free(tale->ids);
	free(tale->commits);
	free(tale->steps);
	*tale = (struct bisect_tale){ 0 };
}

/* Of all boots; false before both ends have one. */
static bool posterior_of(const struct bisect *bisect, struct change_point_posterior *ret_posterior)
{
	const struct change_point_range range = { .lo = 0, .hi = bisect->n };
	const struct change_point_model model = { .s0 = CHANGE_POINT_S0, .nu0 = CHANGE_POINT_NU0,
						  .tau = CHANGE_POINT_TAU };
	const struct change_point_data *data = change_point_search_data(bisect->search);

	if (!change_point_data_count(data, 0) || !change_point_data_count(data, bisect->n))
		return false;
	change_point_posterior_make(data, &range, &model, false, ret_posterior);
	return true;
}

static enum bisect_step_kind step_kind(enum bisect_answer_kind kind)
{
	switch (kind) {
	case BISECT_MEASURED:
		return BISECT_STEP_BOOT;
	case BISECT_NOT_BUILT:
		return BISECT_STEP_UNBUILT;
	case BISECT_NOT_BOOTED:
		return BISECT_STEP_UNBOOTED;
	case BISECT_TWIN:
		return BISECT_STEP_SAME_CODE;
	}
	return BISECT_STEP_BOOT;
}

static void tell_answers(const struct run_state *state, struct bisect_step *steps)
{
	const struct bisect *bisect = state->bisect;

	for (size_t i = 0; i < bisect->n_answers; i++) {
		const struct bisect_answer *answer = &bisect->answers[i];
		struct bisect_step *step = &steps[i];

		*step = (struct bisect_step){
			.kind = step_kind(answer->kind),
			.commit = answer->commit,
			.phase = answer->phase,
			.value = (double)NAN,
			.bad = (double)NAN,
		};
		if (answer->kind != BISECT_MEASURED) {
			step->note = state->points[answer->point].failure;
			continue;
		}
		step->value = summary_mean(state->boots[answer->boot].benches[0].values,
					   (size_t)state->boots[answer->boot].benches[0].n_values);
	}
}

static double found_probability(const struct change_point_answer *answer,
				const struct change_point_posterior *posterior)
{
	for (size_t k = 1; answer->n_found && k < posterior->n_positions; k++)
		if (posterior->position[k] == answer->found[0].hi)
			return posterior->p[k];
	return 0;
}

static void fill_commits(const struct run_state *state, struct bisect_tale *tale)
{
	const struct bisect *bisect = state->bisect;
	const struct change_point_data *data = change_point_search_data(bisect->search);
	const struct change_point_answer *answer = change_point_search_answer(bisect->search);
	struct change_point_posterior posterior;
	bool has_posterior = posterior_of(bisect, &posterior);

	for (size_t i = 0; i <= bisect->n; i++) {
		char *id = tale->ids + i * BISECT_ID_SIZE;

		bisect_commit_id(bisect, i, id);
		tale->commits[i] = (struct bisect_story_commit){ .id = id, .title = "" };
	}
	for (size_t i = 0; i < state->job.n_points; i++)
		if (state->job.points[i].title)
			tale->commits[state->points[i].commit_index].title = state->job.points[i].title;
	bisect_story_believe(tale->steps, bisect->n_answers, tale->commits, data,
			     answer->n_found ? &answer->found[0] : NULL);
	tale->story.is_improvement = has_posterior && posterior.mu[1] < posterior.mu[0];
	tale->found_p = has_posterior ? found_probability(answer, &posterior) : 0;
}

int bisect_tale_make(const struct run_state *state, const char *unit, struct bisect_tale *ret_tale,
		     struct error *err)
{
	const struct bisect *bisect = state->bisect;
	const struct change_point_answer *answer = change_point_search_answer(bisect->search);
	struct bisect_tale tale = {
		.ids = calloc(bisect->n + 1, BISECT_ID_SIZE),
		.commits = calloc(bisect->n + 1, sizeof(*tale.commits)),
		.steps = calloc(bisect->n_answers + 1, sizeof(*tale.steps)),
	};

	if (!tale.ids || !tale.commits || !tale.steps) {
		bisect_tale_done(&tale);
		return error_set(err, -ENOMEM, "out of memory for %zu commits", bisect->n);
	}
	tell_answers(state, tale.steps);
	fill_commits(state, &tale);
	tale.story.good = state->job.points[BISECT_GOOD].revision;
	tale.story.bad = state->job.points[BISECT_BAD].revision;
	tale.story.commits = tale.commits;
	tale.story.n_commits = tale.story.n_line = bisect->n + 1;
	tale.story.unit = unit ? unit : "units";
	tale.story.step_min = state->job.threshold_pct / 2;
	tale.story.steps = tale.steps;
	tale.story.n_steps = bisect->n_answers;
	tale.story.outcome = answer->outcome;
	tale.story.found = answer->found;
	tale.story.n_found = answer->n_found;
	tale.story.n_undecided = answer->n_undecided;
	*ret_tale = tale;
	return 0;
}
