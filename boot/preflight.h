// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`: is this machine safe to reboot unattended? Each line is ok, a
 * warning, a refusal or "not available", with what to do.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "boot/boot_loader.h"
#include "common/error.h"

/*
 * *ret_lines: array of {"check","status":"ok"|"warning"|"refusal"|"skipped","text","remedy"}.
 * Returns 0 when nothing was refused, 1 when something was, negative on a fault.
 * @kernels: how many kernels the queue wants to install (for the space check).
 */
int preflight_run(const struct boot_paths *paths, const char *state_directory, int kernels,
		  json_t **ret_lines, struct error *err);
