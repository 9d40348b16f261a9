// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Putting the result of a workload into its JSON form; printing is main.c's.
 */
#include "bench/report.h"

#include <unistd.h>

#include "bench/environment.h"
#include "common/cleanup.h"

static json_t *value_or_null(json_t **value)
{
	json_t *taken = TAKE_PTR(*value);

	return taken ? taken : json_null();
}

/* Only what the workload takes; what it chooses itself it adds. */
static json_t *parameters_to_json(const struct bench_options *options,
				  const struct placement *placement, const json_t *own)
{
	unsigned int takes = options->workload->options;
	json_int_t page_bytes = sysconf(_SC_PAGESIZE);
	json_int_t size_bytes = (json_int_t)options->size_bytes;
	json_t *json = json_object();

	if (size_bytes)
		(void)json_object_set_new(json, "size_bytes", json_integer(size_bytes));
	if (options->iterations)
		(void)json_object_set_new(json, "iterations", json_integer(options->iterations));
	if (takes & WORKLOAD_ITERATIONS)
		(void)json_object_set_new(json, "warmup_iterations",
					  json_integer(options->warmup_iterations));
	(void)json_object_set_new(json, "cpu", json_integer(placement->cpu));
	(void)json_object_set_new(json, "page_size_bytes", json_integer(page_bytes));
	if (size_bytes)
		(void)json_object_set_new(json, "pages", json_integer(size_bytes / page_bytes));
	if (takes & WORKLOAD_SHARED)
		(void)json_object_set_new(json, "shared", json_boolean(options->is_shared));
	if (takes & WORKLOAD_REGIONS)
		(void)json_object_set_new(json, "regions", json_integer(options->regions));
	if (options->folio_bytes)
		(void)json_object_set_new(json, "folio_bytes",
					  json_integer((json_int_t)options->folio_bytes));
	if (own)
		(void)json_object_update(json, (json_t *)own);
	return json;
}

json_t *report_to_json(const struct bench_options *options, const struct placement *placement,
		       struct bench_result *result, json_t *clock)
{
	const struct outcome *outcome = &result->outcome;
	bool is_expected = outcome->n_unexpected == 0;
	json_t *parameters = parameters_to_json(options, placement, result->parameters);
	json_t *notes = TAKE_PTR(result->notes);

	return json_pack("{s:i, s:s, s:s, s:s, s:o, s:s, s:s?, s:f, s:I, s:o, s:o, s:o, s:o, s:o, "
			 "s:o, s:o}",
			 "schema", REPORT_SCHEMA, "program", "abbot-bench",
			 "version", ABBOT_VERSION, "workload", options->workload->name,
			 "parameters", parameters,
			 "status", is_expected ? "ok" : "unexpected",
			 "reason", is_expected ? NULL : outcome->reason,
			 "expected_match_ratio", outcome_match_ratio(outcome),
			 "unexpected_results", (json_int_t)outcome->n_unexpected,
			 "metrics", value_or_null(&result->metrics),
			 "gates", value_or_null(&result->gates),
			 "counters", value_or_null(&result->counters),
			 "clock", clock,
			 "noise", value_or_null(&result->noise),
			 "environment", environment_to_json(placement),
			 "notes", notes ? notes : json_array());
}
