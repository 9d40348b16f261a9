// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What can be asked of a bisection: its commits, how much is left, how it ended.
 */
#include "queue/bisect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/run_state.h"

#define GATE_BOOTS 6
#define CONFIRMATION_BOOTS 5
/* Boots for each bit of the question, references to the ends included: as simulated. */
#define BOOTS_PER_BIT 1.8
#define COMMITS_UNKNOWN 1000
#define SUSPECTS .99

void bisect_free(struct bisect *bisect)
{
	if (!bisect)
		return;
	change_point_search_free(bisect->search);
	free(bisect->ids);
	free(bisect->fault);
	free(bisect);
}

void bisect_commit_id(const struct bisect *bisect, size_t index, char ret_id[BISECT_ID_SIZE])
{
	memcpy(ret_id, bisect->ids + index * (BISECT_ID_SIZE - 1), BISECT_ID_SIZE - 1);
	ret_id[BISECT_ID_SIZE - 1] = '\0';
}

int bisect_point(const struct run_state *state, size_t index)
{
	for (size_t i = 0; i < state->job.n_points; i++)
		if (state->points[i].commit_index == index)
			return (int)i;
	return -1;
}

/* Both ends have boots: there is a posterior. */
static bool has_posterior(const struct bisect *bisect)
{
	const struct change_point_data *data =
		bisect ? change_point_search_data(bisect->search) : NULL;

	return data && change_point_data_count(data, 0) && change_point_data_count(data, bisect->n);
}

/* The bits that are left of the question, and how many commits are still under suspicion. */
static double bits_left(const struct bisect *bisect, size_t *ret_n_suspects)
{
	const struct change_point_data *data = change_point_search_data(bisect->search);
	const struct change_point_range range = { .lo = 0, .hi = bisect->n };
	const struct change_point_model model = { .s0 = CHANGE_POINT_S0, .nu0 = CHANGE_POINT_NU0,
						  .tau = CHANGE_POINT_TAU };
	struct change_point_posterior posterior;
	double bits = 0, held = 0;
	bool is_taken[CHANGE_POINT_BOOTS_MAX] = { false };

	change_point_posterior_make(data, &range, &model, false, &posterior);
	*ret_n_suspects = 0;
	for (size_t k = 1; k < posterior.n_positions; k++) {
		double left = 1 + (double)change_point_data_left(data, posterior.position[k - 1],
								 posterior.position[k]);

		if (posterior.p[k] > 0)
			bits += posterior.p[k] * (log(left) - log(posterior.p[k])) / M_LN2;
	}
	while (held < SUSPECTS) {
		size_t best = 0;

		for (size_t k = 1; k < posterior.n_positions; k++)
			if (!is_taken[k] && (!best || posterior.p[k] > posterior.p[best]))
				best = k;
		if (!best)
			break;
		is_taken[best] = true;
		held += posterior.p[best];
		*ret_n_suspects += posterior.position[best] - posterior.position[best - 1];
	}
	return bits;
}

struct bisect_outlook bisect_outlook_make(const struct run_state *state)
{
	const struct bisect *bisect = state->bisect;
	struct change_point_request request = { .phase = CHANGE_POINT_AT_GATE };
	size_t n_boots = bisect ? change_point_search_data(bisect->search)->n_boots : 0;
	struct bisect_outlook outlook = { .n_suspects = bisect ? bisect->n : COMMITS_UNKNOWN };
	double bits = log((double)outlook.n_suspects) / M_LN2;

	if (bisect && !change_point_search_next(bisect->search, &request))
		return (struct bisect_outlook){ .n_suspects = 0 };
	if (has_posterior(bisect))
		bits = bits_left(bisect, &outlook.n_suspects);
	outlook.builds_left = (int)ceil(bits);
	outlook.boots_left = (int)ceil(bits * BOOTS_PER_BIT) + CONFIRMATION_BOOTS;
	if (request.phase == CHANGE_POINT_AT_GATE && n_boots < GATE_BOOTS)
		outlook.boots_left += GATE_BOOTS - (int)n_boots;
	return outlook;
}

void bisect_found_commits(const struct bisect *bisect, const struct change_point_found *found,
			  size_t *ret_first, size_t *ret_last)
{
	/* Between twins there is no mass. */
	const double *mass = change_point_search_data(bisect->search)->mass;
	size_t first = found->lo + 1, last = found->hi;

	while (first < last && mass[first] <= mass[found->lo])
		first++;
	while (last > first && mass[last - 1] >= mass[found->hi])
		last--;
	*ret_first = first;
	*ret_last = last;
}

static void say_found(const struct run_state *state, const struct change_point_answer *answer,
		      char *text, size_t size)
{
	const struct change_point_found *found = &answer->found[0];
	double change_pct = 100 * expm1(found->proof.difference / 100);
	char first_id[BISECT_ID_SIZE], last_id[BISECT_ID_SIZE], more[64] = "";
	size_t first, last;

	bisect_found_commits(state->bisect, found, &first, &last);
	bisect_commit_id(state->bisect, first, first_id);
	bisect_commit_id(state->bisect, last, last_id);
	if (answer->n_found > 1)
		(void)snprintf(more, sizeof(more), "; and %zu more change%s", answer->n_found - 1,
			       answer->n_found > 2 ? "s" : "");
	if (first == last)
		(void)snprintf(text, size, "%.12s changes it by %+.2f %%%s", last_id, change_pct, more);
	else
		(void)snprintf(text, size,
			       "one of the %zu commits %.12s to %.12s changes it by %+.2f %%; those between cannot be measured%s",
			       last - first + 1, first_id, last_id, change_pct, more);
}

void bisect_say_end(const struct run_state *state, char *text, size_t size)
{
	const struct change_point_answer *answer =
		change_point_search_answer(state->bisect->search);
	int n_boots = state->n_boots;

	switch (answer->outcome) {
	case CHANGE_POINT_FOUND:
		say_found(state, answer, text, size);
		return;
	case CHANGE_POINT_NONE:
		if (n_boots < GATE_BOOTS)
			(void)snprintf(text, size, "the good and the bad end are the same kernel, code for code: there is nothing to find");
		else
			(void)snprintf(text, size, "no change of %g %% or more between the good and the bad end in %d boots",
				       state->job.threshold_pct / 2, n_boots);
		return;
	case CHANGE_POINT_INCONCLUSIVE:
	case CHANGE_POINT_NO_END:
		(void)snprintf(text, size, "no commit can be named after %d boots", n_boots);
		return;
	case CHANGE_POINT_OPEN:
		(void)snprintf(text, size, "more commits would have to be built than the %d that one job may have",
			       JOB_POINTS_MAX);
		return;
	}
}
