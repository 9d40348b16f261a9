// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf_event_open(2) as far as a benchmark needs it: three fixed events, one group.
 */
#include "bench/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/cleanup.h"

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} events[COUNTERS_MAX] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "dtlb_load_misses", PERF_TYPE_HW_CACHE,
	  PERF_COUNT_HW_CACHE_DTLB | (PERF_COUNT_HW_CACHE_OP_READ << 8) |
		  (PERF_COUNT_HW_CACHE_RESULT_MISS << 16) },
};

static int open_event(size_t i, int leader)
{
	struct perf_event_attr attributes = {
		.size = sizeof(attributes),
		.type = events[i].type,
		.config = events[i].config,
		.disabled = leader < 0,
		.exclude_hv = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader,
			    (unsigned long)PERF_FLAG_FD_CLOEXEC);
}

void counters_open(struct counters *counters)
{
	*counters = (struct counters){ .fds = { -1, -1, -1 } };
	counters->fds[0] = open_event(0, -1);
	if (counters->fds[0] < 0) {
		(void)snprintf(counters->why_not, sizeof(counters->why_not),
			       "perf_event_open: %s", strerror(errno));
		return;
	}
	for (size_t i = 1; i < COUNTERS_MAX; i++)
		counters->fds[i] = open_event(i, counters->fds[0]);
}

void counters_start(const struct counters *counters)
{
	counters_clear(counters);
	counters_resume(counters);
}

void counters_clear(const struct counters *counters)
{
	counters_pause(counters);
	if (counters->fds[0] >= 0)
		(void)ioctl(counters->fds[0], PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
}

void counters_pause(const struct counters *counters)
{
	if (counters->fds[0] >= 0)
		(void)ioctl(counters->fds[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}

void counters_resume(const struct counters *counters)
{
	if (counters->fds[0] >= 0)
		(void)ioctl(counters->fds[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

void counters_stop(struct counters *counters)
{
	if (counters->fds[0] < 0)
		return;
	counters_pause(counters);
	for (size_t i = 0; i < COUNTERS_MAX; i++) {
		struct {
			uint64_t value;
			uint64_t enabled_ns;
			uint64_t running_ns;
		} reading;

		if (counters->fds[i] < 0 ||
		    read(counters->fds[i], &reading, sizeof(reading)) != (ssize_t)sizeof(reading))
			continue;
		/* An extrapolated count would look as exact as a real one. */
		if (reading.running_ns == 0 || reading.running_ns != reading.enabled_ns) {
			(void)snprintf(counters->why_not, sizeof(counters->why_not),
				       "the counters were shared with another user");
			continue;
		}
		counters->values[i] = reading.value;
		counters->has_value[i] = true;
	}
}

void counters_done(struct counters *counters)
{
	for (size_t i = 0; i < COUNTERS_MAX; i++) {
		cleanup_close(&counters->fds[i]);
		counters->fds[i] = -1;
	}
}

json_t *counters_to_json(const struct counters *counters, double divisor, const char *unit,
			 uint64_t elapsed_ns)
{
	if (!counters->has_value[0] && !counters->has_value[1])
		return json_null();

	json_t *json = json_object();

	for (size_t i = 0; i < COUNTERS_MAX; i++)
		(void)json_object_set_new(json, events[i].name,
			counters->has_value[i] ?
				json_real((double)counters->values[i] / divisor) : json_null());
	(void)json_object_set_new(json, "unit", json_string(unit));
	(void)json_object_set_new(json, "frequency_ghz",
		counters->has_value[0] && elapsed_ns > 0 ?
			json_real((double)counters->values[0] / (double)elapsed_ns) : json_null());
	return json;
}
