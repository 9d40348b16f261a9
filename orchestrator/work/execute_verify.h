// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verify action: the facts of a boot put to boot/verify.h, and its verdict in words.
 */
#pragma once

#include <jansson.h>

#include "orchestrator/work/ports.h"
#include "queue/plan.h"

/*
 * Data of the verify event; see queue/event.h. Where the expected kernel runs, its time limit
 * is stopped; what speaks against that is in the data.
 */
int execute_verify(const struct ports *ports, const struct run_state *state,
		   const struct observation *observation, const struct action *action,
		   json_t **ret_result, struct error *err);
