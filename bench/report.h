// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one JSON object that a process prints.
 */
#pragma once

#include <jansson.h>

#include "bench/placement.h"
#include "bench/workload.h"

#define REPORT_SCHEMA 1

/* Takes the values out of @result. Never NULL. */
json_t *report_to_json(const struct bench_options *options, const struct placement *placement,
		       struct bench_result *result, json_t *clock);
