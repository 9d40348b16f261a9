// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks for a reboot or power-off, politest way first: logind, systemd's own manager,
 * reboot(2). When to reboot, and into what, is decided elsewhere.
 */
#include "boot/reboot.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/reboot.h>
#include <unistd.h>

#include "boot/system_bus.h"
#include "common/cleanup.h"
#include "common/file.h"

#define REBOOT_BUS_TIMEOUT_US (10 * 1000000ULL)

struct reboot_way {
	const char *logind_method;  /* org.freedesktop.login1.Manager */
	const char *systemd_unit;   /* started through org.freedesktop.systemd1.Manager */
	int kernel_command;         /* reboot(2) */
	const char *word;
};

static const struct reboot_way reboot_way_reboot = { "Reboot", "reboot.target", RB_AUTOBOOT,
						     "reboot" };
static const struct reboot_way reboot_way_power_off = { "PowerOff", "poweroff.target", RB_POWER_OFF,
							"power off" };

/* False where the machine was not booted with systemd: nobody would answer. */
static bool reboot_has_systemd(void)
{
	return file_exists("/run/systemd/system");
}

static int reboot_through_logind(sd_bus *bus, const struct reboot_way *way)
{
	/* interactive=false: nobody is there to be asked for a password. */
	return sd_bus_call_method(bus, "org.freedesktop.login1", "/org/freedesktop/login1",
				  "org.freedesktop.login1.Manager", way->logind_method, NULL,
				  NULL, "b", 0);
}

static int reboot_through_systemd(sd_bus *bus, const struct reboot_way *way)
{
	/* StartUnit and not Manager.Reboot(): that one skips stopping the services. */
	return sd_bus_call_method(bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
				  "org.freedesktop.systemd1.Manager", "StartUnit", NULL, NULL,
				  "ss", way->systemd_unit, "replace-irreversibly");
}

static int reboot_ask(const struct reboot_way *way, const char **ret_method, struct error *err)
{
	_cleanup_(system_bus_close) sd_bus *bus = NULL;
	int code;

	sync();
	if (reboot_has_systemd() && system_bus_open(REBOOT_BUS_TIMEOUT_US, &bus) >= 0) {
			if (reboot_through_logind(bus, way) >= 0) {
			*ret_method = "logind";
			return 0;
		}
		if (reboot_through_systemd(bus, way) >= 0) {
			*ret_method = "systemd";
			return 0;
		}
	}
	/* Neither answers: the machine must come back all the same, so sync and go. */
	sync();
	if (reboot(way->kernel_command) == 0) {
		*ret_method = "kernel";
		return 0;
	}
	code = -errno;
	return error_set_errno(err, code, "This machine cannot be made to %s: logind and systemd did not answer, and the kernel refused", way->word);
}

int reboot_machine(const char **ret_method, struct error *err)
{
	return reboot_ask(&reboot_way_reboot, ret_method, err);
}

int power_off_machine(const char **ret_method, struct error *err)
{
	return reboot_ask(&reboot_way_power_off, ret_method, err);
}
