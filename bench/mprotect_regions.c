// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mprotect-regions: regions of one size after the other, each PROT_NONE and back, by the
 * call. This file is the order of things for the sizes; the timed loop is regions_loop.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/mapping_fault.h"
#include "bench/page_cache.h"
#include "bench/page_state.h"
#include "bench/placement.h"
#include "bench/proc_file.h"
#include "bench/regions_loop.h"
#include "bench/timing.h"
#include "bench/tsc.h"
#include "common/cleanup.h"

#define SWEEP_ITERATIONS 100000 /* for 4 KiB, falling as the sizes rise */
#define ITERATIONS_MIN 5
#define SMALLEST_BYTES 4096

static const struct {
	const char *name;
	uint64_t bytes;
} sweep[] = {
	{ "4K", 4ULL << 10 }, { "40K", 40ULL << 10 }, { "400K", 400ULL << 10 },
	{ "4M", 4ULL << 20 }, { "40M", 40ULL << 20 }, { "400M", 400ULL << 20 },
	{ "4G", 4ULL << 30 }, { "40G", 40ULL << 30 },
};

struct regions {
	const struct bench_options *options;
	struct bench_result *result;
	struct timing timing;
	json_t *sizes;                 /* the gates of each size */
	struct distribution *ns;
	struct distribution *cycles;
	double counted_calls;
};

/* One size of it. */
struct size {
	const char *name;              /* "" when it is the only one */
	uint64_t bytes;
	int64_t iterations;
};

static int64_t iterations_for(int64_t of_smallest, uint64_t bytes)
{
	int64_t n = (int64_t)((uint64_t)of_smallest * SMALLEST_BYTES / bytes);

	return n < ITERATIONS_MIN ? ITERATIONS_MIN : n;
}

/* A sixteenth of the memory stays free: what is swapped out while timing is no measurement. */
static bool fits_memory(uint64_t bytes)
{
	_cleanup_free_ char *meminfo = proc_file_read("/proc/meminfo", 65536, NULL);
	uint64_t available_kb;

	return !meminfo || proc_file_find_number(meminfo, "MemAvailable", &available_kb) < 0 ||
	       bytes / 1024 <= available_kb - available_kb / 16;
}

static void add_metric(const struct regions *regions, const struct size *size, const char *name,
		       const struct distribution *distribution, const char *unit, double divisor)
{
	char full[64];

	(void)snprintf(full, sizeof(full), "%s%s%s", name, *size->name ? "-" : "", size->name);
	(void)json_object_set_new(regions->result->metrics, full,
				  distribution_to_json(distribution, unit, divisor));
}

/* Warm-up, nanoseconds, cycles. False: a call failed. */
static bool measure(struct regions *regions, const struct mapping *mapping,
		    const struct size *size)
{
	struct outcome *outcome = &regions->result->outcome;
	struct regions_loop warmup = { .mapping = mapping,
				       .iterations = regions->options->warmup_iterations };
	struct regions_loop in_ns = { .mapping = mapping, .iterations = size->iterations,
				      .distribution = regions->ns };
	struct regions_loop in_cycles = { .mapping = mapping, .iterations = size->iterations,
					  .distribution = regions->cycles,
					  .is_in_cycles = true };
	double calls = 2 * (double)mapping->n_regions;

	*regions->ns = (struct distribution){ 0 };
	*regions->cycles = (struct distribution){ 0 };
	if (!regions_loop_run(&warmup, "warm-up iteration", outcome))
		return false;
	counters_resume(&regions->timing.counters);

	bool is_complete = regions_loop_run(&in_ns, "iteration", outcome);

	counters_pause(&regions->timing.counters);
	if (!is_complete ||
	    (tsc_is_available() && !regions_loop_run(&in_cycles, "iteration by TSC", outcome)))
		return false;
	regions->counted_calls += calls * (double)size->iterations;
	add_metric(regions, size, "call", regions->ns, "ns/call", calls);
	if (tsc_is_available())
		add_metric(regions, size, "cycles", regions->cycles, "K-cycles/call",
			   1000 * calls);
	return true;
}

/* Gates, timing, gates. */
static int run_mapped(struct regions *regions, struct mapping *mapping, const struct size *size,
		      struct error *err)
{
	enum bench_fault fault = regions->options->fault;
	struct outcome *outcome = &regions->result->outcome;
	json_t *page_state = json_object();
	json_t *gates = json_pack("{s:o}", "page_state", page_state);
	struct page_demand demand = { .when = "before timing",
				      .permissions = mapping_permissions(mapping) };
	int code = mapping_populate(mapping, fault, err);

