// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The planner's order of things: hold, what a reboot left open, pause, ending,
 * building and installing on the default kernel, then the experiment.
 */
#include "queue/plan.h"

#include <stdio.h>
#include <string.h>

#include "queue/plan_internal.h"

#define STRANDED                                                                        \
	"the machine does not come back to its default kernel: look at the boot loader, " \
	"then reboot by hand"

void plan_act(const struct plan *plan, enum action_kind kind)
{
	plan->action->kind = kind;
}

void plan_idle_until(const struct plan *plan, int64_t wake_at_s)
{
	plan->action->kind = ACTION_IDLE;
	plan->action->wake_at_s = wake_at_s;
}

bool plan_is_test_boot(const struct plan *plan)
{
	return plan->seen->token[0] != '\0';
}

/* The kernel that the job began on runs, without a token. */
static bool plan_is_default_boot(const struct plan *plan)
{
	return !plan_is_test_boot(plan) &&
	       strcmp(plan->seen->build_id, plan->state->default_build_id) == 0;
}

const struct boot_state *plan_open_hop(const struct run_state *state)
{
	if (state->n_boots == 0)
		return NULL;
	if (state->boots[state->n_boots - 1].phase != BOOT_HOPPING)
		return NULL;
	return &state->boots[state->n_boots - 1];
}

void plan_prepare(const struct plan *plan, enum action_kind kind, int point)
{
	if (plan_is_test_boot(plan)) {
		if (!plan_clean_step(plan, false))
			plan_pause(plan, STRANDED);
		return;
	}
	plan_act(plan, kind);
	if (kind != ACTION_CONFIGURE && kind != ACTION_RANGE && kind != ACTION_REMOVE)
		plan->action->point = point;
}

/* Builds and installations happen on the default kernel only. True when one is due. */
static bool plan_preparation_step(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	enum action_kind kind = ACTION_IDLE;
	size_t point = 0;

	if (state->job.design == JOB_DESIGN_BISECT)
		return plan_bisect_preparation_step(plan);
	if (!state->is_configured)
		kind = ACTION_CONFIGURE;
	for (size_t i = 0; i < state->job.n_points && kind == ACTION_IDLE; i++) {
		if (state->points[i].phase == POINT_RESOLVED) {
			kind = ACTION_BUILD;
			point = i;
		}
	}
	for (size_t i = 0; i < state->job.n_points && kind == ACTION_IDLE; i++) {
		if (state->points[i].phase == POINT_BUILT) {
			kind = ACTION_INSTALL;
			point = i;
		}
	}
	if (kind == ACTION_IDLE)
		return false;
	plan_prepare(plan, kind, (int)point);
	return true;
}

void plan_pause(const struct plan *plan, const char *reason)
{
	plan_act(plan, ACTION_PAUSE);
	(void)snprintf(plan->action->reason, sizeof(plan->action->reason), "%s", reason);
}

/* A paused job waits on a clean machine, with its kernels still installed. */
static void plan_paused(const struct plan *plan)
{
	const struct boot_state *hop = plan_open_hop(plan->state);

	if (hop && strcmp(hop->from_boot_id, plan->seen->boot_id) != 0) {
		(void)plan_open_hop_step(plan); /* records what came up */
		return;
	}
	if (!plan_clean_step(plan, false))
		plan_idle_until(plan, 0);
}

/* What a person must look at before anything goes on. True when it chose an action. */
static bool plan_stop_step(const struct plan *plan)
{
	const struct run_state *state = plan->state;

	if (state->stop_reason) {
		if (plan->seen->is_armed)
			plan_act(plan, ACTION_DISARM);
		else
			plan_pause(plan, state->stop_reason);
		return true;
	}
	if (state->consecutive_fallbacks >= PLAN_TRIES_MAX) {
		plan_pause(plan, "three boots in a row of kernels that had booted before came "
				 "back in the default kernel: look at the machine, then resume");
		return true;
	}
	if (!plan_open_hop(state) && !plan_is_test_boot(plan) && !plan_is_default_boot(plan)) {
		plan_pause(plan, "another kernel runs than the one that the job began on: if "
				 "that is the new default, resume");
		return true;
	}
	return false;
}

/* A job begins on the default kernel, and a resumed one begins anew. */
static void plan_beginning(const struct plan *plan)
{
	if (!plan_is_test_boot(plan)) {
		plan_act(plan, ACTION_BEGIN);
	} else if (!plan_clean_step(plan, true)) {
		(void)snprintf(plan->action->reason, sizeof(plan->action->reason), "%s", STRANDED);
		plan_act(plan, ACTION_END);
		plan->action->status = JOB_FAILED;
	}
}

/* plan_must_end() has said how and why. */
static void plan_end(const struct plan *plan)
{
	struct action *action = plan->action;
	enum job_status status = action->status;
	size_t size = strlen(action->reason);

	if (plan_clean_step(plan, true))
		return;
	plan_act(plan, ACTION_END);
	action->status = status;
	if (plan_is_test_boot(plan))
		(void)snprintf(action->reason + size, sizeof(action->reason) - size, "; and %s",
			       STRANDED);
}

void plan_next(const struct run_state *state, const struct observation *observation,
	       struct action *ret_action)
{
	const struct plan plan = { .state = state, .seen = observation, .action = ret_action };

	memset(ret_action, 0, sizeof(*ret_action));
	ret_action->point = ret_action->boot = ret_action->process = -1;
	if (run_state_is_ended(state)) {
		plan_idle_until(&plan, 0);
		return;
	}
	if (observation->is_held) {
		/* Nobody says when the hold is over; a paused job waits for more than that. */
		plan_idle_until(&plan, state->status == JOB_PAUSED ? 0 :
						observation->now_s + PLAN_HOLD_LOOK_S);
		return;
	}
	if (state->status == JOB_PAUSED && !state->is_cancel_requested) {
		plan_paused(&plan);
		return;
	}
	if (!state->has_begun && !plan_open_hop(state)) {
		plan_beginning(&plan);
		return;
	}
	if (plan_must_end(&plan)) {
		plan_end(&plan);
		return;
	}
	if (plan_open_hop_step(&plan) || plan_stop_step(&plan) || plan_preparation_step(&plan))
		return;
	plan_experiment_step(&plan);
}

const char *action_kind_name(enum action_kind kind)
{
	switch (kind) {
	case ACTION_IDLE:
		return "idle";
	case ACTION_BEGIN:
		return "begin";
	case ACTION_CONFIGURE:
		return "configure";
	case ACTION_RANGE:
		return "range";
	case ACTION_SELECT:
		return "select";
	case ACTION_SKIP:
		return "skip";
	case ACTION_BUILD:
		return "build";
	case ACTION_INSTALL:
		return "install";
	case ACTION_HOP:
		return "hop";
	case ACTION_ARM:
		return "arm";
	case ACTION_REBOOT:
		return "reboot";
	case ACTION_VERIFY:
		return "verify";
	case ACTION_PROFILE:
		return "profile";
	case ACTION_MEASURE:
		return "measure";
	case ACTION_DIAGNOSE:
		return "diagnose";
	case ACTION_EVIDENCE:
		return "evidence";
	case ACTION_RESTORE:
		return "restore";
	case ACTION_DISARM:
		return "disarm";
	case ACTION_RETURN:
		return "return";
	case ACTION_REMOVE:
		return "remove";
	case ACTION_PAUSE:
		return "pause";
	case ACTION_END:
		return "end";
	}
	return "unknown";
}
