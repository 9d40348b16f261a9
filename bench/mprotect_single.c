// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mprotect-single: one PROT_READ over shared memory that was just written.
 */
#include <errno.h>
#include <sys/mman.h>

#include "bench/fresh_run.h"

static int act(struct mapping *mapping)
{
	return mprotect(mapping->start, mapping->size_bytes, PROT_READ) == 0 ? 0 : errno;
}

static json_t *check(const struct mapping *mapping, struct outcome *outcome)
{
	return mapping_check_semantics(mapping, mapping->written_value, PROT_READ, outcome);
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	static const struct fresh_recipe recipe = {
		.metric = "protect",
		.is_shared = true,
		.prepare = mapping_populate,
		.act = act,
		.act_name = "mprotect(PROT_READ)",
		.permissions = "r--s",
		.check = check,
	};

	return fresh_run(options, &recipe, result, err);
}

const struct workload workload_mprotect_single = {
	.name = "mprotect-single",
	.summary = "one PROT_READ over a shared mapping, new and written in each iteration",
	.options = WORKLOAD_SIZE | WORKLOAD_ITERATIONS,
	.size_bytes = 64U << 20,
	.iterations = 100,
	.warmup_iterations = 3,
	.run = run,
};
