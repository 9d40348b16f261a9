// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a command of the user to its end or to a deadline, and leaves nothing of it behind.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Far more than figures need. */
#define EXEC_OUTPUT_MAX_BYTES 65536

/*
 * @argv ends with NULL; its standard input is empty, its error output ours. As root it
 * runs as the user nobody; nobody gains rights by set-user-ID programs. Blocks for at most
 * @timeout_s. Whatever it started is killed before this returns. *ret_output is the caller's,
 * NUL-terminated. Negative: it could not be started, failed, did not end, or printed too much.
 */
int exec_command_run(char *const *argv, int64_t timeout_s, char **ret_output, size_t *ret_size,
		     struct error *err);
