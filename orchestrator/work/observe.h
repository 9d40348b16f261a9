// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at this machine: everything the planner may know about it. Read-only.
 */
#pragma once

#include "boot/boot_loader.h"
#include "common/error.h"
#include "queue/observation.h"

/*
 * Blocks on D-Bus for at most 5 s. A machine whose boot loader is missing or refused has
 * is_armed false; what cannot be known ("build_id") is empty. Fails only when the
 * boot id or the command line cannot be read, or an armed one-shot might be there
 * but is unreadable.
 */
int observe_machine(const struct boot_paths *paths, struct observation *ret_observation,
		    struct error *err);