	(void)json_object_set_new(regions->sizes, *size->name ? size->name : "all", gates);
	if (code == 0)
		code = page_state_gate(mapping, &demand, "before", page_state, outcome, err);
	if (code < 0 || outcome->n_unexpected > 0)
		return code;
	/* By policy, or by the kernel under test? */
	code = mapping_protect(mapping, PROT_NONE);
	if (mapping_is_refusal(code))
		return mapping_explain_refusal(code, err);
	mapping_spoil_beforehand(mapping, fault);
	if (!measure(regions, mapping, size))
		return 0;
	code = mapping_spoil_afterwards(mapping, fault, err);
	demand.when = "after timing";
	if (code == 0)
		code = page_state_gate(mapping, &demand, "after", page_state, outcome, err);
	if (code == 0)
		(void)json_object_set_new(gates, "semantic",
			mapping_check_semantics(mapping, mapping->written_value, PROT_NONE,
						outcome));
	return code;
}

static int run_size(struct regions *regions, const struct size *size, struct error *err)
{
	const struct bench_options *options = regions->options;
	const struct mapping_wish wish = { .size_bytes = (size_t)size->bytes,
					   .n_regions = (size_t)options->regions,
					   .is_shared = options->is_shared };
	uint64_t all_bytes = size->bytes * (uint64_t)options->regions;
	_cleanup_mapping_ struct mapping mapping = { 0 };
	bool is_sweep = options->size_bytes == 0;
	long page_bytes = sysconf(_SC_PAGESIZE);

	if (is_sweep && size->bytes % (uint64_t)page_bytes != 0) {
		bench_result_note(regions->result, "%s: skipped, no multiple of the page size, %ld",
				  size->name, page_bytes);
		return 0;
	}
	if (!fits_memory(all_bytes)) {
		if (!is_sweep)
			return error_set(err, -ENOMEM, "%" PRIu64 " MiB are more than the memory "
					 "that is available", all_bytes >> 20);
		bench_result_note(regions->result,
				  "%s: skipped, %" PRIu64 " MiB are more than the memory that is "
				  "available", size->name, all_bytes >> 20);
		return 0;
	}
	(void)page_cache_drop();

	int code = mapping_create(&wish, &mapping, err);

	if (code == -ENOMEM && is_sweep) {
		bench_result_note(regions->result, "%s: skipped, %s", size->name, err->text);
		return 0;
	}
	return code < 0 ? code : run_mapped(regions, &mapping, size, err);
}

static int run_sizes(struct regions *regions, struct error *err)
{
	const struct bench_options *options = regions->options;
	int64_t of_smallest = options->iterations ? options->iterations : SWEEP_ITERATIONS;
	int code = 0;

	if (options->size_bytes != 0) {
		const struct size only = {
			"", options->size_bytes,
			options->iterations ? options->iterations :
					      iterations_for(SWEEP_ITERATIONS, options->size_bytes),
		};

		return run_size(regions, &only, err);
	}
	for (size_t i = 0; i < ARRAY_SIZE(sweep) && code == 0 &&
			   regions->result->outcome.n_unexpected == 0; i++) {
		const struct size size = { sweep[i].name, sweep[i].bytes,
					   iterations_for(of_smallest, sweep[i].bytes) };

		code = run_size(regions, &size, err);
	}
	return code;
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	_cleanup_distribution_ struct distribution *ns = distribution_new();
	_cleanup_distribution_ struct distribution *cycles = distribution_new();
	struct placement placement = { .cpu = (int)options->cpu };
	struct regions regions = { .options = options, .result = result, .ns = ns,
				   .cycles = cycles, .sizes = json_object() };
	int code;

	result->gates = json_pack("{s:o}", "sizes", regions.sizes);
	if (!ns || !cycles)
		return error_set(err, -ENOMEM, "no memory for the distributions");
	result->metrics = json_object();
	bench_result_note(result, page_cache_drop() ?
			  "the page cache was dropped before each size" :
			  "the page cache was not dropped, only root may");
	timing_begin(&regions.timing);
	counters_clear(&regions.timing.counters);
	code = run_sizes(&regions, err);
	timing_end(&regions.timing, options->fault);
	if (code < 0)
		return code;
	(void)outcome_check(&result->outcome, placement_holds(&placement),
			    "the process no longer runs on CPU %d only", placement.cpu);
	/* Of several sizes a count a call would be a mean of unlike things. */
	timing_record(&regions.timing, options->size_bytes ? regions.counted_calls : 0, "per call",
		      0, result);
	return 0;
}

const struct workload workload_mprotect_regions = {
	.name = "mprotect-regions",
	.summary = "PROT_NONE and PROT_READ|PROT_WRITE by the call, on regions of 4 KiB to 40 GiB",
	.options = WORKLOAD_SIZE | WORKLOAD_ITERATIONS | WORKLOAD_SHARED | WORKLOAD_REGIONS,
	.warmup_iterations = 3,
	.run = run,
};
