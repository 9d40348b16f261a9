// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs that make and read the lab's disk, run one at a time with a time limit.
 */
#pragma once

#include <stdint.h>

#include "common/error.h"

/* Milliseconds after which a disk tool is given up; they take seconds. */
#define LAB_TOOL_TIMEOUT_MS 300000

#define LAB_TOOL_ARGUMENTS_MAX 31

/* Where the program is, searching the sbin directories too; the caller's to free, or NULL. */
char *lab_tool_find(const char *program);

/* Runs argv (NULL-terminated) to its end; any exit but 0 is -EPROTO with its last line. */
int lab_tool_run(const char *const *argv, struct error *err);
