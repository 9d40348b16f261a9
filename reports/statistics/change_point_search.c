// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frame of a bisection: requests, answers, ranges. What comes next in each phase is
 * decided in change_point_search_steps.c and change_point_search_confirm.c.
 */
#include "reports/statistics/change_point_search.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "reports/statistics/change_point_gate.h"
#include "reports/statistics/change_point_search_internal.h"

static const struct change_point_options defaults = {
	.s0 = CHANGE_POINT_S0,
	.nu0 = CHANGE_POINT_NU0,
	.step_min = CHANGE_POINT_STEP_MIN,
	.boots_max = CHANGE_POINT_SEARCH_BOOTS_MAX,
};

static int check_options(const struct change_point_options *options, struct error *err)
{
	if (!(options->s0 > 0) || !(options->nu0 > 0) || !(options->step_min > 0) ||
	    !isfinite(options->s0 + options->nu0 + options->step_min))
		return error_set(err, -EINVAL,
				 "scatter, its degrees of freedom and the smallest step must be positive");
	if (options->boots_max < 1 || options->boots_max > CHANGE_POINT_SEARCH_BOOTS_MAX)
		return error_set(err, -EINVAL, "give 1 to %d boots as the limit of a bisection",
				 CHANGE_POINT_SEARCH_BOOTS_MAX);
	return 0;
}

static void begin_range(struct change_point_search *search, struct change_point_range range)
{
	search->range = range;
	search->looks = 0;
	search->attempts = 0;
	search->tau = CHANGE_POINT_TAU;
	search->is_bad_next = false;
	search->phase = CHANGE_POINT_AT_GATE;
	change_point_search_open_gate(search);
}

int change_point_search_new(size_t n, const double *weights,
			    const struct change_point_options *options,
			    struct change_point_search **ret_search, struct error *err)
{
	struct change_point_search *search;
	int r;

	r = check_options(options ? options : &defaults, err);
	if (r < 0)
		return r;
	search = calloc(1, sizeof(*search));
	if (!search)
		return error_set(err, -ENOMEM, "out of memory");
	r = change_point_data_init(&search->data, n, weights, err);
	if (r < 0) {
		free(search);
		return r;
	}
	search->options = options ? *options : defaults;
	begin_range(search, (struct change_point_range){ .lo = 0, .hi = n });
	*ret_search = search;
	return 0;
}

void change_point_search_free(struct change_point_search *search)
{
	if (!search)
		return;
	change_point_data_done(&search->data);
	free(search);
}

void change_point_search_push(struct change_point_search *search, size_t commit)
{
	search->pending[search->n_pending++] = commit;
}

void change_point_search_posterior(const struct change_point_search *search, bool is_ends_only,
				   struct change_point_posterior *ret_posterior)
{
	struct change_point_model model = {
		.s0 = search->options.s0, .nu0 = search->options.nu0, .tau = search->tau,
	};

	change_point_posterior_make(&search->data, &search->range, &model, is_ends_only,
				    ret_posterior);
}

static void end_search(struct change_point_search *search)
{
	struct change_point_answer *answer = &search->answer;

	if (answer->n_found)
		answer->outcome = CHANGE_POINT_FOUND;
	else
		answer->outcome = answer->n_undecided ? CHANGE_POINT_INCONCLUSIVE : CHANGE_POINT_NONE;
	for (size_t i = 0; i < answer->n_found; i++)
		answer->found[i].share_pct = 100 * answer->found[i].proof.difference / answer->total;
}

void change_point_search_end_range(struct change_point_search *search,
				   enum change_point_outcome outcome)
{
	if (outcome == CHANGE_POINT_INCONCLUSIVE)
		search->answer.n_undecided++;
	if (search->n_waiting)
		begin_range(search, search->waiting[--search->n_waiting]);
	else
		end_search(search);
}

/* Until a boot is asked for or all has ended. */
static void advance(struct change_point_search *search)
{
	while (search->next_pending == search->n_pending &&
	       search->answer.outcome == CHANGE_POINT_OPEN) {
		search->next_pending = search->n_pending = 0;
		switch (search->phase) {
		case CHANGE_POINT_AT_GATE:
			change_point_search_at_gate(search);
			break;
		case CHANGE_POINT_SEARCHING:
		case CHANGE_POINT_REFERENCE:
			change_point_search_go_on(search);
			break;
		case CHANGE_POINT_CONFIRMING:
			change_point_search_confirmed(search);
			break;
		case CHANGE_POINT_AGAIN:
			change_point_search_measured_again(search);
			break;
		}
	}
}

bool change_point_search_next(const struct change_point_search *search,
			      struct change_point_request *ret_request)
{
	size_t commit;

	if (search->answer.outcome != CHANGE_POINT_OPEN)
		return false;
	commit = search->pending[search->next_pending];
	*ret_request = (struct change_point_request){
		.phase = search->phase, .commit = commit,
		.is_built = change_point_data_count(&search->data, commit) > 0,
	};
	return true;
}

static int check_open(const struct change_point_search *search, struct error *err)
{
	if (search->answer.outcome == CHANGE_POINT_OPEN)
		return 0;
	return error_set(err, -EINVAL, "the bisection has ended; it asked for no boot");
}

int change_point_search_boot(struct change_point_search *search, double y, struct error *err)
{
	const struct change_point_range *range = &search->range;
	size_t commit;
	int r = check_open(search, err);

	if (r < 0)
		return r;
	commit = search->pending[search->next_pending];
	r = change_point_data_boot(&search->data, commit, y, err);
	if (r < 0)
		return r;
	search->has_passed_now = false;
	search->since_reference++;
	if (commit == range->lo || commit == range->hi)
		search->since_reference = 0;
	search->next_pending++;
	advance(search);
	return 0;
}

int change_point_search_fail(struct change_point_search *search, struct error *err)
{
	size_t commit;
	int r = check_open(search, err);

	if (r < 0)
		return r;
	commit = search->pending[search->next_pending];
	r = change_point_data_fail(&search->data, commit, err);
	if (r < 0)
		return r;
	if (commit == 0 || commit == search->data.n) {
		search->answer.outcome = CHANGE_POINT_NO_END;
		return 0;
	}
	search->next_pending++;
	advance(search);
	return 0;
}

int change_point_search_twin(struct change_point_search *search, size_t twin, struct error *err)
{
	size_t commit;
	int r = check_open(search, err);

	if (r < 0)
		return r;
	commit = search->pending[search->next_pending];
	r = change_point_data_twin(&search->data, commit, twin, err);
	if (r < 0)
		return r;
	if (commit == 0 || commit == search->data.n) {
		/* One kernel at both ends. */
		search->answer.outcome = CHANGE_POINT_NONE;
		return 0;
	}
	search->next_pending++;
	advance(search);
	return 0;
}

const struct change_point_answer *change_point_search_answer(const struct change_point_search *search)
{
	return &search->answer;
}

const struct change_point_data *change_point_search_data(const struct change_point_search *search)
{
	return &search->data;
}
