// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See sd_watchdog_enabled(3) and WATCHDOG_USEC= in sd_notify(3).
 */
#include "orchestrator/daemon/watchdog.h"

#include <inttypes.h>
#include <systemd/sd-daemon.h>

#define USEC_PER_S 1000000u

void watchdog_start(struct watchdog *watchdog, sd_event *event)
{
	*watchdog = (struct watchdog){ .event = event };
	if (sd_watchdog_enabled(0, &watchdog->usec) <= 0)
		watchdog->usec = 0;
	if (watchdog->usec)
		(void)sd_event_set_watchdog(event, 1);
}

void watchdog_cover(struct watchdog *watchdog, int64_t seconds)
{
	if (!watchdog->usec)
		return;
	(void)sd_event_set_watchdog(watchdog->event, 0);
	(void)sd_notifyf(0, "WATCHDOG_USEC=%" PRIu64 "\nWATCHDOG=1",
			 (uint64_t)seconds * USEC_PER_S);
	watchdog->is_covering = true;
}

void watchdog_uncover(struct watchdog *watchdog)
{
	if (!watchdog->is_covering)
		return;
	(void)sd_notifyf(0, "WATCHDOG_USEC=%" PRIu64 "\nWATCHDOG=1", watchdog->usec);
	(void)sd_event_set_watchdog(watchdog->event, 1);
	watchdog->is_covering = false;
}
