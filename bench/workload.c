// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of workloads, and finding one by name. What a workload does is in its
 * own file.
 */
#include "bench/workload.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

const struct workload *const workload_table[] = {
	&workload_mprotect_toggle,
	&workload_mprotect_single,
	&workload_mprotect_regions,
	&workload_mprotect_populated,
	&workload_mprotect_pmd,
	&workload_mprotect_large_folio,
	&workload_write_fault,
	&workload_exec,
	NULL,
};

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; workload_table[i]; i++) {
		if (strcmp(workload_table[i]->name, name) == 0)
			return workload_table[i];
	}
	return NULL;
}

const char *workload_nearest(const char *name)
{
	const char *names[ARRAY_SIZE(workload_table)] = { NULL };

	for (size_t i = 0; workload_table[i]; i++)
		names[i] = workload_table[i]->name;
	return text_nearest(name, names);
}

void bench_result_done(struct bench_result *result)
{
	if (!result)
		return;
	json_decref(result->parameters);
	json_decref(result->metrics);
	json_decref(result->gates);
	json_decref(result->counters);
	json_decref(result->noise);
	json_decref(result->notes);
	*result = (struct bench_result){ 0 };
}

void bench_result_note(struct bench_result *result, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (!result->notes)
		result->notes = json_array();
	(void)json_array_append_new(result->notes, json_string(text));
}
