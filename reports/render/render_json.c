// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON report: the whole model with stable names. Readers should check "schema".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render.h"
#include "reports/render/render_internal.h"

static const char *const variant_names[SUMMARY_VARIANT_COUNT] = {
	[SUMMARY_MEAN] = "mean",
	[SUMMARY_DROP_FIRST] = "drop_first",
	[SUMMARY_MEDIAN] = "median",
	[SUMMARY_TRIMMED] = "trimmed",
};

/* Out of memory would drop a fact without a word: end instead, as common/text.h does. */
static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		abort();
}

static void append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) < 0)
		abort();
}

static json_t *text_or_null(const char *text)
{
	_cleanup_free_ char *ascii = NULL;
	json_t *value;

	if (!text)
		return json_null();
	value = json_string(text);
	if (value)
		return value;
	/* Not UTF-8, such as a title in an old encoding. */
	ascii = text_duplicate(text);
	for (char *c = ascii; *c; c++) {
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	}
	return json_string(ascii);
}

static json_t *number_or_null(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *numbers(const double *values, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		append(array, number_or_null(values[i]));
	return array;
}

static json_t *texts(const struct result_texts *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->n; i++)
		append(array, text_or_null(list->items[i]));
	return array;
}

static json_t *facts(const struct result_facts *list)
{
	json_t *object = json_object();

	for (size_t i = 0; i < list->n; i++)
		set(object, list->items[i].name, text_or_null(list->items[i].value));
	return object;
}

static json_t *job_json(const struct result *result)
{
	json_t *job = json_object();

	set(job, "id", result->job_id ? json_integer(result->job_id) : json_null());
	set(job, "name", text_or_null(result->name));
	set(job, "rehearses", result->rehearses ? json_integer(result->rehearses) : json_null());
	set(job, "design", text_or_null(result->design));
	set(job, "order", text_or_null(result->order));
	set(job, "exactly", json_boolean(result->is_exact));
	set(job, "threshold_pct", json_real(result->threshold_pct));
	set(job, "repository", text_or_null(result->repository));
	set(job, "workload", text_or_null(result->workload));
	set(job, "metric", text_or_null(result->metric));
	set(job, "unit", text_or_null(result->unit));
	set(job, "warmups", result->workload ? json_integer(result->warmups) : json_null());
	set(job, "processes",
	    result->workload ? json_integer(result->processes) : json_null());
	return job;
}

static json_t *points_json(const struct result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->n_points; i++) {
		const struct result_point *point = &result->points[i];
		json_t *object = json_object();

		set(object, "name", text_or_null(point->name));
		set(object, "revision", text_or_null(point->revision));
		set(object, "commit", text_or_null(point->commit));
		set(object, "title", text_or_null(point->title));
		set(object, "kernel", text_or_null(point->kernel_key));
		set(object, "build_id", text_or_null(point->build_id));
		set(object, "release", text_or_null(point->release));
		set(object, "config_sha256", text_or_null(point->config_sha256));
		set(object, "compiler", text_or_null(point->compiler));
		set(object, "failure", text_or_null(point->failure));
		set(object, "build_log_tail", text_or_null(point->log_tail));
		append(array, object);
	}
	return array;
}

static void set_summary(json_t *object, const struct result_boot *boot)
{
	struct summary summary;
	bool is_present = summary_make(boot->values, boot->n_values, &summary, NULL) == 0;

	set(object, "n", json_integer((json_int_t)boot->n_values));
	set(object, "sd", is_present ? number_or_null(summary.sd) : json_null());
	set(object, "cv_pct", is_present ? number_or_null(summary.cv_pct) : json_null());
	set(object, "min", is_present ? number_or_null(summary.minimum) : json_null());
	set(object, "max", is_present ? number_or_null(summary.maximum) : json_null());
	for (size_t i = 0; i < SUMMARY_VARIANT_COUNT; i++)
		set(object, variant_names[i],
		    is_present ? number_or_null(summary.location[i]) : json_null());
}

static json_t *boots_json(const struct result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];
		json_t *object = json_object();
		json_t *phases = json_object();

		for (size_t j = 0; j < boot->n_phases; j++)
			set(phases, boot->phases[j].name, number_or_null(boot->phases[j].mean));
		set(object, "boot", json_integer((json_int_t)i + 1));
		set(object, "point", text_or_null(result->points[boot->point].name));
		set(object, "label", text_or_null(result_boot_label(result, boot)));
		set(object, "attempt", boot->attempt ? json_integer(boot->attempt) : json_null());
		set(object, "boot_id", text_or_null(boot->boot_id));
		set(object, "build_id", text_or_null(boot->build_id));
		set(object, "release", text_or_null(boot->release));
		set(object, "complete", json_boolean(boot->is_complete));
		set(object, "unexpected", text_or_null(boot->unexpected));
		set(object, "values", numbers(boot->values, boot->n_values));
		set(object, "warmup_values", numbers(boot->warmups, boot->n_warmups));
		set(object, "phases", phases);
		set_summary(object, boot);
		append(array, object);
	}
	return array;
}

