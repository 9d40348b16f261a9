// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The interval of one child against one parent, from the fit of interval_fit.c. What
 * the numbers mean is left to verdict.c.
 */
#define MATHLIB_STANDALONE 1
#include "reports/statistics/interval.h"

#include <Rmath.h>
#include <errno.h>
#include <math.h>

#include "reports/statistics/interval_fit.h"

static void fill_interval(const struct interval_model *model, struct interval *interval)
{
	struct interval_fit fit = interval_fit_model(model);
	struct interval_contrast contrast = interval_contrast(&fit, 0, 1);
	double variance = fit.s2 * contrast.vb;

	interval->n_boots = (size_t)fit.n_kept;
	interval->b = contrast.b;
	interval->estimate_pct = 100 * expm1(contrast.b / 100);
	interval->s = sqrt(fit.s2);
	interval->floor_s = sqrt(fit.floor);
	interval->vb = contrast.vb;
	interval->df = fit.df;
	interval->has_slope = model->has_slope;
	interval->slope = fit.slope;
	interval->is_history_used = model->history_nu > 0;
	if (fit.df < 1)
		return;
	interval->has_bounds = true;
	interval->is_deterministic = fit.s2 <= 0;
	interval->ci95 = interval_bounds_at(contrast.b, variance, fit.df, .975);
	interval->ci99 = interval_bounds_at(contrast.b, variance, fit.df, .995);
	if (fit.s2 > 0)
		interval->mde_pct = 100 * expm1((qt(.995, fit.df, 1, 0) + qt(.8, fit.df, 1, 0)) *
						sqrt(variance) / 100);
	interval->is_slope_significant = interval_is_slope_significant(&fit);
}

static int init_model(struct interval_model *model, const struct sample *samples,
		      const struct summary *summaries, size_t n_boots,
		      const struct interval_history *history, struct error *err)
{
	size_t kernels[INTERVAL_BOOTS_MAX];
	size_t n_children = 0;

	if (n_boots > INTERVAL_BOOTS_MAX)
		return error_set(err, -E2BIG, "%zu boots are more than the %d that can be compared",
				 n_boots, INTERVAL_BOOTS_MAX);
	for (size_t i = 0; i < n_boots; i++) {
		kernels[i] = samples[i].is_child;
		n_children += samples[i].is_child;
	}
	if (!n_children || n_children == n_boots)
		return error_set(err, -EINVAL,
				 "a comparison needs boots of the parent and of the child");
	interval_model_init(model, samples, summaries, kernels, n_boots, 2, history);
	return 0;
}

static void make(struct interval_model *model, struct interval *ret_interval)
{
	struct interval interval = { 0 };

	interval.n_excluded = interval_exclude_outliers(model, interval.excluded);
	fill_interval(model, &interval);
	*ret_interval = interval;
}

int interval_make(const struct sample *samples, const struct summary *summaries,
		  size_t n_boots, const struct interval_history *history,
		  struct interval *ret_interval, struct error *err)
{
	struct interval_model model;
	int r = init_model(&model, samples, summaries, n_boots, history, err);

	if (r == 0)
		make(&model, ret_interval);
	return r;
}

int interval_make_unordered(const struct sample *samples, const struct summary *summaries,
			    size_t n_boots, const struct interval_history *history,
			    struct interval *ret_interval, struct error *err)
{
	struct interval_model model;
	int r = init_model(&model, samples, summaries, n_boots, history, err);

	if (r < 0)
		return r;
	model.has_slope = false;
	make(&model, ret_interval);
	return 0;
}
