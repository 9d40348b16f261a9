// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tiny process that outlives a killed caller for as long as it takes to kill
 * what the caller was running. Private to common/.
 */
#pragma once

#include <sys/types.h>

struct subprocess_guard {
	pid_t pid;
	int life; /* write end of a pipe: its end of file is the caller's death */
};

/*
 * Starts the guard of process group @group: if this process dies, however
 * suddenly, the whole group is killed. 0 or negative errno.
 */
int subprocess_guard_start(struct subprocess_guard *guard, pid_t group);

/* Ends the guard; the group is left alone. Nothing happens when it never started (pid 0). */
void subprocess_guard_stop(struct subprocess_guard *guard);
