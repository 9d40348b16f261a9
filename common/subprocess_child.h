// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The half of subprocess.c that runs between fork and exec. Private to common/.
 */
#pragma once

#include <sys/types.h>

#include "common/subprocess.h"

/* Which preparation failed; its place in the names of subprocess_step_name(). */
enum subprocess_step {
	SUBPROCESS_STEP_GROUP,
	SUBPROCESS_STEP_STDIO,
	SUBPROCESS_STEP_LIMITS,
	SUBPROCESS_STEP_CPU,
	SUBPROCESS_STEP_USER,
	SUBPROCESS_STEP_DIRECTORY,
	SUBPROCESS_STEP_EXEC,
};

/* What a child that could not exec writes to the status pipe. */
struct subprocess_failure {
	enum subprocess_step step;
	int error_number;
};

struct subprocess_child_fds {
	int input;
	int output;
	int error_output;
	int status; /* close-on-exec: its end of file says that exec worked */
};

/*
 * Own process group, default signals, and an end with @parent. @has_session: a session of
 * its own, without the caller's terminal. Returns -errno.
 */
int subprocess_child_detach(pid_t parent, int death_signal, bool has_session);

/* Never returns. Async-signal-safe apart from the exec lookup in PATH. */
void subprocess_child_exec(const struct subprocess_options *options,
			   const struct subprocess_child_fds *fds, pid_t parent)
	__attribute__((noreturn));
