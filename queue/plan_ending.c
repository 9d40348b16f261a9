// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why a job ends, and how the machine is left: profile restored, one-shot cleared, evidence
 * kept, default kernel running, entries removed.
 */
#include "queue/plan_internal.h"

#include <stdio.h>
#include <string.h>

#define SAY(plan, ...) \
	(void)snprintf((plan)->action->reason, sizeof((plan)->action->reason), __VA_ARGS__)

static bool end_with(const struct plan *plan, enum job_status status)
{
	plan->action->status = status;
	return true;
}

static const char *point_name(const struct run_state *state, int point)
{
	return state->job.points[point].name;
}

static bool ends_by_point(const struct plan *plan)
{
	const struct run_state *state = plan->state;

	if (state->configure_error) {
		SAY(plan, "%s", state->configure_error);
		return end_with(plan, JOB_FAILED);
	}
	for (size_t i = 0; i < state->job.n_points; i++) {
		const struct point_state *point = &state->points[i];

		if (!point->failure || point->is_passed_over)
			continue;
		SAY(plan, "%s %s: %s", point_name(state, (int)i),
		    point->phase == POINT_BUILD_FAILED ? "was not built" : "was not installed",
		    point->failure);
		return end_with(plan, JOB_FAILED);
	}
	return false;
}

/* The last boot came up, was not measured to its end, and is not running any more. */
bool plan_is_lost(const struct plan *plan, const struct boot_state *boot)
{
	return (boot->phase == BOOT_VERIFIED || boot->phase == BOOT_PROFILED) &&
	       !boot->was_paused && strcmp(boot->boot_id, plan->seen->boot_id) != 0;
}

/* It took every request to reboot, and never went down. */
static bool is_stuck(const struct plan *plan, const struct boot_state *boot)
{
	return boot->phase == BOOT_HOPPING && boot->n_reboot_asks >= PLAN_TRIES_MAX &&
	       strcmp(boot->from_boot_id, plan->seen->boot_id) == 0 &&
	       plan->seen->now_s >= boot->reboot_asked_s + PLAN_REBOOT_PATIENCE_S;
}

static bool ends_by_boot(const struct plan *plan, int ordinal)
{
	const struct run_state *state = plan->state;
	const struct boot_state *boot = &state->boots[ordinal];
	const char *name = point_name(state, boot->point);

	if (boot->is_skipped || plan_may_skip(plan, ordinal))
		return false;
	if (boot->error) {
		SAY(plan, "boot %d (%s): %s", ordinal + 1, name, boot->error);
		return end_with(plan, JOB_FAILED);
	}
	if (boot->phase == BOOT_GIVEN_UP) {
		SAY(plan, "boot %d (%s) came back in the default kernel %d times: %s", ordinal + 1,
		    name, boot->failures,
		    boot->crash ? boot->crash : "it does not boot, or does not stay up");
		return end_with(plan, JOB_FAILED);
	}
	if (plan_is_lost(plan, boot) && boot->failures + 1 >= state->job.boot.max_attempts) {
		SAY(plan, "boot %d (%s) went down during the measurement, %d times in all%s%s",
		    ordinal + 1, name, boot->failures + 1, boot->crash ? ": " : "",
		    boot->crash ? boot->crash : "");
		return end_with(plan, JOB_FAILED);
	}
	if (boot->reboot_failures >= PLAN_TRIES_MAX) {
		SAY(plan, "boot %d (%s): the machine refused to reboot %d times", ordinal + 1,
		    name, boot->reboot_failures);
		return end_with(plan, JOB_FAILED);
	}
	if (is_stuck(plan, boot)) {
		SAY(plan, "boot %d (%s): the machine was asked to reboot %d times and does not go down",
		    ordinal + 1, name, boot->n_reboot_asks);
		return end_with(plan, JOB_FAILED);
	}
	return false;
}

/* What failed a gate is out of the job; it ends when no workload is left. */
static bool ends_by_gates(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	int ordinal;

	if (run_state_valid_bench(state) < job_n_benches(&state->job))
		return false;
	ordinal = run_state_bench_fault(state, 0);
	SAY(plan, "boot %d (%s): %s%s", ordinal + 1, point_name(state, state->boots[ordinal].point),
	    state->job.n_benches > 1 ? "each workload failed a gate, the first so: " : "",
	    state->boots[ordinal].benches[0].invalid_reason);
	return end_with(plan, JOB_INVALID);
}

