// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The outlier rule and Student intervals around the fit of interval_fit.c. What the
 * numbers mean is left to verdict.c.
 */
#define MATHLIB_STANDALONE 1
#include "reports/statistics/interval.h"

#include <Rmath.h>
#include <errno.h>
#include <math.h>

#include "reports/statistics/interval_fit.h"

#define OUTLIER_LEVEL 0.0005

static size_t exclusions_max(const struct interval_model *model)
{
	if (model->history_nu > 0)
		return model->n >= 5 ? (model->n + 2) / 7 : 0;
	return model->n >= INTERVAL_SLOPE_BOOTS_MIN ? model->n / 7 : 0;
}

/*
 * Removes the worst boot again and again, then takes back all that came after the last
 * one beyond its critical value: two bad boots cannot hide each other.
 */
static void exclude_outliers(struct interval_model *model, struct interval *interval)
{
	size_t most = exclusions_max(model);
	size_t n_removed = 0;

	while (n_removed < most) {
		struct interval_fit fit = interval_fit_model(model);
		struct interval_exclusion worst = { 0 };

		if (fit.df < 2 || fit.s2 <= 0)
			break;
		for (size_t i = 0; i < model->n; i++) {
			double t = model->is_kept[i] ? interval_studentised(model, &fit, i) : 0;

			if (t > worst.studentised) {
				worst.studentised = t;
				worst.boot = i;
			}
		}
		if (worst.studentised <= 0)
			break;
		worst.critical = qt(1 - OUTLIER_LEVEL / (fit.n[0] + fit.n[1]), fit.df - 1, 1, 0);
		model->is_kept[worst.boot] = false;
		interval->excluded[n_removed++] = worst;
		if (worst.studentised > worst.critical)
			interval->n_excluded = n_removed;
	}
	for (size_t i = interval->n_excluded; i < n_removed; i++)
		model->is_kept[interval->excluded[i].boot] = true;
}

static struct interval_bounds bounds_at(const struct interval_fit *fit, double quantile)
{
	double half = fit->s2 > 0 ? qt(quantile, fit->df, 1, 0) * sqrt(fit->s2 * fit->vb) : 0;

	return (struct interval_bounds){
		.low_pct = 100 * expm1((fit->b - half) / 100),
		.high_pct = 100 * expm1((fit->b + half) / 100),
	};
}

static void fill_interval(const struct interval_model *model, struct interval *interval)
{
	struct interval_fit fit = interval_fit_model(model);

	interval->n_boots = (size_t)(fit.n[0] + fit.n[1]);
	interval->b = fit.b;
	interval->estimate_pct = 100 * expm1(fit.b / 100);
	interval->s = sqrt(fit.s2);
	interval->floor_s = sqrt(fit.floor);
	interval->vb = fit.vb;
	interval->df = fit.df;
	interval->has_slope = model->has_slope;
	interval->slope = fit.slope;
	interval->is_history_used = model->history_nu > 0;
	if (fit.df < 1)
		return;
	interval->has_bounds = true;
	interval->is_deterministic = fit.s2 <= 0;
	interval->ci95 = bounds_at(&fit, .975);
	interval->ci99 = bounds_at(&fit, .995);
	if (fit.s2 > 0)
		interval->mde_pct = 100 * expm1((qt(.995, fit.df, 1, 0) + qt(.8, fit.df, 1, 0)) *
						sqrt(fit.s2 * fit.vb) / 100);
	if (model->has_slope && fit.t_squares > 0 && fit.s2 > 0)
		interval->is_slope_significant =
			fabs(fit.slope) > qt(.995, fit.df, 1, 0) * sqrt(fit.s2 / fit.t_squares);
}

int interval_make(const struct sample *samples, const struct summary *summaries,
		  size_t n_boots, const struct interval_history *history,
		  struct interval *ret_interval, struct error *err)
{
	struct interval interval = { 0 };
	struct interval_model model;
	size_t n_children = 0;

	if (n_boots > INTERVAL_BOOTS_MAX)
		return error_set(err, -E2BIG, "%zu boots are more than the %d that can be compared",
				 n_boots, INTERVAL_BOOTS_MAX);
	for (size_t i = 0; i < n_boots; i++)
		n_children += samples[i].is_child;
	if (!n_children || n_children == n_boots)
		return error_set(err, -EINVAL,
				 "a comparison needs boots of the parent and of the child");
	interval_model_init(&model, samples, summaries, n_boots, history);
	exclude_outliers(&model, &interval);
	fill_interval(&model, &interval);
	*ret_interval = interval;
	return 0;
}
