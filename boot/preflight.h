// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`: is this machine safe to reboot unattended? Each line is ok, a
 * warning, a refusal or "not available", with what to do.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "boot/boot_loader.h"
#include "common/error.h"

/* What is accepted with it: for a sentence after "if". No software can end such a hang. */
#define PREFLIGHT_HANG_RISK \
	"somebody, or a BMC, can reset a machine that hangs before systemd opens a watchdog"

enum preflight_occasion {
	PREFLIGHT_LOOK,  /* somebody asks: all that can be said */
	PREFLIGHT_QUEUE, /* a job is handed in: without what will have passed when it begins */
	PREFLIGHT_BEGIN, /* a job is about to begin */
};

struct preflight_request {
	enum preflight_occasion occasion;
	const char *state_directory;
	int kernels;              /* how many will be installed, for the space check */
	bool builds;              /* some of them must be built here */
	bool accepts_hang_risk;   /* of the job; without it an early hang is refused, but for LOOK */
	const char *config_path;  /* of the kernels: does it hold the root disk's drivers? Or NULL */
};

/*
 * *ret_lines: array of {"check","status":"ok"|"warning"|"refusal"|"skipped","text","remedy"}.
 * Returns 0 when nothing was refused, 1 when something was, negative on a fault. Blocks:
 * asks systemd and logind over the bus.
 */
int preflight_run(const struct boot_paths *paths, const struct preflight_request *request,
		  json_t **ret_lines, struct error *err);

/* -EPERM, and the refusals among @lines as one sentence in @err. */
int preflight_refuse(const json_t *lines, struct error *err);
