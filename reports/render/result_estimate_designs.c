// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The figures of a sweep and of a ladder, and the warnings that follow from them.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/result_estimate_internal.h"
#include "reports/render/result_finding.h"
#include "reports/statistics/orders.h"

#define DRIFT_PCT_MAX 1.0

/* A linear drift cancels where every kernel's boots lie around the same mean place. */
static bool is_balanced(const struct result *result)
{
	double mean_place = (double)(result->n_boots - 1) / 2;

	for (size_t point = 0; point < result->n_points; point++) {
		double places = 0;
		double n = 0;

		for (size_t i = 0; i < result->n_boots; i++) {
			if (result->boots[i].point != point)
				continue;
			places += (double)i;
			n++;
		}
		if (fabs(places / n - mean_place) > 1e-9)
			return false;
	}
	return true;
}

static void warn_of_sweep(struct result *result)
{
	const struct sweep *sweep = &result->estimates.sweep;

	result_warn_of_values(result, sweep->is_quantised && !sweep->is_deterministic);
	if (!sweep->has_bounds)
		result_warn(result, "no-interval", RESULT_NONE, RESULT_NONE,
				 "%zu boots of %zu kernels leave no degree of freedom, so there is no interval; boot every kernel twice or more.",
				 result->n_boots, result->n_points);
	if (!is_balanced(result))
		result_warn(result, "unbalanced-order", RESULT_NONE, RESULT_NONE,
				 "The order of boots is unbalanced: a linear drift of the machine does not cancel%s.",
				 sweep->has_slope ? ", it is fitted instead"
						  : " and is part of the differences");
	result_warn_of_model(result, sweep->excluded, sweep->n_excluded,
			     sweep->is_slope_significant ? sweep->slope : 0);
}

int result_estimate_sweep(struct result *result, const struct sample *samples, struct error *err)
{
	_cleanup_free_ size_t *kernels = calloc(result->n_boots, sizeof(*kernels));
	int r;

	if (!kernels)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < result->n_boots; i++)
		kernels[i] = result->boots[i].point;
	r = sweep_make(samples, result->summaries, kernels, result->n_boots, result->n_points,
		       &result->history, &result->estimates.sweep, err);
	if (r < 0)
		return r;
	result->estimates.has_sweep = true;
	warn_of_sweep(result);
	return 0;
}

/*
 * The probes are changes to the child: of another base their recoveries mean something else.
 * In a table the commit is that base; a job's probes are commits of their own, and that they
 * come after the child was checked when they were resolved.
 */
static int check_bases(const struct result *result, struct error *err)
{
	const struct result_point *child = &result->points[1];

	if (result->job_id)
		return 0;
	for (size_t i = 2; i < result->n_points; i++) {
		const struct result_point *probe = &result->points[i];

		if (!child->commit || !probe->commit || strcmp(child->commit, probe->commit) == 0)
			continue;
		return error_set(err, -EINVAL,
				 "%s is based on commit %.12s and %s on %.12s; what is recovered may only be added up for probes of one and the same base commit",
				 probe->name, probe->commit, child->name, child->commit);
	}
	return 0;
}

static void warn_of_ladder(struct result *result)
{
	const struct ladder *ladder = &result->estimates.ladder;
	bool is_quantised = true;

	for (size_t i = 0; i < result->n_boots; i++)
		is_quantised = is_quantised && result->summaries[i].is_whole;
	result_warn_of_values(result, is_quantised);
	for (size_t i = 0; i < ladder->n_rungs; i++) {
		const struct ladder_rung *rung = &ladder->rungs[i];
		double limit_pct = fmax(DRIFT_PCT_MAX, fabs(ladder->original_pct) / 4);

		if (!rung->is_single && fabs(rung->drift_pct) > limit_pct)
			result_warn(result, "rung-drift", RESULT_NONE, i,
					 "The two boots of %s differ by %+.2f %%, more than the %.2f %% allowed: its share is not sure.",
					 result->points[i].name, rung->drift_pct, limit_pct);
	}
}

int result_estimate_ladder(struct result *result, struct error *err)
{
	_cleanup_free_ double *means = calloc(result->n_boots, sizeof(*means));
	int r;

	if (!means)
		return error_set(err, -ENOMEM, "out of memory");
	if (!result->n_points || result->n_boots != 2 * result->n_points - 1)
		return error_set(err, -EINVAL,
				 "a ladder of %zu kernels has %zu boots, not %zu", result->n_points,
				 result->n_points ? 2 * result->n_points - 1 : 0, result->n_boots);
	for (size_t i = 0; i < result->n_boots; i++) {
		if (result->boots[i].point != order_ladder(result->n_points, i))
			return error_set(err, -EINVAL,
					 "boot %zu is of %s; a ladder boots its kernels in order and back",
					 i + 1, result->points[result->boots[i].point].name);
		means[i] = result->summaries[i].location[SUMMARY_MEAN];
	}
	if (result->n_points > 2) {
		r = check_bases(result, err);
		if (r < 0)
			return r;
	}
	r = ladder_make(means, result->n_points, &result->estimates.ladder, err);
	if (r < 0)
		return r;
	result->estimates.has_ladder = true;
	warn_of_ladder(result);
	return 0;
}
