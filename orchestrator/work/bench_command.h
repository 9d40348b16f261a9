// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of one process of abbot-bench: for measuring it, and for watching it.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"
#include "queue/job.h"

#define BENCH_COMMAND_MAX 288

struct bench_command {
	/* [0] abbot-bench's path; borrows the job's texts, ends with NULL. */
	const char *argv[BENCH_COMMAND_MAX];
	size_t n;
	char *path;
	char *cpu;
};

/*
 * The program is that of common/paths.h, or $ABBOT_BENCH. Released by bench_command_done();
 * -E2BIG for too many arguments, -ENOENT where there is no abbot-bench.
 */
int bench_command_make(const struct job_measure *measure, const struct job_bench *bench,
		       struct bench_command *ret_command, struct error *err);
void bench_command_done(struct bench_command *command);
