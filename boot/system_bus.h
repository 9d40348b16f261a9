// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A connection to systemd, whether or not the D-Bus daemon runs.
 */
#pragma once

#include <stdint.h>
#include <systemd/sd-bus.h>

/*
 * The system bus; else, as root, systemd's own socket, where only
 * org.freedesktop.systemd1 answers. Calls on it end after @timeout_us each. Negative errno when
 * there is neither. Release with system_bus_close(), which takes a pointer to NULL, too.
 */
int system_bus_open(uint64_t timeout_us, sd_bus **ret_bus);
void system_bus_close(sd_bus **bus);
