// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Least squares in closed form. Outlier boots and intervals are left to interval.c.
 */
#include "reports/statistics/interval_fit.h"

#include <math.h>
#include <string.h>

#define HISTORY_NU_MIN 5.0
#define HISTORY_NU_MAX 20.0

static double log_variance_of_mean(const struct sample *sample)
{
	double n = (double)sample->n_values;
	double mean = 0;
	double squares = 0;

	if (sample->n_values < 2)
		return 0;
	for (size_t i = 0; i < sample->n_values; i++)
		mean += 100 * log(sample->values[i] / sample->values[0]) / n;
	for (size_t i = 0; i < sample->n_values; i++) {
		double deviation = 100 * log(sample->values[i] / sample->values[0]) - mean;

		squares += deviation * deviation;
	}
	return squares / (n - 1) / n;
}

void interval_model_init(struct interval_model *model, const struct sample *samples,
			 const struct summary *summaries, const size_t *kernels, size_t n_boots,
			 size_t n_kernels, const struct interval_history *history)
{
	memset(model, 0, sizeof(*model));
	model->n = n_boots;
	model->n_kernels = n_kernels;
	model->has_slope = n_boots >= INTERVAL_SLOPE_BOOTS_MIN && n_boots >= n_kernels + 3;
	for (size_t i = 0; i < n_boots; i++) {
		model->y[i] = 100 * log(summaries[i].location[SUMMARY_MEAN]);
		model->t[i] = samples[i].ordinal;
		model->kernel[i] = kernels[i];
		model->is_kept[i] = true;
		model->process_variance[i] = log_variance_of_mean(&samples[i]);
	}
	if (history && history->nu0 >= HISTORY_NU_MIN) {
		model->history_nu = fmin(history->nu0, HISTORY_NU_MAX);
		model->history_variance = history->s0 * history->s0;
	}
}

static double residual_of(const struct interval_model *model, const struct interval_fit *fit, size_t boot)
{
	size_t kernel = model->kernel[boot];

	return model->y[boot] - fit->y_mean[kernel] -
	       fit->slope * (model->t[boot] - fit->t_mean[kernel]);
}

static void fit_kernels(const struct interval_model *model, struct interval_fit *fit)
{
	double ty = 0;

	for (size_t i = 0; i < model->n; i++) {
		size_t kernel = model->kernel[i];

		if (!model->is_kept[i])
			continue;
		fit->n_kept++;
		fit->n[kernel]++;
		fit->y_mean[kernel] += model->y[i];
		fit->t_mean[kernel] += model->t[i];
		fit->floor += model->process_variance[i];
	}
	for (size_t kernel = 0; kernel < model->n_kernels; kernel++) {
		fit->y_mean[kernel] /= fit->n[kernel];
		fit->t_mean[kernel] /= fit->n[kernel];
	}
	fit->floor /= fit->n_kept;
	for (size_t i = 0; i < model->n; i++) {
		size_t kernel = model->kernel[i];
		double t = model->t[i] - fit->t_mean[kernel];

		if (!model->is_kept[i])
			continue;
		fit->t_squares += t * t;
		ty += t * (model->y[i] - fit->y_mean[kernel]);
	}
	/* Zero squares: no slope can be told, and none is adjusted for. */
	if (!model->has_slope)
		fit->t_squares = 0;
	if (fit->t_squares > 0)
		fit->slope = ty / fit->t_squares;
}

/* Scatter with history and floor: the floor never changes the degrees of freedom. */
static double pooled_variance(const struct interval_model *model, double rss, double df, double floor)
{
	double s2 = df > 0 ? (rss + model->history_nu * model->history_variance) / df : 0;

	return fmax(s2, floor);
}

struct interval_fit interval_fit_model(const struct interval_model *model)
{
	struct interval_fit fit = { 0 };

	fit_kernels(model, &fit);
	for (size_t i = 0; i < model->n; i++) {
		double residual = residual_of(model, &fit, i);

		if (model->is_kept[i])
			fit.rss += residual * residual;
	}
	fit.df = fit.n_kept - (double)model->n_kernels - (model->has_slope ? 1 : 0) +
		 model->history_nu;
	fit.s2 = pooled_variance(model, fit.rss, fit.df, fit.floor);
	if (fit.s2 < INTERVAL_ZERO_VARIANCE)
		fit.s2 = 0;
	return fit;
}

struct interval_contrast interval_contrast(const struct interval_fit *fit, size_t base, size_t kernel)
{
	double gap = fit->t_mean[kernel] - fit->t_mean[base];
	struct interval_contrast contrast = {
		.b = fit->y_mean[kernel] - fit->y_mean[base] - fit->slope * gap,
		.vb = 1 / fit->n[base] + 1 / fit->n[kernel],
	};

	if (fit->t_squares > 0)
		contrast.vb += gap * gap / fit->t_squares;
	return contrast;
}

double interval_studentised(const struct interval_model *model, const struct interval_fit *fit, size_t boot)
{
	size_t kernel = model->kernel[boot];
	double t = model->t[boot] - fit->t_mean[kernel];
	double spare = 1 - 1 / fit->n[kernel];
	double residual = residual_of(model, fit, boot);
	double s2;

	if (fit->t_squares > 0)
		spare -= t * t / fit->t_squares;
	/* Nothing else tells where this boot should lie (the only one of its kernel). */
	if (spare < 1e-9 || residual * residual < INTERVAL_ZERO_VARIANCE)
		return 0;
	s2 = pooled_variance(model, fmax(0, fit->rss - residual * residual / spare),
			     fit->df - 1, fit->floor);
	if (s2 < INTERVAL_ZERO_VARIANCE)
		return (double)INFINITY;
	return fabs(residual) / sqrt(s2 * spare);
}
