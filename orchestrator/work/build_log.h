// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a build log says: its last lines, the first error, whether the machine and
 * not the commit is at fault. For the build*.c files only.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"

/* The last @n_lines lines of the file, at most some KiB; "" when it cannot be read. Caller frees. */
char *build_log_tail(const char *path, size_t n_lines);
/*
 * The last @n_lines lines that are not progress: make goes on with its other jobs after
 * an error, and their lines would hide it. "" when it cannot be read. Caller frees.
 */
char *build_log_excerpt(const char *path, size_t n_lines);
/* One line for a sentence: the first line of @tail that tells of an error, else its last line. Caller frees. */
char *build_log_reason(const char *tail);
/* -ENOSPC or -ENOMEM when that stopped the build, 0 when the commit itself is to blame. */
int build_log_blame(const char *tail);
