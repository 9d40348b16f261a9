// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Progress of anything longer than two seconds, on standard error: a bar that
 * redraws on a terminal, a plain line about every 10 seconds elsewhere; with an
 * estimate of the time left where one is known.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what;       /* borrowed: "building parent 3f2a1c" */
	double expected_s;      /* <= 0: unknown */
	bool is_terminal;
	uint64_t started_ms;    /* CLOCK_MONOTONIC */
	uint64_t shown_ms;
	bool has_shown;
};

void progress_start(struct progress *progress, const char *what, double expected_s);
/* @fraction in 0..1, or negative when only the elapsed time is known. @note may be NULL. */
void progress_update(struct progress *progress, double fraction, const char *note);
/* Ends the line: "building parent 3f2a1c: done in 7 min 12 s". @outcome: "done", "failed". */
void progress_finish(struct progress *progress, const char *outcome);
