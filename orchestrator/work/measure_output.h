// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What abbot-bench printed: is it a result of this workload, and which value does it have.
 * Format: bench/abbot-bench.schema.json. Pure.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "common/error.h"
#include "queue/job.h"

/*
 * *ret_output is a new reference, *ret_value the mean of bench->metric, or 0 where
 * @exit_status is not 0 (a gate failed). -EBADMSG for output that is no result, or that says
 * something else than the exit status; -EINVAL: it has no such metric.
 */
int measure_output_read(const struct job_bench *bench, int exit_status, const char *data,
			size_t size, json_t **ret_output, double *ret_value, struct error *err);
