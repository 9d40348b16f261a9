// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What reading the clock costs, and which clock source the kernel reads for it.
 */
#include "bench/clock.h"

#include <stdlib.h>

#include "bench/proc_file.h"
#include "common/cleanup.h"

#define COST_TRIES 5
#define COST_READS 2000

/* Mean of some thousand reads, the best of several tries. */
static double clock_read_cost_ns(void)
{
	double best_ns = 0;

	for (int try = 0; try < COST_TRIES; try++) {
		uint64_t start_ns = clock_now_ns();
		uint64_t end_ns = start_ns;

		for (int i = 0; i < COST_READS; i++)
			end_ns = clock_now_ns();

		double cost_ns = (double)(end_ns - start_ns) / COST_READS;

		if (try == 0 || cost_ns < best_ns)
			best_ns = cost_ns;
	}
	return best_ns;
}

json_t *clock_to_json(void)
{
	_cleanup_free_ char *source = proc_file_read_line(
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");

	return json_pack("{s:s, s:s?, s:f}", "name", "CLOCK_MONOTONIC_RAW", "source", source,
			 "read_cost_ns", clock_read_cost_ns());
}
