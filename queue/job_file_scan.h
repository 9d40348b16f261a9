// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The look at a job file's raw text before libgit2 parses it; queue/job_file.c's own.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"

/* Refuses too large a file, NUL bytes, includes and unknown section names. */
int job_file_scan(const char *data, size_t size, const char *name, struct error *err);

/* The sentence, at @where ("FILE" or "FILE:LINE"), with the nearest known section. */
int job_file_unknown_section(const char *where, const char *section, struct error *err);
