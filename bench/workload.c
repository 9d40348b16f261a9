// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of workloads, and finding one by name. What a workload does is in its
 * own file.
 */
#include "bench/workload.h"

#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

const struct workload *const workload_table[] = {
	&workload_mprotect_toggle,
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
	json_decref(result->metrics);
	json_decref(result->gates);
	json_decref(result->counters);
	json_decref(result->noise);
	*result = (struct bench_result){ 0 };
}
