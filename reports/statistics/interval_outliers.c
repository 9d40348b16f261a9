// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which boots are outliers, and Student's bounds: what interval.c and sweep.c share
 * beyond the fit itself.
 */
#define MATHLIB_STANDALONE 1
#include "reports/statistics/interval_fit.h"

#include <Rmath.h>
#include <math.h>

#define OUTLIER_LEVEL 0.0005

static size_t exclusions_max(const struct interval_model *model)
{
	if (model->history_nu > 0)
		return model->n >= 5 ? (model->n + 2) / 7 : 0;
	return model->n >= INTERVAL_SLOPE_BOOTS_MIN ? model->n / 7 : 0;
}

size_t interval_exclude_outliers(struct interval_model *model, struct interval_exclusion *excluded)
{
	size_t most = exclusions_max(model);
	size_t n_removed = 0;
	size_t n_excluded = 0;

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
		worst.critical = qt(1 - OUTLIER_LEVEL / fit.n_kept, fit.df - 1, 1, 0);
		model->is_kept[worst.boot] = false;
		excluded[n_removed++] = worst;
		if (worst.studentised > worst.critical)
			n_excluded = n_removed;
	}
	for (size_t i = n_excluded; i < n_removed; i++)
		model->is_kept[excluded[i].boot] = true;
	return n_excluded;
}

struct interval_bounds interval_bounds_at(double b, double variance, double df, double quantile)
{
	double half = variance > 0 ? qt(quantile, df, 1, 0) * sqrt(variance) : 0;

	return (struct interval_bounds){
		.low_pct = 100 * expm1((b - half) / 100),
		.high_pct = 100 * expm1((b + half) / 100),
	};
}

bool interval_is_slope_significant(const struct interval_fit *fit)
{
	return fit->t_squares > 0 && fit->s2 > 0 && fit->df >= 1 &&
	       fabs(fit->slope) > qt(.995, fit->df, 1, 0) * sqrt(fit->s2 / fit->t_squares);
}
