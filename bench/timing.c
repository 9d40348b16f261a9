// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters and noise, in the order that disturbs least.
 */
#include "bench/timing.h"

#include "bench/mapping_fault.h"

void timing_begin(struct timing *timing)
{
	counters_open(&timing->counters);
	noise_begin(&timing->before);
	counters_start(&timing->counters);
}

void timing_end(struct timing *timing, enum bench_fault fault)
{
	counters_stop(&timing->counters);
	mapping_disturb_timing(fault);
	noise_end(&timing->after);
	counters_done(&timing->counters);
}

void timing_record(const struct timing *timing, double divisor, const char *unit,
		   uint64_t timed_ns, struct bench_result *result)
{
	result->noise = noise_to_json(&timing->before, &timing->after);
	if (divisor > 0)
		result->counters = counters_to_json(&timing->counters, divisor, unit,
						    timed_ns ? timed_ns :
							       timing->after.at_ns -
								       timing->before.at_ns);
}
