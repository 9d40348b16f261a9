// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the world looks like now, as far as the planner may know it. Filled by
 * orchestrator/work/observe.c on a machine, by fake ports in tests.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct observation {
	int64_t now_s;         /* CLOCK_REALTIME */
	int64_t uptime_s;      /* CLOCK_BOOTTIME */
	char boot_id[37];      /* /proc/sys/kernel/random/boot_id */
	char build_id[41];     /* GNU build id of the running kernel, hex; "" unknown */
	char release[66];      /* uname -r */
	char version[256];     /* uname -v */
	char cmdline[2048];    /* /proc/cmdline, cut to fit (x86 has no longer one) */
	char token[33];        /* its abbot.token=, "" if none */
	bool is_armed;         /* a one-shot of ours is set in the loader */
	char armed_entry[64];
	char armed_token[33];
	bool is_system_ready;  /* systemd has no job left to run */
	bool is_held;          /* abbot.hold or /etc/abbot/hold */
	char machine[65];      /* identifies this machine and boot loader setup; "" unknown */
};
