// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the two clocks that everything but the benchmark uses.
 */
#include "common/now.h"

#include <time.h>

int64_t now_realtime_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t now_monotonic_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
