// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * systemd's service watchdog: periodic signs of life by the event loop, but none while a
 * benchmark process runs; then one longer time covers it instead.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-event.h>

struct watchdog {
	sd_event *event;   /* borrowed */
	uint64_t usec;     /* what the unit asks for; 0: no watchdog */
	bool is_covering;
};

void watchdog_start(struct watchdog *watchdog, sd_event *event);
/* From here on no sign of life is due for @seconds. */
void watchdog_cover(struct watchdog *watchdog, int64_t seconds);
/* Periodic again; nothing when it is already. */
void watchdog_uncover(struct watchdog *watchdog);
