// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hardware counters around the timed loop, user and kernel, as one perf_event_open(2)
 * group. What the kernel or the CPU does not grant is null, never zero.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define COUNTERS_MAX 3 /* cycles, instructions, dTLB load misses */

struct counters {
	int fds[COUNTERS_MAX];          /* -1: not granted; [0] leads the group */
	bool has_value[COUNTERS_MAX];
	uint64_t values[COUNTERS_MAX];
	char why_not[96];               /* why there is none at all, or why they are not believed */
};

/* Never fails. The counters are stopped at first. */
void counters_open(struct counters *counters);
/* From 0. */
void counters_start(const struct counters *counters);
/* At 0 and stopped, for what is counted between resume and pause only. */
void counters_clear(const struct counters *counters);
void counters_resume(const struct counters *counters);
void counters_pause(const struct counters *counters);
/* Stops and reads. A group that shared the CPU with others and did not count all the time has no values. */
void counters_stop(struct counters *counters);
void counters_done(struct counters *counters);

/* {"cycles","instructions","dtlb_load_misses"} each divided by @divisor, "unit", "frequency_ghz"; or null. */
json_t *counters_to_json(const struct counters *counters, double divisor, const char *unit,
			 uint64_t elapsed_ns);
