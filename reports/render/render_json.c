// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON report: the whole model with stable names. Readers should check "schema". Boots
 * are in render_json_boots.c, estimates in render_json_estimates.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render.h"
#include "reports/render/render_internal.h"

const char *const render_variant_names[SUMMARY_VARIANT_COUNT] = {
	[SUMMARY_MEAN] = "mean",
	[SUMMARY_DROP_FIRST] = "drop_first",
	[SUMMARY_MEDIAN] = "median",
	[SUMMARY_TRIMMED] = "trimmed",
};

/* Out of memory would drop a fact without a word: end instead, as common/text.h does. */
void render_json_set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		abort();
}

void render_json_append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) < 0)
		abort();
}

json_t *render_json_text(const char *text)
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

json_t *render_json_number(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *texts(const struct result_texts *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->n; i++)
		render_json_append(array, render_json_text(list->items[i]));
	return array;
}

static json_t *facts(const struct result_facts *list)
{
	json_t *object = json_object();

	for (size_t i = 0; i < list->n; i++)
		render_json_set(object, list->items[i].name, render_json_text(list->items[i].value));
	return object;
}

static json_t *job_json(const struct result *result)
{
	json_t *job = json_object();

	render_json_set(job, "id", result->job_id ? json_integer(result->job_id) : json_null());
	render_json_set(job, "name", render_json_text(result->name));
	render_json_set(job, "rehearses", result->rehearses ? json_integer(result->rehearses) : json_null());
	render_json_set(job, "design", render_json_text(result->design));
	render_json_set(job, "order", render_json_text(result->order));
	render_json_set(job, "exactly", json_boolean(result->is_exact));
	render_json_set(job, "threshold_pct", json_real(result->threshold_pct));
	render_json_set(job, "repository", render_json_text(result->repository));
	render_json_set(job, "workload", render_json_text(result->workload));
	render_json_set(job, "metric", render_json_text(result->metric));
	render_json_set(job, "unit", render_json_text(result->unit));
	render_json_set(job, "warmups", result->workload ? json_integer(result->warmups) : json_null());
	render_json_set(job, "processes",
	    result->workload ? json_integer(result->processes) : json_null());
	return job;
}

static json_t *changes_json(const struct result_point *point)
{
	json_t *array = json_array();

	for (size_t i = 0; i < point->changes.n; i++)
		render_json_append(array, render_json_text(point->changes.items[i]));
	return array;
}

static json_t *points_json(const struct result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->n_points; i++) {
		const struct result_point *point = &result->points[i];
		json_t *object = json_object();

		render_json_set(object, "name", render_json_text(point->name));
		render_json_set(object, "revision", render_json_text(point->revision));
		render_json_set(object, "commit", render_json_text(point->commit));
		render_json_set(object, "title", render_json_text(point->title));
		if (point->changes.n) {
			render_json_set(object, "tree", render_json_text(point->tree));
			render_json_set(object, "changes", changes_json(point));
		}
		render_json_set(object, "kernel", render_json_text(point->kernel_key));
		render_json_set(object, "build_id", render_json_text(point->build_id));
		render_json_set(object, "release", render_json_text(point->release));
		render_json_set(object, "config_sha256", render_json_text(point->config_sha256));
		render_json_set(object, "compiler", render_json_text(point->compiler));
		render_json_set(object, "failure", render_json_text(point->failure));
		render_json_set(object, "build_log_tail", render_json_text(point->log_tail));
		render_json_append(array, object);
	}
	return array;
}

static json_t *config_json(const struct result *result)
{
	json_t *object;

	if (!result->is_config_compared)
		return json_null();
	object = json_object();
	render_json_set(object, "equal", json_boolean(result->is_config_equal));
	render_json_set(object, "differences", texts(&result->config_differences));
	return object;
}

static json_t *findings_json(const struct result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->findings.n; i++) {
		const struct result_finding *finding = &result->findings.items[i];
		bool has_boot = finding->boot < result->n_boots;
		size_t point = has_boot ? result->boots[finding->boot].point : finding->point;
		json_t *object = json_object();

		render_json_set(object, "kind", render_json_text(finding->kind));
		render_json_set(object, "boot", has_boot ? json_integer((json_int_t)finding->boot + 1)
							 : json_null());
		render_json_set(object, "attempt",
				finding->attempt ? json_integer(finding->attempt) : json_null());
		render_json_set(object, "point",
				point < result->n_points ? render_json_text(result->points[point].name)
							 : json_null());
		render_json_set(object, "workload", render_json_text(finding->workload));
		render_json_set(object, "text", render_json_text(finding->text));
		render_json_append(array, object);
	}
	return array;
}

static json_t *verdict_json(const struct result *result)
{
	return result->estimates.is_present ? render_json_text(render_verdict_word(result))
					    : json_null();
}

/* What differs between the workloads of a job; null where there is one only. */
static json_t *workloads_json(const struct result *result)
{
	json_t *array;

	if (!result->n_further)
		return json_null();
	array = json_array();
	for (size_t i = 0; i <= result->n_further; i++) {
		const struct result *bench = result_bench(result, i);
		_cleanup_free_ char *headline = render_headline(bench);
		json_t *object = json_object();

		render_json_set(object, "name", render_json_text(bench->bench));
		render_json_set(object, "headline", render_json_text(headline));
		render_json_set(object, "status", render_json_text(result_status_name(bench->status)));
		render_json_set(object, "reason", render_json_text(bench->reason));
		render_json_set(object, "verdict", verdict_json(bench));
		render_json_set(object, "workload", render_json_text(bench->workload));
		render_json_set(object, "metric", render_json_text(bench->metric));
		render_json_set(object, "unit", render_json_text(bench->unit));
		render_json_set(object, "warmups", json_integer(bench->warmups));
		render_json_set(object, "processes", json_integer(bench->processes));
		render_json_set(object, "boots", render_json_boots(bench));
		render_json_set(object, "estimates", render_json_estimates(bench));
		render_json_append(array, object);
	}
	return array;
}

json_t *render_json(const struct result *result)
{
	_cleanup_free_ char *headline = render_headline(result);
	json_t *report = json_object();

	render_json_set(report, "schema", json_integer(RENDER_JSON_SCHEMA));
	render_json_set(report, "headline", render_json_text(headline));
	render_json_set(report, "verdict", verdict_json(result));
	render_json_set(report, "emulated", json_boolean(result->is_emulated));
	render_json_set(report, "instructions_counted", json_boolean(result->is_counted));
	render_json_set(report, "status", render_json_text(result_status_name(result->status)));
	render_json_set(report, "reason", render_json_text(result->reason));
	render_json_set(report, "source", render_json_text(result->source));
	render_json_set(report, "job", job_json(result));
	render_json_set(report, "points", points_json(result));
	render_json_set(report, "boots", render_json_boots(result));
	render_json_set(report, "estimates", render_json_estimates(result));
	render_json_set(report, "sweep", render_json_sweep(result));
	render_json_set(report, "ladder", render_json_ladder(result));
	render_json_set(report, "bisection", render_json_bisection(result));
	render_json_set(report, "config", config_json(result));
	render_json_set(report, "held_equal", facts(&result->held_equal));
	render_json_set(report, "measured_on", facts(&result->measured_on));
	render_json_set(report, "findings", findings_json(result));
	render_json_set(report, "warnings", texts(&result->warnings));
	render_json_set(report, "workloads", workloads_json(result));
	return report;
}
