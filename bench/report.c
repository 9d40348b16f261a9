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

json_t *report_to_json(const struct bench_options *options, const struct placement *placement,
		       struct bench_result *result, json_t *clock)
{
	const struct outcome *outcome = &result->outcome;
	long page_bytes = sysconf(_SC_PAGESIZE);
	bool is_expected = outcome->n_unexpected == 0;
	json_t *parameters = json_pack("{s:I, s:I, s:I, s:i, s:I, s:I}",
		"size_bytes", (json_int_t)options->size_bytes,
		"iterations", (json_int_t)options->iterations,
		"warmup_iterations", (json_int_t)options->warmup_iterations,
		"cpu", placement->cpu,
		"page_size_bytes", (json_int_t)page_bytes,
		"pages", (json_int_t)options->size_bytes / page_bytes);

	return json_pack("{s:i, s:s, s:s, s:s, s:o, s:s, s:s?, s:f, s:I, s:o, s:o, s:o, s:o, s:o, "
			 "s:o}",
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
			 "environment", environment_to_json(placement));
}
