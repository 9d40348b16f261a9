// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A lab run that is ended from outside leaves a record that says so. Calling sequence:
 * lab_watch() around the whole run; in it lab_watch_clean(), then lab_watch_claim(), then lab_watch_share() for each job but the first.
 */
#pragma once

#include <stdint.h>

#include "common/error.h"
#include "orchestrator/cli/lab_host.h"
#include "orchestrator/cli/lab_jobs.h"

/*
 * Calls @function in a child and returns its exit status. It adds the rehearsals' numbers
 * to *rehearsals. On SIGINT, SIGTERM or SIGHUP the child and all it started is ended,
 * the rehearsals recorded as failed, and this process dies of the same signal. Blocks.
 */
int lab_watch(const char *state_directory,
	      int (*function)(void *context, struct lab_jobs *rehearsals), void *context);

/* Ends, as failed, the rehearsals that nobody runs any more (kill -9, power cut). */
int lab_watch_clean(const struct lab_host *host, struct error *err);

/*
 * Marks host->job_id as run by this process; *ret_fd is the mark, to be closed at the
 * run's end. The mark is a lock on the run's directory, so it dies with the process.
 */
int lab_watch_claim(const struct lab_host *host, int *ret_fd, struct error *err);

/* Makes the directory of @job_id, run by the same machine, a link to host->job_id's. */
int lab_watch_share(const struct lab_host *host, int64_t job_id, struct error *err);
