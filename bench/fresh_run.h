// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the workloads share that time one thing once on memory which is new in each
 * iteration.
 */
#pragma once

#include <stdbool.h>

#include "bench/mapping.h"
#include "bench/workload.h"
#include "common/error.h"

struct fresh_recipe {
	const char *metric;
	bool is_shared;
	/* What comes before timing; NULL: nothing. */
	int (*prepare)(struct mapping *mapping, enum bench_fault fault, struct error *err);
	/* What is timed: 0 or the errno of a call that failed. */
	int (*act)(struct mapping *mapping);
	const char *act_name;      /* "mprotect(PROT_READ)", for the sentences */
	const char *permissions;   /* after it, as smaps says: "r--s" */
	/* The semantic gate after it. */
	json_t *(*check)(const struct mapping *mapping, struct outcome *outcome);
};

/* As struct workload's run(). */
int fresh_run(const struct bench_options *options, const struct fresh_recipe *recipe,
	      struct bench_result *result, struct error *err);
