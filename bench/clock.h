// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The clock of every workload: CLOCK_MONOTONIC_RAW (no NTP slewing) through the vDSO,
 * and what one read of it costs on this machine.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>
#include <time.h>

static inline uint64_t clock_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* {"name","source","read_cost_ns"}; source is the kernel's current clock source or null. */
json_t *clock_to_json(void);
