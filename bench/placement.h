// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the process runs and where its memory comes from: one CPU, and that CPU's node.
 */
#pragma once

#include <stdbool.h>

#include "common/error.h"

struct placement {
	int cpu;
	int node;             /* of that CPU; -1: unknown, or a kernel without NUMA */
	bool is_memory_bound; /* to the node; false where there is only one */
};

/*
 * Pins the calling thread to @cpu (-1: the highest-numbered CPU that it may use) and binds
 * memory allocated from now on to its node. -EINVAL: that CPU is not online or not allowed.
 */
int placement_apply(long cpu, struct placement *ret_placement, struct error *err);

/* The calling thread runs on that CPU now and may run on no other. */
bool placement_holds(const struct placement *placement);
