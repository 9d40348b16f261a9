// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What every workload is: a name, a line for `abbot-bench list`, and one function that
 * runs it. A new workload is one file and one line in workload.c.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "bench/outcome.h"
#include "common/error.h"

/* States made wrong on purpose, to see the gates fail; never used by abbotd. */
enum bench_fault {
	BENCH_FAULT_NONE,
	BENCH_FAULT_HUGE_PAGES,     /* huge pages in the mapping before timing */
	BENCH_FAULT_HUGE_PAGES_LATE, /* the same once the timing has ended */
	BENCH_FAULT_SPLIT_MAPPING,  /* one page with another advice: three mappings */
	BENCH_FAULT_LOST_PAGE,      /* the content of one page is punched out after timing */
	BENCH_FAULT_LOST_PAGE_EARLY, /* the same before the first iteration */
	BENCH_FAULT_OTHER_CPU,      /* the process moves to another CPU while it is timed */
};

struct bench_options {
	const struct workload *workload;
	uint64_t size_bytes;
	int64_t iterations;
	int64_t warmup_iterations;
	int64_t cpu;               /* -1: the highest-numbered one that may be used */
	enum bench_fault fault;
};

/* Filled by the workload; every member that it leaves NULL is printed as null. */
struct bench_result {
	struct outcome outcome;
	json_t *metrics;
	json_t *gates;
	json_t *counters;
	json_t *noise;
};

struct workload {
	const char *name;
	const char *summary;
	uint64_t size_bytes;        /* defaults */
	int64_t iterations;
	int64_t warmup_iterations;
	/*
	 * The process is pinned already. 0 also when a gate failed: that is in the outcome.
	 * Negative: it could not be run at all.
	 */
	int (*run)(const struct bench_options *options, struct bench_result *result,
		   struct error *err);
};

/* Ends with NULL. */
extern const struct workload *const workload_table[];
/* NULL when there is none of that name. */
const struct workload *workload_find(const char *name);
/* The known name nearest to @name, or NULL. */
const char *workload_nearest(const char *name);

void bench_result_done(struct bench_result *result);

extern const struct workload workload_mprotect_toggle; /* bench/mprotect_toggle.c */
