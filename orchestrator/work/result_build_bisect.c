// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bisection's result: once a pair is found, the sandwich of its fresh boots, lo as the
 * parent and hi as the child, is what is reported, and the search is told beside it.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/bisect_tale.h"
#include "orchestrator/work/result_build_internal.h"

void result_build_select(struct result_builder *builder, const struct event *event)
{
	const char *commit = json_string_value(json_object_get(event->data, "commit"));
	_cleanup_free_ char *name = text_format("%.12s", commit ? commit : "");
	struct result_point *point;

	if (!commit || event->point != (int)builder->result->n_points)
		return;
	point = result_add_point(builder->result, name);
	result_build_replace(&point->revision, commit);
	result_build_replace(&point->commit, commit);
	result_build_replace(&point->title, json_string_value(json_object_get(event->data, "title")));
	result_build_replace(&point->failure, json_string_value(json_object_get(event->data, "error")));
}

static void drop_boot(struct result_builder *builder, size_t index)
{
	struct result *result = builder->result;

	result_boot_reset(&result->boots[index]);
	free(result->boots[index].label);
	result_build_forget(&builder->notes[index]);
}

/* Keeps the boots whose flag is set, in their order and with their places in time. */
static void keep_boots(struct result_builder *builder, const bool *is_kept)
{
	struct result *result = builder->result;
	size_t n = 0;

	for (size_t i = 0; i < result->n_boots; i++) {
		if (!is_kept[i]) {
			drop_boot(builder, i);
			continue;
		}
		result->boots[n] = result->boots[i];
		builder->notes[n++] = builder->notes[i];
	}
	result->n_boots = n;
}

/* Points lo and hi become parent and child, and the only ones. */
static void keep_pair(struct result *result, size_t lo, size_t hi)
{
	struct result_point *points = calloc(2, sizeof(*points));

	if (!points)
		abort();
	for (size_t i = 0; i < result->n_points; i++) {
		if (i == lo || i == hi)
			points[i == hi] = result->points[i];
		else
			result_point_done(&result->points[i]);
	}
	free(result->points);
	result->points = points;
	result->n_points = 2;
	result_build_replace(&points[0].name, "parent");
	result_build_replace(&points[1].name, "child");
	for (size_t i = 0; i < result->n_boots; i++)
		result->boots[i].point = result->boots[i].point == hi;
}

/* The run state's number of each boot of the search. */
static void list_boots(const struct bisect *bisect, size_t *boots)
{
	size_t n = 0;

	for (size_t i = 0; i < bisect->n_answers; i++)
		if (bisect->answers[i].kind == BISECT_MEASURED)
			boots[n++] = (size_t)bisect->answers[i].boot;
}

static void keep_proof(struct result_builder *builder, const struct run_state *state,
		       const struct change_point_found *found)
{
	bool is_kept[RUN_STATE_BOOTS_MAX] = { false };
	size_t boots[CHANGE_POINT_BOOTS_MAX];

	list_boots(state->bisect, boots);
	for (size_t i = 0; i < 2 * found->pairs + 1; i++)
		is_kept[boots[found->first_boot + i]] = true;
	keep_boots(builder, is_kept);
	keep_pair(builder->result, (size_t)bisect_point(state, found->lo),
		  (size_t)bisect_point(state, found->hi));
}

/* Without a proof: all that was measured; a boot that was skipped says nothing. */
static void keep_measured(struct result_builder *builder, const struct run_state *state)
{
	bool is_kept[RUN_STATE_BOOTS_MAX];

	for (int i = 0; i < state->n_boots; i++)
		is_kept[i] = !state->boots[i].is_skipped;
	keep_boots(builder, is_kept);
}

static const char *outcome_word(enum change_point_outcome outcome)
{
	switch (outcome) {
	case CHANGE_POINT_OPEN:
		return "open";
	case CHANGE_POINT_FOUND:
		return "found";
	case CHANGE_POINT_NONE:
		return "none";
	case CHANGE_POINT_INCONCLUSIVE:
		return "inconclusive";
	case CHANGE_POINT_NO_END:
		return "no-end";
	}
	return "";
}

static void fill_culprits(const struct run_state *state, const struct change_point_answer *answer,
			  struct result_bisection *bisection)
{
	size_t first, last;
	char id[BISECT_ID_SIZE];

	if (!answer->n_found)
		return;
	bisection->change_pct = 100 * expm1(answer->found[0].proof.difference / 100);
	bisect_found_commits(state->bisect, &answer->found[0], &first, &last);
	for (size_t i = first; i <= last; i++) {
		bisect_commit_id(state->bisect, i, id);
		result_texts_add(&bisection->culprits, "%s", id);
	}
}

static void fill_steps(const struct bisect_tale *tale, struct result_bisection *bisection)
{
	bisection->steps = calloc(tale->story.n_steps + 1, sizeof(*bisection->steps));
	if (!bisection->steps)
		abort();
	for (size_t i = 0; i < tale->story.n_steps; i++) {
		const struct bisect_step *step = &tale->story.steps[i];

		bisection->steps[i] = (struct result_bisection_step){
			.commit = text_duplicate(tale->story.commits[step->commit].id),
			.index = step->commit,
			.what = bisect_step_word(step),
			.value = step->value,
			.bad = step->bad,
		};
		bisection->n_boots += step->kind == BISECT_STEP_BOOT;
		bisection->n_passed_over += step->kind == BISECT_STEP_UNBUILT ||
					    step->kind == BISECT_STEP_UNBOOTED;
	}
	bisection->n_steps = tale->story.n_steps;
}

static int fill_bisection(struct result *result, const struct run_state *state, struct error *err)
{
	const struct change_point_answer *answer = change_point_search_answer(state->bisect->search);
	struct result_bisection *bisection = calloc(1, sizeof(*bisection));
	struct bisect_tale tale;
	int r;

	if (!bisection)
		return error_set(err, -ENOMEM, "out of memory");
	result->bisection = bisection;
	r = bisect_tale_make(state, result->unit, &tale, err);
	if (r < 0)
		return r;
	bisection->outcome = outcome_word(answer->outcome);
	bisection->n_commits = state->bisect->n;
	bisection->n_kernels = state->job.n_points;
	bisection->probability = tale.found_p;
	fill_culprits(state, answer, bisection);
	fill_steps(&tale, bisection);
	bisection->story = bisect_story_text(&tale.story);
	r = bisect_story_log(&tale.story, &bisection->log, err);
	bisect_tale_done(&tale);
	return r;
}

int result_build_bisection(struct result_builder *builder, const struct event_list *events,
			   struct error *err)
{
	const struct change_point_answer *answer;
	struct run_state state;
	int r;

	if (builder->job.design != JOB_DESIGN_BISECT)
		return 0;
	r = run_state_fold(&state, events, err);
	if (r < 0)
		return r;
	if (state.bisect) {
		r = fill_bisection(builder->result, &state, err);
		answer = change_point_search_answer(state.bisect->search);
		if (r == 0 && answer->n_found)
			keep_proof(builder, &state, &answer->found[0]);
		else if (r == 0)
			keep_measured(builder, &state);
	}
	run_state_done(&state);
	return r;
}
