// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One process's result into its boot. The workload's own numbers are taken as they are:
 * gates were judged where it ran.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "orchestrator/work/result_build_internal.h"

/* The running mean of a metric over this boot's measured processes. */
static void add_phase(struct result_boot *boot, const char *name, double mean, int n_measured)
{
	for (size_t i = 0; i < boot->n_phases; i++) {
		struct result_phase *phase = &boot->phases[i];

		if (strcmp(phase->name, name) == 0) {
			phase->mean += (mean - phase->mean) / n_measured;
			return;
		}
	}
	/* A metric that an earlier process lacked has no mean over all of them. */
	result_boot_add_phase(boot, name, n_measured == 1 ? mean : (double)NAN);
}

static void add_metrics(struct result *result, struct result_boot *boot, const json_t *metrics,
			int n_measured)
{
	const char *name;
	json_t *metric;

	json_object_foreach((json_t *)(uintptr_t)metrics, name, metric) {
		const json_t *mean = json_object_get(metric, "mean");
		const char *unit = json_string_value(json_object_get(metric, "unit"));

		if (result->metric && strcmp(name, result->metric) == 0) {
			if (unit && !result->unit)
				result->unit = text_duplicate(unit);
		} else if (json_is_number(mean)) {
			add_phase(boot, name, json_number_value(mean), n_measured);
		}
	}
}

int result_build_measure(struct result_builder *builder, size_t boot_index, int process,
			 const json_t *data, struct error *err)
{
	struct result_boot *boot = &builder->result->boots[boot_index];
	struct boot_notes *notes = &builder->notes[boot_index];
	const json_t *bench = json_object_get(data, "bench");
	const json_t *value = json_object_get(data, "value");
	const char *status = json_string_value(json_object_get(data, "status"));
	const char *reason = json_string_value(json_object_get(data, "reason"));
	const struct job_process which =
		job_process_at(&builder->job, (int)boot_index, process);

	if (process != notes->n_processes)
		return error_set(err, -EBADMSG, "boot %zu: a result of process %d where %d was due",
				 boot_index + 1, process, notes->n_processes);
	notes->n_processes++;
	if (which.bench != builder->bench)
		return 0;
	if (status && strcmp(status, "unexpected") == 0) {
		if (!boot->unexpected)
			boot->unexpected = text_duplicate(reason ? reason : "no reason was given");
		return 0;
	}
	if (!json_is_number(value))
		return error_set(err, -EBADMSG, "boot %zu: process %d has no value",
				 boot_index + 1, process);
	if (which.is_warmup) {
		result_boot_add_warmup(boot, json_number_value(value));
		return 0;
	}
	result_boot_add_value(boot, json_number_value(value));
	notes->n_measured++;
	add_metrics(builder->result, boot, json_object_get(bench, "metrics"), notes->n_measured);
	if (notes->n_measured == 1) {
		notes->environment = json_incref(json_object_get(bench, "environment"));
		notes->parameters = json_incref(json_object_get(bench, "parameters"));
	}
	return 0;
}
