// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Contrasts of a fit of many kernels. The fit itself is interval_fit.c's.
 */
#include "reports/statistics/sweep.h"

#include <errno.h>
#include <math.h>

#include "reports/statistics/interval_fit.h"

_Static_assert(SWEEP_KERNELS_MAX <= INTERVAL_KERNELS_MAX, "the model must hold every kernel");

static struct sweep_contrast contrast_of(const struct interval_fit *fit, size_t base, size_t kernel)
{
	struct interval_contrast from = interval_contrast(fit, base, kernel);
	double variance = fit->s2 * from.vb;
	struct sweep_contrast contrast = {
		.b = from.b,
		.estimate_pct = 100 * expm1(from.b / 100),
		.vb = from.vb,
		.t = fit->df >= 1 && variance > 0 ? from.b / sqrt(variance) : (double)NAN,
	};

	if (fit->df >= 1) {
		contrast.ci95 = interval_bounds_at(from.b, variance, fit->df, .975);
		contrast.ci99 = interval_bounds_at(from.b, variance, fit->df, .995);
	}
	return contrast;
}

static void fill_kernels(const struct summary *summaries, const size_t *kernels, size_t n_boots,
			 const struct interval_fit *fit, struct sweep *sweep)
{
	for (size_t i = 0; i < n_boots; i++) {
		struct sweep_kernel *kernel = &sweep->kernels[kernels[i]];

		kernel->n_boots++;
		kernel->mean += summaries[i].location[SUMMARY_MEAN];
	}
	for (size_t i = 0; i < sweep->n_kernels; i++) {
		struct sweep_kernel *kernel = &sweep->kernels[i];

		kernel->mean /= (double)kernel->n_boots;
		kernel->delta_pct = 100 * (kernel->mean / sweep->kernels[0].mean - 1);
		if (i)
			kernel->against_first = contrast_of(fit, 0, i);
	}
}

/* s2 is the same for all, so |b| / sqrt(vb) ranks as |t| does, also where s2 is unknown or 0. */
static void find_window(const struct interval_fit *fit, struct sweep *sweep)
{
	double largest = -1;

	for (size_t i = 0; i + 1 < sweep->n_kernels; i++) {
		struct interval_contrast step = interval_contrast(fit, i, i + 1);
		double rank = fabs(step.b) / sqrt(step.vb);

		if (rank > largest) {
			largest = rank;
			sweep->window = i;
		}
	}
	sweep->window_contrast = contrast_of(fit, sweep->window, sweep->window + 1);
}

static int check_kernels(const size_t *kernels, size_t n_boots, size_t n_kernels, struct error *err)
{
	bool has_boot[SWEEP_KERNELS_MAX] = { false };

	if (n_kernels < 2)
		return error_set(err, -EINVAL, "a sweep compares two kernels at least");
	if (n_kernels > SWEEP_KERNELS_MAX)
		return error_set(err, -E2BIG, "%zu kernels are more than the %d that can be compared",
				 n_kernels, SWEEP_KERNELS_MAX);
	if (n_boots > INTERVAL_BOOTS_MAX)
		return error_set(err, -E2BIG, "%zu boots are more than the %d that can be compared",
				 n_boots, INTERVAL_BOOTS_MAX);
	for (size_t i = 0; i < n_boots; i++) {
		if (kernels[i] >= n_kernels)
			return error_set(err, -EINVAL, "boot %zu is of kernel %zu, but there are only %zu",
					 i + 1, kernels[i] + 1, n_kernels);
		has_boot[kernels[i]] = true;
	}
	for (size_t i = 0; i < n_kernels; i++) {
		if (!has_boot[i])
			return error_set(err, -EINVAL, "kernel %zu of the sweep has no boot", i + 1);
	}
	return 0;
}

int sweep_make(const struct sample *samples, const struct summary *summaries,
	       const size_t *kernels, size_t n_boots, size_t n_kernels,
	       const struct interval_history *history, struct sweep *ret_sweep, struct error *err)
{
	struct sweep sweep = { .n_kernels = n_kernels, .is_quantised = true };
	struct interval_model model;
	struct interval_fit fit;
	int r;

	r = check_kernels(kernels, n_boots, n_kernels, err);
	if (r < 0)
		return r;
	interval_model_init(&model, samples, summaries, kernels, n_boots, n_kernels, history);
	sweep.n_excluded = interval_exclude_outliers(&model, sweep.excluded);
	fit = interval_fit_model(&model);
	sweep.n_kept = (size_t)fit.n_kept;
	sweep.df = fit.df;
	sweep.s = sqrt(fit.s2);
	sweep.floor_s = sqrt(fit.floor);
	sweep.has_bounds = fit.df >= 1;
	sweep.is_deterministic = sweep.has_bounds && fit.s2 <= 0;
	sweep.is_history_used = model.history_nu > 0;
	sweep.has_slope = model.has_slope;
	sweep.slope = fit.slope;
	sweep.is_slope_significant = interval_is_slope_significant(&fit);
	for (size_t i = 0; i < n_boots; i++)
		sweep.is_quantised = sweep.is_quantised && summaries[i].is_whole;
	fill_kernels(summaries, kernels, n_boots, &fit, &sweep);
	find_window(&fit, &sweep);
	*ret_sweep = sweep;
	return 0;
}
