// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bounded reads of small files below /proc and /sys. The static benchmark takes
 * no more from common/ than error.h and text.h, so it has its own.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The whole file, NUL-terminated, the caller's; NULL if absent, unreadable or larger than @max_bytes. */
char *proc_file_read(const char *path, size_t max_bytes, size_t *ret_size);

/* The first line without its newline, the caller's; NULL if absent or unreadable. */
char *proc_file_read_line(const char *path);

/* The number after "NAME:" at the start of a line of @text; 0 or -ENOENT. */
int proc_file_find_number(const char *text, const char *name, uint64_t *ret_value);
