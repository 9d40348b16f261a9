// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is recorded around the timed part of every workload: counters and noise. The
 * workload itself reads the clock.
 */
#pragma once

#include "bench/counters.h"
#include "bench/noise.h"
#include "bench/workload.h"

struct timing {
	struct counters counters;
	struct noise_reading before;
	struct noise_reading after;
};

/* Opens and reads; the counters run from here on. */
void timing_begin(struct timing *timing);
/* Stops; moves to another CPU first where @fault asks for it. */
void timing_end(struct timing *timing, enum bench_fault fault);
/*
 * The noise goes into @result, and, unless @divisor is 0, the counters, divided by it.
 * @timed_ns: how long the counters ran; 0: from begin to end.
 */
void timing_record(const struct timing *timing, double divisor, const char *unit,
		   uint64_t timed_ns, struct bench_result *result);
