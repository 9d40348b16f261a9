// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which units systemd says have failed.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"

/*
 * Calls @found with each name, at most @max times. No systemd: none have. Negative errno where systemd
 * does not answer. Blocks for at most ten seconds.
 */
int failed_units_list(size_t max, void (*found)(void *context, const char *name), void *context,
		      struct error *err);
