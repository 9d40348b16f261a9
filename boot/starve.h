// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Proves that starving /dev/watchdog reboots this machine: a note is written durably, the
 * watchdog opened and never fed. The boot that comes up reads the note: another boot id
 * than the note's is the proof. Documentation/watchdog/watchdog-api.rst.
 */
#pragma once

#include "boot/boot_loader.h"
#include "common/error.h"

enum starve_verdict {
	STARVE_NEVER_TRIED,
	STARVE_PROVED,
	STARVE_FAILED, /* the machine was still up when it was over */
};

struct starve_proof {
	char identity[64]; /* of the watchdog: sysfs's "identity" */
	char date[32];     /* of the attempt, UTC: "2026-01-31 12:00" */
};

/*
 * What is known: an enum starve_verdict, or -EBADMSG for a note that cannot be read, -EBUSY
 * while a watchdog is being starved. *ret_proof is filled for PROVED and FAILED.
 */
int starve_read(const struct boot_paths *paths, const char *state_directory,
		struct starve_proof *ret_proof, struct error *err);

/*
 * Starves the watchdog of this very machine. Does not return when it works; else blocks for
 * its timeout and a margin, notes the failure, and returns -ETIMEDOUT. -EOPNOTSUPP, -EBUSY
 * (systemd feeds it: RuntimeWatchdogSec) and others, before anything was started, with a sentence.
 */
int starve_watchdog(const char *state_directory, struct error *err);
