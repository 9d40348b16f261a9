// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write-fault: the first write to every page of new memory, which the kernel answers
 * with a page of zeros each.
 */
#include <inttypes.h>
#include <string.h>

#include "bench/fresh_run.h"
#include "bench/mapping_fault.h"

#define WRITTEN 0x5a

static int prepare(struct mapping *mapping, enum bench_fault fault, struct error *err)
{
	int code = mapping_spoil_unwritten(mapping, fault, err);

	return code < 0 ? code : mapping_spoil_written(mapping, fault, err);
}

static int act(struct mapping *mapping)
{
	volatile unsigned char *start = mapping->start;

	for (size_t at = 0; at < mapping->size_bytes; at += mapping->page_bytes)
		start[at] = WRITTEN;
	return 0;
}

/* What was written, and beside it the zeros that the kernel owes. */
static json_t *check(const struct mapping *mapping, struct outcome *outcome)
{
	static const unsigned char expected[MAPPING_NUMBER_OFFSET + 8] = { WRITTEN };
	uint64_t n_pages = mapping_n_pages(mapping);
	uint64_t n_wrong = 0;

	for (size_t at = 0; at < mapping->size_bytes; at += mapping->page_bytes)
		if (memcmp(mapping->start + at, expected, sizeof(expected)) != 0)
			n_wrong++;
	(void)outcome_check(outcome, n_wrong == 0,
			    "%" PRIu64 " of %" PRIu64 " pages do not hold what was written", n_wrong,
			    n_pages);
	return json_pack("{s:I, s:I}", "pages_read_back", (json_int_t)n_pages, "pages_wrong",
			 (json_int_t)n_wrong);
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	const struct fresh_recipe recipe = {
		.metric = "fault",
		.is_shared = options->is_shared,
		.prepare = prepare,
		.act = act,
		.act_name = "the first write",
		.permissions = options->is_shared ? "rw-s" : "rw-p",
		.check = check,
	};

	return fresh_run(options, &recipe, result, err);
}

const struct workload workload_write_fault = {
	.name = "write-fault",
	.summary = "the first write to every page of a mapping, new in each iteration",
	.options = WORKLOAD_SIZE | WORKLOAD_ITERATIONS | WORKLOAD_SHARED,
	.size_bytes = 64U << 20,
	.iterations = 100,
	.warmup_iterations = 3,
	.run = run,
};