/* The machine profile in force must be the same on every boot. */
static bool ends_by_profile(const struct plan *plan)
{
	const struct run_state *state = plan->state;

	if (state->job.measure.profile_differences == JOB_DIFFERENCES_ALLOW)
		return false;
	for (int i = 1; i < state->n_boots; i++) {
		const char *first = state->boots[0].profile;
		const char *other = state->boots[i].profile;

		if (!first || !other || strcmp(first, other) == 0)
			continue;
		SAY(plan, "the machine's settings in boot %d differ from those in boot 1", i + 1);
		return end_with(plan, JOB_INVALID);
	}
	return false;
}

static bool ends_by_limit(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	int last = state->n_boots - 1;

	if (state->n_reboots < state->job.boot.max_reboots)
		return false;
	/* An open hop is counted already; and a boot that runs may be measured to its end. */
	if (last >= 0 && (state->boots[last].phase == BOOT_HOPPING ||
			  (!boot_state_is_over(&state->boots[last]) &&
			   strcmp(state->boots[last].boot_id, plan->seen->boot_id) == 0)))
		return false;
	SAY(plan, "the job used up its %lld reboots", (long long)state->job.boot.max_reboots);
	return end_with(plan, JOB_FAILED);
}

static bool ends_by_design(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	struct design_answer answer;

	if (state->bisect && state->bisect->fault) {
		SAY(plan, "the search cannot go on: %s", state->bisect->fault);
		return end_with(plan, JOB_FAILED);
	}
	for (int i = 0; i < state->n_boots; i++)
		if (!boot_state_is_over(&state->boots[i]))
			return false;
	answer = design_of(&state->job)->next(state);
	if (answer.kind != DESIGN_CONCLUDED || plan_wants_diagnosis(plan))
		return false;
	if (state->bisect) {
		bisect_say_end(state, plan->action->reason, sizeof(plan->action->reason));
		return end_with(plan, answer.is_inconclusive ? JOB_INCONCLUSIVE : JOB_DONE);
	}
	if (answer.is_inconclusive) {
		SAY(plan, "no verdict after %d boots, and no more are to be had", state->n_boots);
		return end_with(plan, JOB_INCONCLUSIVE);
	}
	SAY(plan, "all %d boots measured", state->n_boots);
	return end_with(plan, JOB_DONE);
}

bool plan_must_end(const struct plan *plan)
{
	const struct run_state *state = plan->state;

	if (state->is_cancel_requested) {
		SAY(plan, "cancelled by %s", state->cancel_by);
		return end_with(plan, JOB_CANCELLED);
	}
	if (ends_by_point(plan))
		return true;
	for (int i = 0; i < state->n_boots; i++)
		if (ends_by_boot(plan, i))
			return true;
	return ends_by_gates(plan) || ends_by_profile(plan) || ends_by_design(plan) || ends_by_limit(plan);
}

/* Three boots were asked to return, and another one carries a token all the same. */
static bool plan_is_stranded(const struct plan *plan)
{
	const struct run_state *state = plan->state;

	return plan_is_test_boot(plan) && state->n_return_boots >= PLAN_TRIES_MAX &&
	       strcmp(state->return_boot_id, plan->seen->boot_id) != 0;
}

/* Reboots into the default kernel, patiently. */
static void plan_return(const struct plan *plan)
{
	const struct run_state *state = plan->state;
	int64_t patience_ends_s = state->return_asked_s + PLAN_REBOOT_PATIENCE_S;
	bool was_asked = state->return_asked_s > 0 &&
			 strcmp(state->return_boot_id, plan->seen->boot_id) == 0;

	if (was_asked && plan->seen->now_s >= state->return_asked_s &&
	    plan->seen->now_s < patience_ends_s)
		plan_idle_until(plan, patience_ends_s);
	else
		plan_act(plan, ACTION_RETURN);
}

bool plan_clean_step(const struct plan *plan, bool removes_entries)
{
	const struct run_state *state = plan->state;

	if (state->is_profile_open &&
	    strcmp(state->profile_boot_id, plan->seen->boot_id) == 0) {
		plan_act(plan, ACTION_RESTORE);
		plan->action->boot = state->profile_boot;
		return true;
	}
	if (plan->seen->is_armed) {
		plan_act(plan, ACTION_DISARM);
		return true;
	}
	if (plan_evidence_step(plan))
		return true;
	if (plan_is_test_boot(plan) && !plan_is_stranded(plan)) {
		plan_return(plan);
		return true;
	}
	if (removes_entries && state->has_entries && state->remove_failures < PLAN_TRIES_MAX) {
		plan_act(plan, ACTION_REMOVE);
		return true;
	}
	return false;
}
