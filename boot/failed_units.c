// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ListUnitsByPatterns of systemd's manager (org.freedesktop.systemd1(5)), state "failed".
 */
#include "boot/failed_units.h"

#include <errno.h>

#include "boot/system_bus.h"
#include "common/cleanup.h"
#include "common/file.h"

#define UNITS_BUS_TIMEOUT_US (10 * 1000000ULL)

static int ask(sd_bus *bus, sd_bus_message **ret_reply)
{
	_cleanup_(sd_bus_message_unrefp) sd_bus_message *request = NULL;
	char failed[] = "failed";
	char *states[] = { failed, NULL };
	int r = sd_bus_message_new_method_call(bus, &request, "org.freedesktop.systemd1",
					       "/org/freedesktop/systemd1",
					       "org.freedesktop.systemd1.Manager",
					       "ListUnitsByPatterns");

	if (r >= 0)
		r = sd_bus_message_append_strv(request, states);
	if (r >= 0)
		r = sd_bus_message_append_strv(request, NULL); /* whatever the name */
	if (r >= 0)
		r = sd_bus_call(bus, request, 0, NULL, ret_reply);
	return r;
}

int failed_units_list(size_t max, void (*found)(void *context, const char *name), void *context,
		      struct error *err)
{
	_cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
	_cleanup_(system_bus_close) sd_bus *bus = NULL;
	const char *name;
	int r;

	if (!file_exists("/run/systemd/system"))
		return 0;
	r = system_bus_open(UNITS_BUS_TIMEOUT_US, &bus);
	if (r >= 0)
		r = ask(bus, &reply);
	if (r >= 0)
		r = sd_bus_message_enter_container(reply, 'a', "(ssssssouso)");
	for (size_t n = 0; r >= 0 && n < max; n++) {
		r = sd_bus_message_read(reply, "(ssssssouso)", &name, NULL, NULL, NULL, NULL, NULL,
					NULL, NULL, NULL, NULL);
		if (r <= 0)
			break;
		found(context, name);
	}
	return r < 0 ? error_set_errno(err, r, "systemd does not say which units have failed") : 0;
}
