// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the process ran on, for the reader of its JSON: kernel, CPU, huge-page settings.
 */
#pragma once

#include <jansson.h>

#include "bench/placement.h"

/* What the measurement depends on, one member a fact. New reference; reads files. */
json_t *environment_to_json(const struct placement *placement);
