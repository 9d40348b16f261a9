// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The host's half of a lab run: every kernel that the guest may need, the lab's own
 * default one included, resolved and built here, and recorded as the job's events.
 */
#pragma once

#include <stdint.h>

#include "common/error.h"
#include "queue/run_state.h"
#include "queue/store.h"

struct lab_host {
	struct store *store;         /* see lab_host_open() */
	const char *state_directory; /* borrowed */
	int64_t job_id;              /* the rehearsal that is worked on; of several, each in turn */
	char *default_key;           /* the default kernel's place in the kernel store; or NULL */
	char default_build_id[41];
	char default_release[66];
};

/*
 * Opens the store of state_directory for this run; closed while the machine runs, so
 * that others can use it meanwhile. Waits up to @wait_s while somebody else has it.
 */
int lab_host_open(struct lab_host *host, int64_t wait_s, struct error *err);
void lab_host_close(struct lab_host *host);

/*
 * Carries job_id on until a machine is needed. 1: a machine is needed now; 0: the job
 * has ended here (a kernel did not build). The default kernel is the first job's. *ret_state, the job as it then is, is released
 * by run_state_done(). Blocks for as long as two kernel builds take.
 */
int lab_host_prepare(struct lab_host *host, struct run_state *ret_state, struct error *err);
void lab_host_done(struct lab_host *host);

/* Ends the job as failed with @reason, unless it has ended. */
int lab_host_fail(const struct lab_host *host, const char *reason, struct error *err);