static json_t *figures_json(const struct sandwich_figures *figures)
{
	json_t *object;

	if (!figures->is_present)
		return json_null();
	object = json_object();
	set(object, "midpoint", number_or_null(figures->midpoint));
	set(object, "child", number_or_null(figures->child));
	set(object, "delta_pct", number_or_null(figures->delta_pct));
	set(object, "drift_pct", number_or_null(figures->drift_pct));
	set(object, "worst_step_pct", number_or_null(figures->worst_step_pct));
	return object;
}

static json_t *bounds_json(const struct interval *interval, const struct interval_bounds *bounds)
{
	json_t *array;

	if (!interval->has_bounds)
		return json_null();
	array = json_array();
	append(array, number_or_null(bounds->low_pct));
	append(array, number_or_null(bounds->high_pct));
	return array;
}

static json_t *interval_json(const struct interval *interval)
{
	json_t *object = json_object();
	json_t *excluded = json_array();

	for (size_t i = 0; i < interval->n_excluded; i++)
		append(excluded, json_integer((json_int_t)interval->excluded[i].boot + 1));
	set(object, "estimate_pct", number_or_null(interval->estimate_pct));
	set(object, "ci95_pct", bounds_json(interval, &interval->ci95));
	set(object, "ci99_pct", bounds_json(interval, &interval->ci99));
	set(object, "sd_between_boots", number_or_null(interval->s));
	set(object, "sd_floor", number_or_null(interval->floor_s));
	set(object, "degrees_of_freedom", number_or_null(interval->df));
	set(object, "slope_per_boot", interval->has_slope ? number_or_null(interval->slope)
							  : json_null());
	set(object, "detectable_pct", interval->has_bounds ? number_or_null(interval->mde_pct)
							   : json_null());
	set(object, "deterministic", json_boolean(interval->is_deterministic));
	set(object, "excluded_boots", excluded);
	return object;
}

static json_t *estimates_json(const struct result *result)
{
	const struct result_estimates *estimates = &result->estimates;
	json_t *object;
	json_t *phases;

	if (!estimates->is_present)
		return json_null();
	object = json_object();
	phases = json_object();
	for (size_t i = 0; i < SUMMARY_VARIANT_COUNT; i++)
		set(object, variant_names[i], figures_json(&estimates->sandwich.variants[i]));
	for (size_t i = 0; i < estimates->n_phases; i++) {
		const struct result_phase_figures *figures = &estimates->phases[i];
		json_t *phase = json_object();

		set(phase, "midpoint", number_or_null(figures->midpoint));
		set(phase, "child", number_or_null(figures->child));
		set(phase, "delta_pct", number_or_null(figures->delta_pct));
		set(phase, "drift_pct", number_or_null(figures->drift_pct));
		set(phases, figures->name, phase);
	}
	set(object, "phases", phases);
	set(object, "interval", interval_json(&estimates->interval));
	set(object, "quantised", json_boolean(estimates->sandwich.is_quantised));
	set(object, "drift_gate", json_boolean(estimates->verdict.is_drift_gate));
	set(object, "below_threshold", json_boolean(estimates->verdict.is_below_threshold));
	return object;
}

static json_t *config_json(const struct result *result)
{
	json_t *object;

	if (!result->is_config_compared)
		return json_null();
	object = json_object();
	set(object, "equal", json_boolean(result->is_config_equal));
	set(object, "differences", texts(&result->config_differences));
	return object;
}

json_t *render_json(const struct result *result)
{
	_cleanup_free_ char *headline = render_headline(result);
	json_t *report = json_object();

	set(report, "schema", json_integer(RENDER_JSON_SCHEMA));
	set(report, "headline", text_or_null(headline));
	set(report, "verdict", result->estimates.is_present
				       ? text_or_null(render_verdict_word(result)) : json_null());
	set(report, "emulated", json_boolean(result->is_emulated));
	set(report, "instructions_counted", json_boolean(result->is_counted));
	set(report, "status", text_or_null(result_status_name(result->status)));
	set(report, "reason", text_or_null(result->reason));
	set(report, "source", text_or_null(result->source));
	set(report, "job", job_json(result));
	set(report, "points", points_json(result));
	set(report, "boots", boots_json(result));
	set(report, "estimates", estimates_json(result));
	set(report, "config", config_json(result));
	set(report, "held_equal", facts(&result->held_equal));
	set(report, "measured_on", facts(&result->measured_on));
	set(report, "warnings", texts(&result->warnings));
	return report;
}
