// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The job file: git-config syntax, read by libgit2's own parser from a private,
 * size-checked copy. Format: abbot.job(5).
 */
#pragma once

#include "common/error.h"
#include "queue/job.h"

#define JOB_FILE_MAX_BYTES (256 * 1024)

/*
 * Parses @size bytes. @name is for messages. Refused, each with a sentence that
 * names the line or key and the nearest known one: unknown section or key, a value
 * out of range, include and includeIf, NUL bytes, more than JOB_FILE_MAX_BYTES.
 * @ret_job is job_init()ed here and, on success only, the caller's to job_done().
 */
int job_file_parse(const char *data, size_t size, const char *name, struct job *ret_job,
		   struct error *err);
