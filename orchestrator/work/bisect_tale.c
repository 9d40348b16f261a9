// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the run state to plain steps: what each answer was about. What was believed after it
 * is bisect_story_believe()'s.
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
	free(tale->found);
	*tale = (struct bisect_tale){ 0 };
}

static enum bisect_step_kind step_kind(const struct run_state *state, const struct bisect_answer *answer)
{
	switch (answer->kind) {
	case BISECT_MEASURED:
		return BISECT_STEP_BOOT;
	case BISECT_NOT_BUILT:
		return BISECT_STEP_UNBUILT;
	case BISECT_NOT_BOOTED:
		return BISECT_STEP_UNBOOTED;
	case BISECT_TWIN:
		break;
	}
	/* The same kernel as one that could not be measured. */
	return state->points[answer->point].is_passed_over ? BISECT_STEP_UNBOOTED : BISECT_STEP_SAME_CODE;
}

static void tell_answer(const struct run_state *state, const struct bisect_answer *answer,
			struct bisect_step *ret_step)
{
	*ret_step = (struct bisect_step){
		.kind = step_kind(state, answer),
		.commit = answer->commit,
		.phase = answer->phase,
		.value = (double)NAN,
		.bad = (double)NAN,
		.twin = answer->twin,
	};
	if (ret_step->kind == BISECT_STEP_BOOT) {
		const struct boot_values *values = &state->boots[answer->boot].benches[0];

		ret_step->value = summary_mean(values->values, (size_t)values->n_values);
	} else if (ret_step->kind != BISECT_STEP_SAME_CODE) {
		ret_step->note = state->points[answer->point].failure;
	}
}

static void fill_commits(const struct run_state *state, struct bisect_tale *tale)
{
	const struct bisect *bisect = state->bisect;

	for (size_t i = 0; i <= bisect->n; i++) {
		char *id = tale->ids + i * BISECT_ID_SIZE;

		bisect_commit_id(bisect, i, id);
		tale->commits[i] = (struct bisect_story_commit){ .id = id, .title = "" };
	}
	for (size_t i = 0; i < state->job.n_points; i++)
		if (state->job.points[i].title)
			tale->commits[state->points[i].commit_index].title = state->job.points[i].title;
}

/* The pairs without the commits whose kernel is that of a measured one. */
static void fill_found(const struct bisect *bisect, const struct change_point_answer *answer,
		       struct bisect_tale *tale)
{
	for (size_t i = 0; i < answer->n_found; i++) {
		size_t first, last;

		bisect_found_commits(bisect, &answer->found[i], &first, &last);
		tale->found[i] = answer->found[i];
		tale->found[i].lo = first - 1;
		tale->found[i].hi = last;
	}
}

/* Of all boots: which end is the better one, and how sure the first pair is. */
static void judge(const struct bisect *bisect, const struct change_point_answer *answer,
		  struct bisect_tale *tale)
{
	const struct change_point_data *data = change_point_search_data(bisect->search);
	const struct change_point_range range = { .lo = 0, .hi = bisect->n };
	const struct change_point_model model = { .s0 = CHANGE_POINT_S0, .nu0 = CHANGE_POINT_NU0,
						  .tau = CHANGE_POINT_TAU };
	struct change_point_posterior posterior;

	if (!change_point_data_count(data, 0) || !change_point_data_count(data, bisect->n))
		return;
	change_point_posterior_make(data, &range, &model, false, &posterior);
	tale->story.is_improvement = posterior.mu[1] < posterior.mu[0];
	for (size_t k = 1; answer->n_found && k < posterior.n_positions; k++)
		if (posterior.position[k] == answer->found[0].hi)
			tale->found_p = posterior.p[k];
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
		.found = calloc(answer->n_found + 1, sizeof(*tale.found)),
	};

	if (!tale.ids || !tale.commits || !tale.steps || !tale.found) {
		bisect_tale_done(&tale);
		return error_set(err, -ENOMEM, "out of memory for %zu commits", bisect->n);
	}
	fill_commits(state, &tale);
	fill_found(bisect, answer, &tale);
	for (size_t i = 0; i < bisect->n_answers; i++)
		tell_answer(state, &bisect->answers[i], &tale.steps[i]);
	bisect_story_believe(tale.steps, bisect->n_answers, tale.commits,
			     change_point_search_data(bisect->search),
			     answer->n_found ? &tale.found[0] : NULL);
	judge(bisect, answer, &tale);
	tale.story.good = state->job.points[BISECT_GOOD].revision;
	tale.story.bad = state->job.points[BISECT_BAD].revision;
	tale.story.commits = tale.commits;
	tale.story.n_commits = tale.story.n_line = bisect->n + 1;
	tale.story.is_first_parents = bisect->is_first_parents;
	tale.story.unit = unit ? unit : "units";
	tale.story.step_min = state->job.threshold_pct / 2;
	tale.story.steps = tale.steps;
	tale.story.n_steps = bisect->n_answers;
	tale.story.outcome = answer->outcome;
	tale.story.found = tale.found;
	tale.story.n_found = answer->n_found;
	tale.story.n_undecided = answer->n_undecided;
	*ret_tale = tale;
	return 0;
}
