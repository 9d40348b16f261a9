// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The timed part of mprotect-regions.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/distribution.h"
#include "bench/mapping.h"
#include "bench/outcome.h"

struct regions_loop {
	const struct mapping *mapping;
	int64_t iterations;
	struct distribution *distribution; /* NULL: warming up */
	bool is_in_cycles;                 /* of the TSC, else nanoseconds */
	int64_t n_done;
	int failed_errno;
};

/*
 * Each iteration makes every region PROT_NONE, then every region PROT_READ|PROT_WRITE, and
 * records how long that took as a whole. @what ("iteration") is for the sentence. False: a call failed.
 */
bool regions_loop_run(struct regions_loop *loop, const char *what, struct outcome *outcome);
