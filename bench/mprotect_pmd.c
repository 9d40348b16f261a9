// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mprotect-pmd: mprotect-toggle over shared huge pages, each mapped by one entry: what a
 * change that costs something per small page must leave alone.
 */
#include <sys/mman.h>

#include "bench/mapping_huge.h"
#include "bench/toggle_run.h"

static int create(const struct bench_options *options, struct mapping *ret_mapping,
		  struct page_demand *ret_demand, struct error *err)
{
	int code = mapping_huge_check_size(options->size_bytes, &ret_demand->folio_bytes, err);

	ret_demand->shape = PAGE_SHAPE_HUGE;
	return code < 0 ? code : mapping_create_huge((size_t)options->size_bytes, options->fault,
						     ret_mapping, err);
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	static const struct toggle_recipe recipe = { create, PROT_READ, true };

	return toggle_run(options, &recipe, result, err);
}

const struct workload workload_mprotect_pmd = {
	.name = "mprotect-pmd",
	.summary = "as mprotect-toggle, on shared huge pages that are mapped as such",
	.options = WORKLOAD_SIZE | WORKLOAD_ITERATIONS,
	.size_bytes = 64U << 20,
	.iterations = 1000,
	.warmup_iterations = 10,
	.run = run,
};
