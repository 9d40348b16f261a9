// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The estimates of each design in the JSON report; null where there are none.
 */
#include <math.h>

#include "reports/render/render_internal.h"

static json_t *figures_json(const struct sandwich_figures *figures)
{
	json_t *object;

	if (!figures->is_present)
		return json_null();
	object = json_object();
	render_json_set(object, "midpoint", render_json_number(figures->midpoint));
	render_json_set(object, "child", render_json_number(figures->child));
	render_json_set(object, "delta_pct", render_json_number(figures->delta_pct));
	render_json_set(object, "drift_pct", render_json_number(figures->drift_pct));
	render_json_set(object, "worst_step_pct", render_json_number(figures->worst_step_pct));
	return object;
}

static json_t *bounds_json(bool has_bounds, const struct interval_bounds *bounds)
{
	json_t *array;

	if (!has_bounds)
		return json_null();
	array = json_array();
	render_json_append(array, render_json_number(bounds->low_pct));
	render_json_append(array, render_json_number(bounds->high_pct));
	return array;
}

static json_t *excluded_json(const struct interval_exclusion *excluded, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		render_json_append(array, json_integer((json_int_t)excluded[i].boot + 1));
	return array;
}

static json_t *interval_json(const struct interval *interval)
{
	json_t *object = json_object();

	render_json_set(object, "estimate_pct", render_json_number(interval->estimate_pct));
	render_json_set(object, "ci95_pct", bounds_json(interval->has_bounds, &interval->ci95));
	render_json_set(object, "ci99_pct", bounds_json(interval->has_bounds, &interval->ci99));
	render_json_set(object, "sd_between_boots", render_json_number(interval->s));
	render_json_set(object, "sd_floor", render_json_number(interval->floor_s));
	render_json_set(object, "degrees_of_freedom", render_json_number(interval->df));
	render_json_set(object, "slope_per_boot", interval->has_slope ? render_json_number(interval->slope)
							  : json_null());
	render_json_set(object, "detectable_pct", interval->has_bounds ? render_json_number(interval->mde_pct)
							   : json_null());
	render_json_set(object, "history_used", json_boolean(interval->is_history_used));
	render_json_set(object, "deterministic", json_boolean(interval->is_deterministic));
	render_json_set(object, "excluded_boots",
			excluded_json(interval->excluded, interval->n_excluded));
	return object;
}

json_t *render_json_estimates(const struct result *result)
{
	const struct result_estimates *estimates = &result->estimates;
	json_t *object;
	json_t *phases;

	if (!estimates->is_present)
		return json_null();
	object = json_object();
	phases = json_object();
	for (size_t i = 0; i < SUMMARY_VARIANT_COUNT; i++)
		render_json_set(object, render_variant_names[i], figures_json(&estimates->sandwich.variants[i]));
	for (size_t i = 0; i < estimates->n_phases; i++) {
		const struct result_phase_figures *figures = &estimates->phases[i];
		json_t *phase = json_object();

		render_json_set(phase, "midpoint", render_json_number(figures->midpoint));
		render_json_set(phase, "child", render_json_number(figures->child));
		render_json_set(phase, "delta_pct", render_json_number(figures->delta_pct));
		render_json_set(phase, "drift_pct", render_json_number(figures->drift_pct));
		render_json_set(phases, figures->name, phase);
	}
	render_json_set(object, "phases", phases);
	render_json_set(object, "interval", interval_json(&estimates->interval));
	render_json_set(object, "quantised", json_boolean(estimates->sandwich.is_quantised));
	render_json_set(object, "drift_gate", json_boolean(estimates->verdict.is_drift_gate));
	render_json_set(object, "below_threshold", json_boolean(estimates->verdict.is_below_threshold));
	return object;
}

static json_t *contrast_json(const struct sweep *sweep, const struct sweep_contrast *contrast)
{
	json_t *object = json_object();

	render_json_set(object, "estimate_pct", render_json_number(contrast->estimate_pct));
	render_json_set(object, "t", render_json_number(contrast->t));
	render_json_set(object, "ci95_pct", bounds_json(sweep->has_bounds, &contrast->ci95));
	render_json_set(object, "ci99_pct", bounds_json(sweep->has_bounds, &contrast->ci99));
	return object;
}

static json_t *sweep_kernels_json(const struct result *result)
{
	const struct sweep *sweep = &result->estimates.sweep;
	json_t *array = json_array();

	for (size_t i = 0; i < sweep->n_kernels; i++) {
		const struct sweep_kernel *kernel = &sweep->kernels[i];
		json_t *object = json_object();

		render_json_set(object, "point", render_json_text(result->points[i].name));
		render_json_set(object, "boots", json_integer((json_int_t)kernel->n_boots));
		render_json_set(object, "mean", render_json_number(kernel->mean));
		render_json_set(object, "delta_pct", render_json_number(kernel->delta_pct));
		render_json_set(object, "against_first",
				i ? contrast_json(sweep, &kernel->against_first) : json_null());
		render_json_append(array, object);
	}
	return array;
}

json_t *render_json_sweep(const struct result *result)
{
	const struct sweep *sweep = &result->estimates.sweep;
	json_t *object;
	json_t *window;

	if (!result->estimates.has_sweep)
		return json_null();
	object = json_object();
	window = contrast_json(sweep, &sweep->window_contrast);
	render_json_set(window, "from", render_json_text(result->points[sweep->window].name));
	render_json_set(window, "to", render_json_text(result->points[sweep->window + 1].name));
	render_json_set(object, "kernels", sweep_kernels_json(result));
	render_json_set(object, "window", window);
	render_json_set(object, "sd_between_boots", render_json_number(sweep->s));
	render_json_set(object, "sd_floor", render_json_number(sweep->floor_s));
	render_json_set(object, "degrees_of_freedom", render_json_number(sweep->df));
	render_json_set(object, "slope_per_boot",
			sweep->has_slope ? render_json_number(sweep->slope) : json_null());
	render_json_set(object, "history_used", json_boolean(sweep->is_history_used));
	render_json_set(object, "deterministic", json_boolean(sweep->is_deterministic));
	render_json_set(object, "quantised", json_boolean(sweep->is_quantised));
	render_json_set(object, "excluded_boots",
			excluded_json(sweep->excluded, sweep->n_excluded));
	return object;
}

json_t *render_json_ladder(const struct result *result)
{
	const struct ladder *ladder = &result->estimates.ladder;
	json_t *object;
	json_t *rungs;

	if (!result->estimates.has_ladder)
		return json_null();
	object = json_object();
	rungs = json_array();
	for (size_t i = 0; i < ladder->n_rungs; i++) {
		const struct ladder_rung *rung = &ladder->rungs[i];
		json_t *row = json_object();

		render_json_set(row, "point", render_json_text(result->points[i].name));
		render_json_set(row, "single_boot", json_boolean(rung->is_single));
		render_json_set(row, "mean", render_json_number(rung->mean));
		render_json_set(row, "drift_pct", render_json_number(rung->drift_pct));
		render_json_set(row, "recovered_pct", render_json_number(rung->recovered_pct));
		render_json_set(row, "share_pct", render_json_number(rung->share_pct));
		render_json_append(rungs, row);
	}
	render_json_set(object, "rungs", rungs);
	render_json_set(object, "combined_pct", render_json_number(ladder->combined_pct));
	render_json_set(object, "residual_pct", render_json_number(ladder->residual_pct));
	render_json_set(object, "original_pct", render_json_number(ladder->original_pct));
	return object;
}
