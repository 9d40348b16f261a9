// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rehearsals of one lab run: records of the lab's own in the store, made before the
 * machine is and ended after it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "orchestrator/cli/lab_host.h"

#define LAB_JOBS_MAX 16

struct lab_jobs {
	size_t n_jobs;
	int64_t ids[LAB_JOBS_MAX]; /* in the order in which the machine runs them */
};

/*
 * Adds a rehearsal for each of @jobs, in their order, to *rehearsals, which is empty, and
 * names both on standard error. None when one of them cannot be rehearsed: -EINVAL, -ENOENT.
 */
int lab_jobs_add(struct store *store, const struct lab_jobs *jobs, bool counts_instructions,
		 struct lab_jobs *rehearsals, struct error *err);

/*
 * Ends those that have not ended as failed: for what they were paused for, else for
 * @reason. Goes on after a fault; a rehearsal that could not be ended is so by the next
 * run, see lab_watch_clean().
 */
void lab_jobs_end(struct lab_host *host, const struct lab_jobs *rehearsals, const char *reason);

/* 1 when all are done, 0 when one ended otherwise, negative on a fault of the store. */
int lab_jobs_are_done(struct store *store, const struct lab_jobs *rehearsals, struct error *err);
