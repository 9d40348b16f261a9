// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the diagnoses of a boot found, as facts of that boot: "calls of change_pte_range 4096".
 */
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/result_build_internal.h"

static void add_counts(struct result_facts *facts, const json_t *counts)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)counts, name, value) {
		_cleanup_free_ char *fact = text_format("calls of %s", name);
		_cleanup_free_ char *number =
			json_is_integer(value)
				? text_format("%lld", (long long)json_integer_value(value))
				: text_duplicate("cannot be counted on this kernel");

		result_facts_add(facts, fact, number);
	}
}

void result_build_diagnosis(struct result_boot *boot, const json_t *data)
{
	const json_t *perf = json_object_get(data, "perf");
	const json_t *functions = json_object_get(data, "functions");
	struct result_facts *facts = &boot->diagnosis;

	add_counts(facts, json_object_get(functions, "counts"));
	result_facts_add(facts, "counted by", json_string_value(json_object_get(functions, "by")));
	result_facts_add(facts, "no counts", json_string_value(json_object_get(functions, "note")));
	result_facts_add(facts, "perf", json_string_value(json_object_get(perf, "text")));
	result_facts_add(facts, "perf's file", json_string_value(json_object_get(perf, "file")));
	result_facts_add(facts, "no perf", json_string_value(json_object_get(perf, "note")));
	result_facts_add(facts, "failed", json_string_value(json_object_get(data, "error")));
}
