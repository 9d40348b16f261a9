// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that a program left behind in a group or session of their own, where killing
 * its group does not reach them. Private to common/.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/subprocess.h"

struct subprocess_strays {
	bool is_set;      /* this process became the reaper of orphans */
	pid_t *before;    /* children that were there already: not the program's */
	size_t n_before;
};

/* Before the program starts: what it orphans becomes a child of this process. */
void subprocess_strays_begin(struct subprocess_strays *strays);

/*
 * After the program was reaped: kills and reaps all that it left, whatever they start
 * meanwhile; @guard is spared. Blocks a few milliseconds, or as long as that takes.
 */
void subprocess_strays_end(const struct subprocess_strays *strays,
			   const struct subprocess_options *options, pid_t guard);

/* Always last; nothing happens when it never began. */
void subprocess_strays_done(struct subprocess_strays *strays);
