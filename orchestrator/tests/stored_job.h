// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole sandwich that has ended, in a real store with the files that a state directory keeps:
 * for tests of what is made from such a job.
 */
#pragma once

#include <stdint.h>

#define STORED_KEY_PARENT "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define STORED_KEY_CHILD "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"

/* What differs from one job to the next; NULL or 0: as usual. */
struct stored_job {
	double child_pct;        /* how much slower the child is: 25 */
	const char *governor;    /* "performance" */
	const char *cpu_model;   /* "Test CPU" */
	const char *workload;    /* "mprotect-toggle" */
	const char *argument;    /* of it */
	int64_t page_size;       /* 4096 */
	const char *end;         /* "done" */
	const char *repository;  /* "/home/alice/src/linux" */
	const char *config_sum;  /* "feed" */
	int boots;               /* 3 */
	int64_t warmups;         /* 2 */
	const char *unexpected;  /* of the child's first process: why it has no number */
	int64_t at_s;            /* when it began: 1700000000 */
	int is_running;          /* it has no end yet */
	int is_counted;          /* in the lab */
};

/* Adds it to the store in @state_directory, which is made; the job's number. */
int64_t stored_job_add(const char *state_directory, const struct stored_job *what);
/* Of a stored kernel or boot: STATE/@name with @text. */
void stored_job_file(const char *state_directory, const char *name, const char *text);
