// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mprotect-populated: private anonymous memory that MAP_POPULATE filled.
 */
#include <sys/mman.h>

#include "bench/toggle_run.h"

static int create(const struct bench_options *options, struct mapping *ret_mapping,
		  struct page_demand *ret_demand, struct error *err)
{
	const struct mapping_wish wish = { .size_bytes = (size_t)options->size_bytes,
					   .n_regions = 1, .is_populated = true };
	int code = mapping_create(&wish, ret_mapping, err);

	ret_demand->shape = PAGE_SHAPE_BASE;
	return code < 0 ? code : mapping_populate(ret_mapping, options->fault, err);
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	static const struct toggle_recipe recipe = { create, PROT_NONE, false };

	return toggle_run(options, &recipe, result, err);
}

const struct workload workload_mprotect_populated = {
	.name = "mprotect-populated",
	.summary = "PROT_NONE and PROT_READ|PROT_WRITE over a private mapping of MAP_POPULATE",
	.options = WORKLOAD_SIZE | WORKLOAD_ITERATIONS,
	.size_bytes = 400U << 20,
	.iterations = 100,
	.warmup_iterations = 3,
	.run = run,
};
