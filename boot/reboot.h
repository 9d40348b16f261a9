// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rebooting and powering off this machine: through logind (inhibitors respected by
 * nobody at night, so interactive=false), then systemd, then the kernel itself.
 */
#pragma once

#include "common/error.h"

/*
 * Syncs, asks, and returns before the machine goes down. *ret_method (static text)
 * says which way worked: "logind", "systemd", "kernel". Blocks on D-Bus, 25 s at most.
 */
int reboot_machine(const char **ret_method, struct error *err);
int power_off_machine(const char **ret_method, struct error *err);
