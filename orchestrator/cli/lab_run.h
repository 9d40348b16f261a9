// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine's half of a lab run: start it, bring its events home, say how it was left.
 */
#pragma once

#include <stdbool.h>

#include "boot/lab/lab.h"
#include "common/error.h"
#include "orchestrator/cli/lab_host.h"

struct lab_run_options {
	bool counts_instructions;
	bool keeps_disk;
	const char *boot_loader; /* of struct lab_options */
	const char *more_units; /* directory; or NULL */
	struct lab_power power;
};

/*
 * Runs the prepared jobs @states of @host in the lab, one after the other in one machine.
 * *ret_directory, host->job_id's and the caller's to free, holds serial.log and
 * outcome.json; it is set also on failure once it exists.
 * Blocks until the guest has powered off. The host's store is closed meanwhile.
 */
int lab_run_jobs(struct lab_host *host, const struct run_state *states, size_t n_states,
		 const struct lab_run_options *options, char **ret_directory, struct error *err);
