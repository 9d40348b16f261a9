// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Durations from events: builds say their own, a boot lasts from the reboot result to
 * the verdict, a process from its intent to its result.
 */
#include "orchestrator/work/estimate.h"

#include <string.h>

#define ASSUMED_BUILD_S 1800
#define ASSUMED_REBUILD_S 120
#define ASSUMED_BOOT_S 180
#define ASSUMED_PROCESS_S 5
/* Longer than this the machine was off, or its clock was set. */
#define BELIEVABLE_S 86400

struct sum {
	double seconds;
	int n;
};

void estimates_init(struct estimates *estimates)
{
	*estimates = (struct estimates){
		.build = { ASSUMED_BUILD_S, 0 },
		.rebuild = { ASSUMED_REBUILD_S, 0 },
		.boot = { ASSUMED_BOOT_S, 0 },
		.process = { ASSUMED_PROCESS_S, 0 },
	};
}

static void add(struct sum *sum, double seconds)
{
	if (seconds < 0 || seconds > BELIEVABLE_S)
		return;
	sum->seconds += seconds;
	sum->n++;
}

static void settle(struct estimate *estimate, const struct sum *sum)
{
	if (estimate->n || !sum->n)
		return;
	estimate->seconds = sum->seconds / sum->n;
	estimate->n = sum->n;
}

static bool was_built(const struct event *event)
{
	return event->kind == EVENT_BUILD && event->phase == EVENT_RESULT &&
	       !json_object_get(event->data, "error") &&
	       !json_is_true(json_object_get(event->data, "reused"));
}

static bool came_up(const struct event *event)
{
	const char *verdict = json_string_value(json_object_get(event->data, "verdict"));

	return event->kind == EVENT_VERIFY && verdict && strcmp(verdict, "expected") == 0;
}

void estimates_learn(struct estimates *estimates, const struct event_list *events)
{
	struct sum build = { 0 }, rebuild = { 0 }, boot = { 0 }, process = { 0 };
	int64_t rebooted_ns = 0, started_ns = 0;

	for (size_t i = 0; i < events->n_events; i++) {
		const struct event *event = &events->events[i];
		bool is_result = event->phase == EVENT_RESULT;

		if (was_built(event))
			add(build.n ? &rebuild : &build,
			    json_number_value(json_object_get(event->data, "wall_time_s")));
		if (event->kind == EVENT_REBOOT && is_result)
			rebooted_ns = event->at_ns;
		if (came_up(event) && rebooted_ns) {
			add(&boot, (double)(event->at_ns - rebooted_ns) / 1e9);
			rebooted_ns = 0;
		}
		if (event->kind == EVENT_MEASURE && !is_result)
			started_ns = event->at_ns;
		if (event->kind == EVENT_MEASURE && is_result && started_ns) {
			add(&process, (double)(event->at_ns - started_ns) / 1e9);
			started_ns = 0;
		}
	}
	settle(&estimates->build, &build);
	settle(&estimates->rebuild, &rebuild);
	settle(&estimates->boot, &boot);
	settle(&estimates->process, &process);
}

bool estimates_are_complete(const struct estimates *estimates)
{
	return estimates->build.n && estimates->rebuild.n && estimates->boot.n &&
	       estimates->process.n;
}
