// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The timed loop of the toggle workloads, for their warm-up too.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/distribution.h"
#include "bench/outcome.h"
#include "bench/mapping.h"

enum toggle_phase {
	TOGGLE_PHASE_ITERATION,
	TOGGLE_PHASE_PROTECT,
	TOGGLE_PHASE_RESTORE,
	TOGGLE_PHASE_TOUCH,
	TOGGLE_PHASE_COUNT,
};

struct toggle_loop {
	const struct mapping *mapping;
	int protection;                /* PROT_READ or PROT_NONE, then PROT_READ|PROT_WRITE */
	bool has_touch;                /* a write to every page after that */
	int64_t iterations;
	unsigned char last_value;      /* what the pages hold after the loop */
	int64_t n_done;
	int failed_errno;              /* of the mprotect that ended the loop early */
	bool is_restore;               /* which of the two it was */
	bool has_wrong_content;        /* a page did not hold what was written: also the end */
	struct distribution *distributions[TOGGLE_PHASE_COUNT]; /* all NULL while warming up; no touch, none */
};

/*
 * Runs it to its end or to the first iteration that goes wrong, and counts its checks: two mprotect
 * calls, the writes and the content of each iteration. @what ("iteration") is for the
 * sentence. False: it went wrong.
 */
bool toggle_loop_run(struct toggle_loop *loop, const char *what, struct outcome *outcome);
