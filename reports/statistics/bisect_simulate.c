// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One world searched by the planner's own code, and the sums over many.
 */
#include "reports/statistics/bisect_simulate.h"

#include <errno.h>
#include <stdlib.h>

#include "reports/statistics/change_point_search.h"
#include "reports/statistics/ranked.h"

static void judge(const struct bisect_world *world, const struct change_point_answer *answer,
		  struct bisect_run *run)
{
	switch (answer->outcome) {
	case CHANGE_POINT_NONE:
		run->ending = BISECT_NONE;
		return;
	case CHANGE_POINT_OPEN:
	case CHANGE_POINT_NO_END:
	case CHANGE_POINT_INCONCLUSIVE:
		run->ending = BISECT_INCONCLUSIVE;
		return;
	case CHANGE_POINT_FOUND:
		break;
	}
	run->ending = BISECT_EXACT;
	run->is_single = true;
	/* A second named set does not hold the one culprit: that is wrong, too. */
	for (size_t i = 0; i < answer->n_found; i++) {
		const struct change_point_found *found = &answer->found[i];

		if (world->culprit <= found->lo || world->culprit > found->hi)
			run->ending = BISECT_WRONG;
		if (found->hi - found->lo != 1)
			run->is_single = false;
	}
	if (run->ending == BISECT_WRONG)
		run->is_single = false;
}

int bisect_simulate_search(struct bisect_world *world, struct bisect_run *ret_run,
			   struct error *err)
{
	_cleanup_change_point_ struct change_point_search *search = NULL;
	struct change_point_request request;
	struct bisect_run run = { 0 };
	int r;

	r = change_point_search_new(world->options.commits, NULL, NULL, &search, err);
	while (r == 0 && change_point_search_next(search, &request)) {
		run.builds += !request.is_built;
		if (world->is_unbuildable[request.commit]) {
			r = change_point_search_fail(search, err);
			continue;
		}
		run.boots++;
		r = change_point_search_boot(search, bisect_world_boot(world, request.commit), err);
	}
	if (r < 0)
		return r;
	judge(world, change_point_search_answer(search), &run);
	*ret_run = run;
	return 0;
}

int bisect_tally_add(struct bisect_tally *tally, const struct bisect_run *run, struct error *err)
{
	if (tally->n == tally->capacity) {
		size_t capacity = tally->capacity ? 2 * tally->capacity : 64;
		double *boots = realloc(tally->boots, capacity * sizeof(*boots));
		double *builds;

		if (boots)
			tally->boots = boots;
		builds = realloc(tally->builds, capacity * sizeof(*builds));
		if (builds)
			tally->builds = builds;
		if (!boots || !builds)
			return error_set(err, -ENOMEM, "out of memory for %zu worlds", capacity);
		tally->capacity = capacity;
	}
	tally->boots[tally->n] = (double)run->boots;
	tally->builds[tally->n++] = (double)run->builds;
	tally->endings[run->ending]++;
	tally->n_single += run->is_single;
	return 0;
}

void bisect_tally_done(struct bisect_tally *tally)
{
	free(tally->boots);
	free(tally->builds);
	*tally = (struct bisect_tally){ 0 };
}

struct bisect_figures bisect_tally_figures(struct bisect_tally *tally)
{
	struct bisect_figures figures = {
		.single_commit = (double)tally->n_single / (double)tally->n,
	};

	for (int ending = 0; ending < BISECT_ENDING_COUNT; ending++)
		figures.share[ending] = (double)tally->endings[ending] / (double)tally->n;
	figures.boots_median = ranked_median(tally->boots, tally->n);
	figures.boots_p95 = ranked_quantile(tally->boots, tally->n, .95);
	figures.builds_median = ranked_median(tally->builds, tally->n);
	figures.builds_p95 = ranked_quantile(tally->builds, tally->n, .95);
	return figures;
}
