// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Confirming a pair with fresh boots, and looking for further changes on both sides of
 * it where it does not explain the whole difference.
 */
#include <math.h>

#include "reports/statistics/change_point_search_internal.h"

static double signed_step(const struct change_point_posterior *posterior)
{
	return posterior->mu[1] - posterior->mu[0];
}

/*
 * What is to be explained: the difference of the ends, by their own boots. The levels of
 * all boots would do for one change; with several they settle on the two that most boots
 * are near, and the rest looks like outliers.
 */
static struct change_point_proof total_of(const struct change_point_search *search)
{
	struct change_point_posterior posterior;

	change_point_search_posterior(search, true, &posterior);
	return (struct change_point_proof){
		.difference = signed_step(&posterior),
		.error = search->s_before * sqrt(1. / (double)posterior.boots[0] +
						 1. / (double)posterior.boots[1]),
	};
}

/* @pairs times hi and lo; a lo before the first. */
static void push_pairs(struct change_point_search *search, size_t pairs)
{
	for (size_t j = 0; j < pairs; j++) {
		change_point_search_push(search, search->candidate.hi);
		change_point_search_push(search, search->candidate.lo);
	}
}

void change_point_search_confirm(struct change_point_search *search,
				 const struct change_point_posterior *posterior, size_t k)
{
	search->phase = CHANGE_POINT_CONFIRMING;
	search->attempts++;
	search->s_before = posterior->s;
	search->step_before = signed_step(posterior);
	search->candidate = (struct change_point_found){
		.lo = posterior->position[k - 1],
		.hi = posterior->position[k],
		.first_boot = search->data.n_boots,
		.pairs = change_point_confirm_pairs(posterior->s, search->step_before),
	};
	change_point_search_push(search, search->candidate.lo);
	push_pairs(search, search->candidate.pairs);
}

static void judge_pair(struct change_point_search *search)
{
	struct change_point_found *candidate = &search->candidate;
	double y[2 * (CHANGE_POINT_PAIRS_MAX + CHANGE_POINT_PAIRS_AGAIN) + 1];

	for (size_t i = 0; i < 2 * candidate->pairs + 1; i++)
		y[i] = search->data.boots[candidate->first_boot + i].y;
	candidate->proof.difference = change_point_confirm_difference(y, candidate->pairs);
	candidate->proof.error = change_point_confirm_error(search->s_before, candidate->pairs);
}

static bool is_still_sure(const struct change_point_search *search,
			  const struct change_point_posterior *posterior)
{
	for (size_t k = 1; k < posterior->n_positions; k++)
		if (posterior->position[k] == search->candidate.hi)
			return posterior->p[k] >= SURE;
	return false;
}

/* The pair is proved; the parts beside it wait for their turn if @has_rest. */
static void take_pair(struct change_point_search *search, double total, bool has_rest)
{
	struct change_point_answer *answer = &search->answer;
	struct change_point_range range = search->range;

	if (answer->n_found == 0)
		answer->total = total;
	answer->found[answer->n_found++] = search->candidate;
	if (has_rest && answer->n_found + search->n_waiting + 2 <= CHANGE_POINT_FOUND_MAX) {
		if (search->candidate.hi < range.hi)
			search->waiting[search->n_waiting++] = (struct change_point_range){
				.lo = search->candidate.hi, .hi = range.hi,
			};
		if (search->candidate.lo > range.lo)
			search->waiting[search->n_waiting++] = (struct change_point_range){
				.lo = range.lo, .hi = search->candidate.lo,
			};
	}
	change_point_search_end_range(search, CHANGE_POINT_FOUND);
}

static void resume_search(struct change_point_search *search)
{
	const struct change_point_range *range = &search->range;
	bool has_end = search->candidate.lo == range->lo || search->candidate.hi == range->hi;

	if (search->attempts >= ATTEMPTS_MAX) {
		change_point_search_end_range(search, CHANGE_POINT_INCONCLUSIVE);
		return;
	}
	search->phase = CHANGE_POINT_SEARCHING;
	search->since_reference = has_end ? 0 : REFERENCE_EVERY;
}

void change_point_search_confirmed(struct change_point_search *search)
{
	struct change_point_posterior posterior;
	struct change_point_proof total;

	change_point_search_posterior(search, false, &posterior);
	judge_pair(search);
	total = total_of(search);
	if (!change_point_confirm_accepts(&search->candidate.proof, search->step_before) ||
	    !is_still_sure(search, &posterior)) {
		resume_search(search);
	} else if (change_point_confirm_leaves_rest(&search->candidate.proof, &total,
						    search->options.step_min)) {
		search->phase = CHANGE_POINT_AGAIN;
		push_pairs(search, CHANGE_POINT_PAIRS_AGAIN);
		search->candidate.pairs += CHANGE_POINT_PAIRS_AGAIN;
	} else {
		take_pair(search, total.difference, false);
	}
}

void change_point_search_measured_again(struct change_point_search *search)
{
	struct change_point_proof total = total_of(search);

	judge_pair(search);
	/* A median of few is less certain than their mean. */
	search->candidate.proof.error *= 1.25;
	take_pair(search, total.difference,
		  change_point_confirm_leaves_rest(&search->candidate.proof, &total,
						   search->options.step_min));
}
