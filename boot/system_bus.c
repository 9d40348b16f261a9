// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A connection to systemd: through the bus, or as systemctl does it when there is none.
 * What is asked over it is the callers' business.
 */
#include "boot/system_bus.h"

#include "common/cleanup.h"

#define SYSTEM_BUS_PRIVATE_ADDRESS "unix:path=/run/systemd/private"

void system_bus_close(sd_bus **bus)
{
	*bus = sd_bus_flush_close_unref(*bus);
}

static int system_bus_open_private(sd_bus **ret_bus)
{
	_cleanup_(system_bus_close) sd_bus *bus = NULL;
	int r;

	r = sd_bus_new(&bus);
	if (r >= 0)
		r = sd_bus_set_address(bus, SYSTEM_BUS_PRIVATE_ADDRESS);
	if (r >= 0)
		r = sd_bus_start(bus);
	if (r < 0)
		return r;
	*ret_bus = TAKE_PTR(bus);
	return 0;
}

int system_bus_open(uint64_t timeout_us, sd_bus **ret_bus)
{
	sd_bus *bus = NULL;
	int r = sd_bus_open_system(&bus);

	if (r < 0)
		r = system_bus_open_private(&bus);
	if (r < 0)
		return r;
	(void)sd_bus_set_method_call_timeout(bus, timeout_us);
	*ret_bus = bus;
	return 0;
}
