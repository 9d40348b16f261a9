// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carries out one action of the planner in three steps, so that a crash between any
 * two of them is harmless: the intent is appended (durable), the action done through
 * the ports, the result appended. The daemon does the middle step in a child process.
 */
#pragma once

#include "orchestrator/work/ports.h"
#include "queue/plan.h"
#include "queue/store.h"

/*
 * Appends the intent (nothing for actions that have none). 1: the machine's profile cannot
 * be read; that, as in @err, is appended as the action's result, and the action is over.
 */
int executor_begin(struct store *store, const struct ports *ports,
		   const struct run_state *state, const struct observation *observation,
		   const struct action *action, struct error *err);

/* Touches the world; never the store. *ret_result is the result event's data. */
int executor_act(const struct ports *ports, const struct run_state *state,
		 const struct observation *observation, const struct action *action,
		 json_t **ret_result, struct error *err);

/*
 * Appends the result; @status and @err are what executor_act() returned. A job that was refused
 * its beginning is paused instead.
 */
int executor_finish(struct store *store, const struct ports *ports,
		    const struct run_state *state, const struct observation *observation,
		    const struct action *action, int status, json_t *result,
		    const struct error *act_error, struct error *err);

/*
 * Replay, observe, plan and all three steps at once for job @job_id.
 * Returns 1 when something was done, 0 when the planner is idle (*ret_action says
 * until when), negative errno when the store or an observation failed.
 */
int executor_step(struct store *store, const struct ports *ports, int64_t job_id,
		  struct action *ret_action, struct error *err);
