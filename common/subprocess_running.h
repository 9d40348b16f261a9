// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that subprocess_run() is running. Private to common/.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/subprocess.h"
#include "common/subprocess_guard.h"
#include "common/subprocess_strays.h"
#include "common/text.h"

struct running {
	const struct subprocess_options *options;
	pid_t pid;
	int pidfd;
	struct subprocess_guard guard;
	struct subprocess_strays strays;
	int output;       /* read ends, -1 after end of file */
	int error_output;
	struct text_buffer output_text;
	struct text_buffer error_text;
	uint64_t started_ms;
	uint64_t ticked_ms;
	bool timed_out;
};

/*
 * Starts running->options->argv with its pipes, its process group and its guard.
 * On failure nothing runs; what was opened in @running is the caller's to close.
 */
int subprocess_start(struct running *running, struct error *err);
