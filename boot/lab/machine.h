// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The QEMU process: one from power-on to the guest's power-off.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct machine {
	const char *disk;        /* raw image */
	const char *variables;   /* UEFI variables: the machine's own copy */
	const char *serial;      /* file that gets the serial console */
	bool counts_instructions;
	int64_t timeout_s;       /* 0: none */
	double expected_s;
	bool shows_progress;
};

/* Blocks until the guest powers off or time is up. -EPROTO when QEMU itself fails. */
int machine_run(const struct machine *machine, double *ret_wall_s, bool *ret_was_timed_out,
		struct error *err);
