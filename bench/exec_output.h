// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a command of the user prints as its figures.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "common/error.h"

#define EXEC_METRICS_MAX 256

/*
 * Lines "NAME=VALUE" or "NAME=VALUE UNIT" (empty ones are passed over), or one JSON object of
 * numbers or of {"value": NUMBER, "unit": "UNIT"}. *ret_metrics: each name with
 * {"unit","n","mean",...} as every workload's metrics. -EBADMSG: anything else, with the
 * line in the sentence.
 */
int exec_output_parse(const char *text, size_t size, json_t **ret_metrics, struct error *err);
