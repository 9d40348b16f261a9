// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`, hangs: which of them a watchdog ends, and which nothing here ends. Files:
 * Documentation/ABI/testing/sysfs-class-watchdog.
 */
#include "boot/preflight_internal.h"

#include <string.h>

#include "boot/starve.h"
#include "common/text.h"

#define WATCHDOG "/sys/class/watchdog/watchdog0/"

/* softdog counts in the very kernel that would have to hang. */
static bool is_software(const char *identity)
{
	return strcmp(identity, "Software Watchdog") == 0;
}

/* @identity: "" where the kernel shows no watchdogs in sysfs (CONFIG_WATCHDOG_SYSFS). */
static void check_late_hang(struct preflight *preflight, bool has_watchdog, const char *identity)
{
	if (!has_watchdog)
		preflight_add(preflight, "watchdog", PREFLIGHT_WARNING,
			      "Load the machine's watchdog driver, in the test kernels too.",
			      "There is no /dev/watchdog: a test kernel that hangs without a panic stays hung until somebody resets it.");
	else if (is_software(identity))
		preflight_add(preflight, "watchdog", PREFLIGHT_WARNING,
			      "Load the driver of a watchdog in hardware (iTCO_wdt, sp5100_tco, ipmi_watchdog).",
			      "The only watchdog is softdog, which hangs with the kernel that it watches.");
	else
		preflight_add(preflight, "watchdog", PREFLIGHT_OK, "",
			      "A hang after systemd opened the watchdog (%s) is ended by a reset, if the test kernel has its driver.",
			      *identity ? identity : "/dev/watchdog");
}

/*
 * Most drivers stop the timer until /dev/watchdog is opened, GRUB switches the firmware's off
 * and ExitBootServices() ends it; what an administrator has set up outside (a BMC, a power
 * switch) cannot be seen from here. So an early hang is never taken for covered.
 */
static void check_early_hang(struct preflight *preflight)
{
	const struct preflight_request *request = preflight->request;
	bool is_refused = request->occasion != PREFLIGHT_LOOK && !request->accepts_hang_risk;

	if (request->occasion != PREFLIGHT_LOOK && request->accepts_hang_risk)
		preflight_add(preflight, "early-hang", PREFLIGHT_OK, "",
			      "The job accepts the risk of a hang that no software can end: " PREFLIGHT_HANG_RISK ".");
	else
		preflight_add(preflight, "early-hang",
			      is_refused ? PREFLIGHT_REFUSAL : PREFLIGHT_WARNING,
			      "Queue with --accept-hang-risk if " PREFLIGHT_HANG_RISK ".",
			      "A test kernel that hangs before systemd opens a watchdog stays hung: no software can end that.");
}

static void check_proof(struct preflight *preflight, const char *identity)
{
	struct starve_proof proof;
	struct error err = { 0 };
	int r = starve_read(preflight->paths, preflight->request->state_directory, &proof, &err);

	if (r < 0)
		preflight_add(preflight, "watchdog-proof", PREFLIGHT_WARNING,
			      "Run abbot check --starve-watchdog again.", "%s", err.text);
	else if (r != STARVE_NEVER_TRIED && *identity && strcmp(identity, proof.identity) != 0)
		preflight_add(preflight, "watchdog-proof", PREFLIGHT_WARNING,
			      "Run abbot check --starve-watchdog again.",
			      "What was proved on %s was proved of another watchdog (%s).", proof.date,
			      proof.identity);
	else if (r == STARVE_PROVED)
		preflight_add(preflight, "watchdog-proof", PREFLIGHT_OK, "",
			      "The watchdog was proved on %s with %s: starved, it rebooted this machine.",
			      proof.date, proof.identity);
	else if (r == STARVE_FAILED)
		preflight_add(preflight, "watchdog-proof", PREFLIGHT_WARNING,
			      "Look at the driver, and run abbot check --starve-watchdog again.",
			      "Starved on %s, the watchdog (%s) did not reboot this machine.", proof.date,
			      proof.identity);
	else
		preflight_add(preflight, "watchdog-proof", PREFLIGHT_SKIPPED, "",
			      "Nobody has proved yet that starving the watchdog reboots (abbot check --starve-watchdog).");
}

void preflight_check_hang(struct preflight *preflight)
{
	bool has_watchdog = preflight_exists(preflight, "/dev/watchdog");
	char identity[64] = "";

	if (has_watchdog)
		preflight_read_line(preflight, WATCHDOG "identity", identity, sizeof(identity));
	check_late_hang(preflight, has_watchdog, identity);
	check_early_hang(preflight);
	if (has_watchdog)
		check_proof(preflight, identity);
}
