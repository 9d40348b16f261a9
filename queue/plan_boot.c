// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One boot of the design: hop (decide), arm, reboot, verify, settle, profile, measure,
 * restore. A boot that the machine did not survive is wanted again.
 */
#include "queue/plan_internal.h"

#include <stdio.h>
#include <string.h>

static bool is_armed_for(const struct plan *plan, const struct boot_state *boot)
{
	return plan->seen->is_armed && strcmp(plan->seen->armed_token, boot->token) == 0;
}

/* The boot id has not changed since the hop was decided: arm, then reboot. */
static void plan_hop_onwards(const struct plan *plan, const struct boot_state *boot)
{
	int64_t patience_ends_s = boot->reboot_asked_s + PLAN_REBOOT_PATIENCE_S;

	if (!is_armed_for(plan, boot))
		plan_act(plan, ACTION_ARM);
	else if (boot->reboot_asked_s > 0 && plan->seen->now_s < patience_ends_s &&
		 plan->seen->now_s >= boot->reboot_asked_s)
		plan_idle_until(plan, patience_ends_s);
	else
		plan_act(plan, ACTION_REBOOT);
}

bool plan_open_hop_step(const struct plan *plan)
{
	const struct boot_state *boot = plan_open_hop(plan->state);

	if (!boot)
		return false;
	plan->action->boot = plan->state->n_boots - 1;
	plan->action->point = boot->point;
	plan->action->attempt = boot->attempt;
	if (strcmp(boot->from_boot_id, plan->seen->boot_id) != 0)
		plan_act(plan, ACTION_VERIFY);
	else
		plan_hop_onwards(plan, boot);
	return true;
}

static void plan_hop(const struct plan *plan, int ordinal, int point, int attempt)
{
	plan_act(plan, ACTION_HOP);
	plan->action->boot = ordinal;
	plan->action->point = point;
	plan->action->attempt = attempt;
}

/* The expected kernel runs: settle, set the machine up, measure. */
static void plan_verified(const struct plan *plan, const struct boot_state *boot)
{
	const struct observation *seen = plan->seen;
	int64_t settle_left_s = plan->state->job.boot.settle_s - seen->uptime_s;

	plan->action->boot = plan->state->n_boots - 1;
	plan->action->point = boot->point;
	plan->action->attempt = boot->attempt;
	if (boot->phase == BOOT_PROFILED) {
		plan_act(plan, ACTION_MEASURE);
		plan->action->process = boot->n_processes;
	} else if (settle_left_s > 0) {
		plan_idle_until(plan, seen->now_s + settle_left_s);
	} else if (!seen->is_system_ready &&
		   settle_left_s <= -plan->state->job.boot.deadline_s) {
		plan_pause(plan, "the system does not finish starting on the kernel under test "
				 "(systemctl list-jobs): nothing was measured there");
	} else if (!seen->is_system_ready) {
		plan_idle_until(plan, seen->now_s + 1);
	} else {
		plan_act(plan, ACTION_PROFILE);
	}
}

bool plan_wants_diagnosis(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	const struct boot_state *boot = state->n_boots ? &state->boots[state->n_boots - 1] : NULL;

	return boot && state->job.measure.diagnoses && state->job.measure.diagnoses[0] &&
	       boot->phase == BOOT_MEASURED && strcmp(boot->boot_id, plan->seen->boot_id) == 0 &&
	       !boot->is_diagnosed && boot->n_diagnoses < PLAN_DIAGNOSES_MAX;
}

bool plan_evidence_step(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	const struct boot_state *boot = state->n_boots ? &state->boots[state->n_boots - 1] : NULL;

	/* Cut off before it was armed, it was never booted. */
	if (!boot || boot->phase == BOOT_HOPPING || !boot->was_arm_begun ||
	    boot->is_evidence_kept || boot->n_evidences >= PLAN_EVIDENCES_MAX)
		return false;
	plan_act(plan, ACTION_EVIDENCE);
	plan->action->boot = state->n_boots - 1;
	plan->action->point = boot->point;
	plan->action->attempt = boot->attempt;
	return true;
}

void plan_experiment_step(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	int last = state->n_boots - 1;
	const struct boot_state *boot = last < 0 ? NULL : &state->boots[last];

	if (plan_skip_step(plan))
		return;
	if (boot && !boot_state_is_over(boot)) {
		if (boot->phase != BOOT_WANTED &&
		    strcmp(boot->boot_id, plan->seen->boot_id) == 0)
			plan_verified(plan, boot);
		else if (!plan_evidence_step(plan))
			plan_hop(plan, last, boot->point, boot->attempt + 1);
		return;
	}
	if (boot && state->is_profile_open &&
	    strcmp(state->profile_boot_id, plan->seen->boot_id) == 0) {
		plan_act(plan, plan_wants_diagnosis(plan) ? ACTION_DIAGNOSE : ACTION_RESTORE);
		plan->action->boot = last;
		plan->action->point = boot->point;
		return;
	}
	if (plan_evidence_step(plan))
		return;
	if (plan->seen->now_s < state->job.boot.not_before_s) {
		plan_idle_until(plan, state->job.boot.not_before_s);
		return;
	}
	/* plan_must_end() has dealt with a design that is concluded. */
	plan_hop(plan, state->n_boots, design_of(&state->job)->next(state).point, 1);
}
