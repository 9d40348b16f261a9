// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The gate and the search proper: what each look decides, and which boot comes next.
 */
#include <math.h>
#include <string.h>

#include "reports/statistics/change_point_gate.h"
#include "reports/statistics/change_point_search_internal.h"
#include "reports/statistics/change_point_select.h"

#define GATE_BOOTS_EACH 3

static void push_ends(struct change_point_search *search, const char *order)
{
	for (; *order; order++)
		change_point_search_push(search,
					 *order == 'G' ? search->range.lo : search->range.hi);
}

static bool is_at_limit(const struct change_point_search *search)
{
	return search->data.n_boots >= search->options.boots_max;
}

void change_point_search_open_gate(struct change_point_search *search)
{
	size_t good = change_point_data_count(&search->data, search->range.lo);
	size_t bad = change_point_data_count(&search->data, search->range.hi);

	for (const char *c = "GBBGGB"; *c; c++) {
		size_t *have = *c == 'G' ? &good : &bad;

		if (*have >= GATE_BOOTS_EACH)
			continue;
		++*have;
		push_ends(search, *c == 'G' ? "G" : "B");
	}
}

/* Four more boots of the ends for one more look, if there may be one. */
static void look_once_more(struct change_point_search *search)
{
	if (search->looks >= LOOKS_MAX || is_at_limit(search)) {
		change_point_search_end_range(search, CHANGE_POINT_INCONCLUSIVE);
		return;
	}
	search->phase = CHANGE_POINT_AT_GATE;
	push_ends(search, "GBBG");
}

void change_point_search_at_gate(struct change_point_search *search)
{
	struct change_point_posterior posterior;

	search->looks++;
	search->tau = CHANGE_POINT_TAU;
	change_point_search_posterior(search, true, &posterior);
	switch (change_point_gate_judge(&posterior, search->options.nu0, search->options.step_min)) {
	case CHANGE_POINT_GATE_PASS:
		search->tau = fmin(CHANGE_POINT_TAU, .1 * change_point_step(&posterior));
		search->phase = CHANGE_POINT_SEARCHING;
		search->since_reference = 0;
		search->has_passed_now = true;
		break;
	case CHANGE_POINT_GATE_NO_CHANGE:
		change_point_search_end_range(search, CHANGE_POINT_NONE);
		break;
	case CHANGE_POINT_GATE_MORE:
		look_once_more(search);
		break;
	}
}

/* The tested position up to which the change surely lies, with nothing left to test; or 0. */
static size_t sure_pair(const struct change_point_search *search,
			const struct change_point_posterior *posterior)
{
	for (size_t k = 1; k < posterior->n_positions; k++)
		if (posterior->p[k] >= SURE &&
		    change_point_data_left(&search->data, posterior->position[k - 1],
					   posterior->position[k]) == 0)
			return k;
	return 0;
}

void change_point_search_go_on(struct change_point_search *search)
{
	struct change_point_posterior posterior;
	size_t k;

	change_point_search_posterior(search, false, &posterior);
	if (!search->has_passed_now &&
	    !change_point_gate_holds(&posterior, search->options.nu0, search->options.step_min)) {
		/* The gate anew, and with new boots: the ones so far have passed it before. */
		search->looks = 0;
		look_once_more(search);
		return;
	}
	k = sure_pair(search, &posterior);
	if (k) {
		change_point_search_confirm(search, &posterior, k);
	} else if (is_at_limit(search)) {
		change_point_search_end_range(search, CHANGE_POINT_INCONCLUSIVE);
	} else if (search->since_reference >= REFERENCE_EVERY) {
		search->phase = CHANGE_POINT_REFERENCE;
		push_ends(search, search->is_bad_next ? "B" : "G");
		search->is_bad_next = !search->is_bad_next;
	} else {
		search->phase = CHANGE_POINT_SEARCHING;
		change_point_search_push(
			search, change_point_select(&search->data, &posterior, search->tau).commit);
	}
}
