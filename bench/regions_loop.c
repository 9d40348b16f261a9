// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is timed, and nothing else. One clock is read at a time, so that neither is in the
 * other's figure.
 */
#include "bench/regions_loop.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/clock.h"
#include "bench/tsc.h"

static int pass(const struct mapping *mapping)
{
	int code = mapping_protect(mapping, PROT_NONE);

	return code != 0 ? code : mapping_protect(mapping, PROT_READ | PROT_WRITE);
}

bool regions_loop_run(struct regions_loop *loop, const char *what, struct outcome *outcome)
{
	for (int64_t i = 0; i < loop->iterations; i++) {
		uint64_t start = loop->is_in_cycles ? tsc_begin() : clock_now_ns();

		loop->failed_errno = pass(loop->mapping);

		uint64_t end = loop->is_in_cycles ? tsc_end() : clock_now_ns();

		if (loop->failed_errno != 0)
			break;
		loop->n_done++;
		if (loop->distribution)
			distribution_record(loop->distribution, end - start);
	}
	outcome_add_expected(outcome, (uint64_t)loop->n_done * 2 * loop->mapping->n_regions);
	return outcome_check(outcome, loop->failed_errno == 0,
			     "mprotect failed in %s %" PRId64 ": %s", what, loop->n_done + 1,
			     strerror(loop->failed_errno));
}
