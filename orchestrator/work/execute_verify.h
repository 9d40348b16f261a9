// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verify action: the facts of a boot put to boot/verify.h, and its verdict in words.
 */
#pragma once

#include <jansson.h>

#include "queue/plan.h"

/* Data of the verify event; see queue/event.h. Never NULL. */
json_t *execute_verify(const struct run_state *state, const struct observation *observation,
		       const struct action *action);
