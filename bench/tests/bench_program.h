// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running abbot-bench itself for the tests, under conditions that a test chooses, and what is
 * asserted of its ends.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdbool.h>

struct setting {
	/* mprotect of 1 MiB or more with this protection gets this answer and is not made. */
	bool is_lying;
	int protection;
	int answer_errno;      /* 0: success */
	bool is_nobody;        /* without privilege */
	size_t memory_bytes;   /* no more address space than that; 0: no limit */
	/* So long after it began it may use every CPU, as when its own is taken offline; 0: never. */
	unsigned int unpinned_after_ms;
};

struct bench_run {
	int status;            /* 97: the program could not be executed */
	json_t *json;          /* NULL when it printed none */
	char error[1024];
};

void bench_run_done(struct bench_run *run);
#define _cleanup_bench_run_ __attribute__((cleanup(bench_run_done)))

/* @state: the test's directory. @arguments end with NULL. */
struct bench_run bench_run(void **state, const struct setting *setting,
			   const char *const *arguments);

/* json[group][name][key], which must be a number. */
double bench_number(const json_t *json, const char *group, const char *name, const char *key);

/* Exit 0, status ok, no error line, and each of @names (ending with NULL) a metric in order. */
void bench_assert_measured(struct bench_run *run, const char *const *names);
/* Exit 3, the JSON still there, the reason in it, and no error line. */
void bench_assert_unexpected(struct bench_run *run, const char *reason);
/* Exit 2, no JSON, one line with these words. */
void bench_assert_refused(struct bench_run *run, const char *words);

/* A processor emulated within a process: neither pages nor filters are the kernel's own. */
bool bench_is_emulated(void);
/* No limit of address space holds for it: AddressSanitizer reserves terabytes. */
bool bench_is_sanitized(void);
/* Ends the test as skipped under emulation, and says so. */
void bench_need_real_kernel(void);
