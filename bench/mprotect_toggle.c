// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mprotect-toggle: shared anonymous memory, every page written.
 */
#include <sys/mman.h>

#include "bench/toggle_run.h"

static int create(const struct bench_options *options, struct mapping *ret_mapping,
		  struct page_demand *ret_demand, struct error *err)
{
	const struct mapping_wish wish = { .size_bytes = (size_t)options->size_bytes,
					   .n_regions = 1, .is_shared = true };
	int code = mapping_create(&wish, ret_mapping, err);

	ret_demand->shape = PAGE_SHAPE_BASE;
	return code < 0 ? code : mapping_populate(ret_mapping, options->fault, err);
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	static const struct toggle_recipe recipe = { create, PROT_READ, true };

	return toggle_run(options, &recipe, result, err);
}

const struct workload workload_mprotect_toggle = {
	.name = "mprotect-toggle",
	.summary = "PROT_READ, PROT_READ|PROT_WRITE and a write to every page of a shared mapping",
	.options = WORKLOAD_SIZE | WORKLOAD_ITERATIONS,
	.size_bytes = 64U << 20,
	.iterations = 1000,
	.warmup_iterations = 10,
	.run = run,
};
