// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check --starve-watchdog`: may it be done now, and does somebody mean it?
 */
#pragma once

#include <stdbool.h>

#include "orchestrator/cli/verb.h"

/*
 * Exit status of the verb. Where the watchdog works, the machine reboots and this does not
 * return. @is_confirmed: --yes was given, nobody is asked.
 */
int check_starve(const struct cli *cli, bool is_confirmed);
