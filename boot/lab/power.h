// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The power of the lab's machine: on until the job's end, cut when the test says so, and
 * switched off and on by a lab that hears nothing any more.
 */
#pragma once

#include "boot/lab/lab.h"
#include "boot/lab/machine.h"

/*
 * Runs @machine, whose disk is ready, as options->power says, until the guest powers off
 * or options->timeout_s are over. Sets @outcome's wall_s, was_timed_out, power_switched.
 */
int power_run(struct machine *machine, const struct lab_options *options,
	      struct lab_outcome *outcome, struct error *err);
