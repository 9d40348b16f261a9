// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the options of `abbot lab` do to the machine's power, its watchdog and its disk.
 */
#pragma once

#include "boot/lab/lab.h"
#include "orchestrator/cli/arguments.h"

#define LAB_POWER_CUTS_MAX 32

/*
 * Borrows from @arguments, and @cuts_ms, room for LAB_POWER_CUTS_MAX, must live as long
 * as *ret_power. -EINVAL with a sentence that names the option.
 */
int lab_power_parse(const struct cli_arguments *arguments, int64_t *cuts_ms,
		    struct lab_power *ret_power, struct error *err);
