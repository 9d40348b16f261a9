// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stops abbot-deadline.timer through systemd's manager.
 */
#include "boot/deadline.h"

#include "boot/system_bus.h"
#include "common/cleanup.h"
#include "common/file.h"

#define DEADLINE_BUS_TIMEOUT_US (10 * 1000000ULL)
#define DEADLINE_UNIT "abbot-deadline.timer"

int deadline_stop(struct error *err)
{
	_cleanup_(system_bus_close) sd_bus *bus = NULL;
	_cleanup_(sd_bus_error_free) sd_bus_error reason = SD_BUS_ERROR_NULL;
	int r;

	if (!file_exists("/run/systemd/system"))
		return 0;
	r = system_bus_open(DEADLINE_BUS_TIMEOUT_US, &bus);
	if (r < 0)
		return error_set_errno(err, r, "systemd does not answer, so " DEADLINE_UNIT " cannot be stopped");
	r = sd_bus_call_method(bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
			       "org.freedesktop.systemd1.Manager", "StopUnit", &reason, NULL, "ss",
			       DEADLINE_UNIT, "replace");
	if (r < 0 && !sd_bus_error_has_name(&reason, "org.freedesktop.systemd1.NoSuchUnit"))
		return error_set(err, r, DEADLINE_UNIT " cannot be stopped: %s",
				 reason.message ? reason.message : "no reason was given");
	return 0;
}
