// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the toggle workloads share: mprotect there and back over memory of their own
 * making, with the gates before and after.
 */
#pragma once

#include <stdbool.h>

#include "bench/mapping.h"
#include "bench/page_state.h"
#include "bench/workload.h"
#include "common/error.h"

struct toggle_recipe {
	/* The memory, written; of @ret_demand the shape and the folio size. */
	int (*create)(const struct bench_options *options, struct mapping *ret_mapping,
		      struct page_demand *ret_demand, struct error *err);
	int protection;    /* PROT_READ or PROT_NONE */
	bool has_touch;    /* a write to every page in each iteration, which PROT_NONE leaves out */
};

/* As struct workload's run(). */
int toggle_run(const struct bench_options *options, const struct toggle_recipe *recipe,
	       struct bench_result *result, struct error *err);
