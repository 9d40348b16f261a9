// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A lab run that is ended from outside leaves a record that says so. Calling sequence:
 * lab_watch() around the whole run; in it lab_watch_clean(), then lab_watch_claim().
 */
#pragma once

#include <stdint.h>

#include "common/error.h"
#include "orchestrator/cli/lab_host.h"

/*
 * Calls @function in a child and returns its exit status. It stores the rehearsal's
 * number in *job_id. On SIGINT, SIGTERM or SIGHUP the child and all it started is ended,
 * the rehearsal recorded as failed, and this process dies of the same signal. Blocks.
 */
int lab_watch(const char *state_directory,
	      int (*function)(void *context, volatile int64_t *job_id), void *context);

/* Ends, as failed, the rehearsals that nobody runs any more (kill -9, power cut). */
int lab_watch_clean(const struct lab_host *host, struct error *err);

/*
 * Marks host->job_id as run by this process; *ret_fd is the mark, to be closed at the
 * run's end. The mark is a lock on the run's directory, so it dies with the process.
 */
int lab_watch_claim(const struct lab_host *host, int *ret_fd, struct error *err);
