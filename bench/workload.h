// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What every workload is: a name, a line for `abbot-bench list`, and one function that
 * runs it. A new workload is one file and one line in workload.c.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/outcome.h"
#include "common/error.h"

/* States made wrong on purpose, to see the gates fail; never used by abbotd. */
enum bench_fault {
	BENCH_FAULT_NONE,
	BENCH_FAULT_HUGE_PAGES,     /* huge pages in the mapping before timing */
	BENCH_FAULT_HUGE_PAGES_LATE, /* the same once the timing has ended */
	BENCH_FAULT_SPLIT_MAPPING,  /* one page with another advice: three mappings */
	BENCH_FAULT_SMALL_PAGE,     /* one page with a folio of its own */
	BENCH_FAULT_LOST_PAGE,      /* the content of one page is punched out after timing */
	BENCH_FAULT_LOST_PAGE_EARLY, /* the same before the first iteration */
	BENCH_FAULT_OTHER_CPU,      /* the process moves to another CPU while it is timed */
};

/* Which options a workload takes; --cpu all do. */
enum {
	WORKLOAD_SIZE = 1 << 0,       /* --size, --fault */
	WORKLOAD_ITERATIONS = 1 << 1, /* --iterations, --warmup-iterations */
	WORKLOAD_SHARED = 1 << 2,
	WORKLOAD_REGIONS = 1 << 3,
	WORKLOAD_FOLIO = 1 << 4,
	WORKLOAD_COMMAND = 1 << 5,    /* --metric, --timeout, and a command */
};

struct bench_options {
	const struct workload *workload;
	uint64_t size_bytes;       /* 0: the workload's own sizes */
	int64_t iterations;        /* 0: the workload chooses */
	int64_t warmup_iterations;
	int64_t cpu;               /* -1: the highest-numbered one that may be used */
	bool is_shared;
	int64_t regions;
	uint64_t folio_bytes;      /* 0: the huge size */
	const char *metric;        /* NULL: none is picked */
	int64_t timeout_s;
	char *const *command;      /* ends with NULL */
	enum bench_fault fault;
};

/* Filled by the workload; every member that it leaves NULL is printed as null. */
struct bench_result {
	struct outcome outcome;
	json_t *parameters;        /* those that only this workload has */
	json_t *metrics;
	json_t *gates;
	json_t *counters;
	json_t *noise;
	json_t *notes;             /* array of sentences */
};

struct workload {
	const char *name;
	const char *summary;
	unsigned int options;       /* WORKLOAD_... */
	uint64_t size_bytes;        /* defaults */
	int64_t iterations;
	int64_t warmup_iterations;
	int64_t timeout_s;
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
/* A sentence for the reader of the result. */
void bench_result_note(struct bench_result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

extern const struct workload workload_mprotect_toggle;      /* bench/mprotect_toggle.c, and so on */
extern const struct workload workload_mprotect_single;
extern const struct workload workload_mprotect_regions;
extern const struct workload workload_mprotect_populated;
extern const struct workload workload_mprotect_pmd;
extern const struct workload workload_mprotect_large_folio;
extern const struct workload workload_write_fault;
extern const struct workload workload_exec;
