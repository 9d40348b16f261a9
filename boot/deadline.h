// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time limit of a kernel under test, abbot-deadline.timer, which systemd starts early in
 * such a boot: whoever has taken the boot over stops it.
 */
#pragma once

#include "common/error.h"

/*
 * No timer, or no systemd: success. Asks again is harmless. Blocks for at most ten seconds.
 */
int deadline_stop(struct error *err);
