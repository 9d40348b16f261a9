// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Midpoint, delta and drift. How sure they are is left to interval.c.
 */
#include "reports/statistics/sandwich.h"

#include <errno.h>
#include <math.h>

static double change_pct(double value, double base)
{
	return 100 * (value / base - 1);
}

static int check_order(const struct sample *samples, size_t n_boots, struct error *err)
{
	size_t n_children = 0;

	for (size_t i = 0; i < n_boots; i++)
		n_children += samples[i].is_child;
	if (!n_children)
		return error_set(err, -EINVAL, "no boot of the child: there is nothing to compare");
	if (samples[0].is_child || samples[n_boots - 1].is_child)
		return error_set(err, -EINVAL,
				 "a child boot lacks a parent boot before or after it; a sandwich begins and ends with the parent");
	return 0;
}

/* The parent boots around child boot @child; check_order() made sure that both exist. */
static double midpoint_around(const struct sample *samples, const struct summary *summaries,
			      size_t child, enum summary_variant variant)
{
	size_t before = child;
	size_t after = child;

	while (samples[before].is_child)
		before--;
	while (samples[after].is_child)
		after++;
	return (summaries[before].location[variant] + summaries[after].location[variant]) / 2;
}

static void add_parent_steps(const struct sample *samples, const struct summary *summaries,
			     size_t n_boots, enum summary_variant variant,
			     struct sandwich_figures *figures)
{
	double first = summaries[0].location[variant];
	double previous = first;

	for (size_t i = 1; i < n_boots; i++) {
		double value = summaries[i].location[variant];
		double step_pct;

		if (samples[i].is_child)
			continue;
		step_pct = change_pct(value, previous);
		if (fabs(step_pct) > fabs(figures->worst_step_pct))
			figures->worst_step_pct = step_pct;
		figures->drift_pct = change_pct(value, first);
		previous = value;
	}
}

static struct sandwich_figures figures_of(const struct sample *samples,
					  const struct summary *summaries, size_t n_boots,
					  enum summary_variant variant)
{
	struct sandwich_figures figures = { .is_present = true };
	double n_children = 0;

	for (size_t i = 0; i < n_boots; i++) {
		double midpoint;

		if (isnan(summaries[i].location[variant]))
			return (struct sandwich_figures){ 0 };
		if (!samples[i].is_child)
			continue;
		midpoint = midpoint_around(samples, summaries, i, variant);
		figures.midpoint += midpoint;
		figures.child += summaries[i].location[variant];
		figures.delta_pct += change_pct(summaries[i].location[variant], midpoint);
		n_children++;
	}
	figures.midpoint /= n_children;
	figures.child /= n_children;
	figures.delta_pct /= n_children;
	add_parent_steps(samples, summaries, n_boots, variant, &figures);
	return figures;
}

int sandwich_make(const struct sample *samples, const struct summary *summaries,
		  size_t n_boots, double threshold_pct, struct sandwich *ret_sandwich,
		  struct error *err)
{
	struct sandwich sandwich = { .n_boots = n_boots, .is_quantised = true };
	double mean_delta_pct;
	int r;

	r = check_order(samples, n_boots, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n_boots; i++) {
		sandwich.n_children += samples[i].is_child;
		sandwich.is_quantised = sandwich.is_quantised && summaries[i].is_whole;
	}
	for (int variant = 0; variant < SUMMARY_VARIANT_COUNT; variant++)
		sandwich.variants[variant] = figures_of(samples, summaries, n_boots,
							(enum summary_variant)variant);

	mean_delta_pct = sandwich.variants[SUMMARY_MEAN].delta_pct;
	for (int variant = 0; variant < SUMMARY_VARIANT_COUNT; variant++) {
		struct sandwich_figures *figures = &sandwich.variants[variant];

		if (!figures->is_present)
			continue;
		figures->is_sign_changed = figures->delta_pct * mean_delta_pct < 0;
		figures->is_moved =
			fabs(figures->delta_pct - mean_delta_pct) > threshold_pct / 2;
	}
	*ret_sandwich = sandwich;
	return 0;
}
