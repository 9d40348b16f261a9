// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a bisection does beside booting and measuring: the line of commits, a commit chosen,
 * built and installed shortly before its boot, and kernels that are passed over.
 */
#include <stdio.h>
#include <string.h>

#include "queue/plan_internal.h"

/* Kernels beside the default one: the ends, and a pair that is being confirmed. */
#define INSTALLED_MAX 4

static int count_installed(const struct run_state *state)
{
	int n = 0;

	for (size_t i = 0; i < state->job.n_points; i++)
		n += state->points[i].phase == POINT_INSTALLED;
	return n;
}

/* Room first: all are taken away, and those that are booted again installed again. */
static void plan_install(const struct plan *plan, int point)
{
	const struct run_state *state = plan->state;

	if (count_installed(state) < INSTALLED_MAX)
		plan_prepare(plan, ACTION_INSTALL, point);
	else if (state->remove_failures < PLAN_TRIES_MAX)
		plan_prepare(plan, ACTION_REMOVE, -1);
	else
		plan_pause(plan, state->remove_error);
}

/* Built, and installed if need be. True when something is to be done. */
static bool plan_point_ready(const struct plan *plan, int point, bool is_to_install)
{
	switch (plan->state->points[point].phase) {
	case POINT_RESOLVED:
		plan_prepare(plan, ACTION_BUILD, point);
		return true;
	case POINT_BUILT:
		if (!is_to_install)
			return false;
		plan_install(plan, point);
		return true;
	case POINT_INSTALLED:
	case POINT_BUILD_FAILED:
		break;
	}
	return false;
}

bool plan_bisect_preparation_step(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	const struct boot_state *last = state->n_boots ? &state->boots[state->n_boots - 1] : NULL;
	struct design_answer answer;

	if (!state->bisect || !state->is_configured) {
		plan_prepare(plan, state->bisect ? ACTION_CONFIGURE : ACTION_RANGE, -1);
		return true;
	}
	/* Neither end may turn out to be none after half a night. */
	if (plan_point_ready(plan, BISECT_GOOD, false) || plan_point_ready(plan, BISECT_BAD, false))
		return true;
	if (last && !boot_state_is_over(last))
		return plan_may_skip(plan, state->n_boots - 1) ? false
							       : plan_point_ready(plan, last->point, true);
	if (plan_wants_diagnosis(plan))
		return false;
	answer = design_of(&state->job)->next(state);
	switch (answer.kind) {
	case DESIGN_SELECT:
		plan_prepare(plan, ACTION_SELECT, (int)state->job.n_points);
		plan->action->commit = answer.commit;
		return true;
	case DESIGN_BOOT:
		return plan_point_ready(plan, answer.point, true);
	case DESIGN_CONCLUDED:
		break;
	}
	return false;
}

bool plan_may_skip(const struct plan *plan, int boot)
{
	const struct run_state *state = plan->state;
	const struct boot_state *of = &state->boots[boot];
	bool has_come_up = of->phase == BOOT_VERIFIED || of->phase == BOOT_PROFILED;

	if (!run_state_may_skip(state, boot))
		return false;
	return (of->error && has_come_up) ||
	       (plan_is_lost(plan, of) && of->failures + 1 >= state->job.boot.max_attempts);
}

bool plan_skip_step(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	int last = state->n_boots - 1;
	const struct boot_state *boot = last < 0 ? NULL : &state->boots[last];

	if (!boot || boot->is_skipped || !plan_may_skip(plan, last))
		return false;
	if (plan_evidence_step(plan))
		return true;
	plan_act(plan, ACTION_SKIP);
	plan->action->boot = last;
	plan->action->point = boot->point;
	if (boot->error)
		(void)snprintf(plan->action->reason, sizeof(plan->action->reason), "%s", boot->error);
	else
		(void)snprintf(plan->action->reason, sizeof(plan->action->reason),
			       "it went down during the measurement, %d times in all%s%s",
			       boot->failures + 1, boot->crash ? ": " : "",
			       boot->crash ? boot->crash : "");
	return true;
}
