// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared by the planner's files: plan.c (the order of things), plan_boot.c (one boot of
 * the design), plan_bisect.c (what a bisection does beside), plan_ending.c (why a job ends,
 * and leaving the machine clean).
 */
#pragma once

#include <stdbool.h>

#include "queue/design.h"
#include "queue/plan.h"

/* Everything the planner's parts look at and write to. */
struct plan {
	const struct run_state *state;
	const struct observation *seen;
	struct action *action;
};

void plan_act(const struct plan *plan, enum action_kind kind);
void plan_idle_until(const struct plan *plan, int64_t wake_at_s);

/* A kernel of ours runs under test: its command line carries a token. */
bool plan_is_test_boot(const struct plan *plan);
/* The boot whose hop is open, or NULL. */
const struct boot_state *plan_open_hop(const struct run_state *state);

/* plan_boot.c: arms, reboots and verifies an open hop; true when it chose an action. */
bool plan_open_hop_step(const struct plan *plan);
/* plan_boot.c: the next step of the experiment, once every point is installed. */
void plan_experiment_step(const struct plan *plan);
/*
 * plan_boot.c: the last boot is measured, runs, and has not been diagnosed as the job wants. Should the
 * daemon die of the first try there is a second, and no third.
 */
bool plan_wants_diagnosis(const struct plan *plan);

/*
 * plan_boot.c: keeps the evidence of the last boot's last attempt, once: before that boot is left,
 * or after it was lost or never came up. True when it chose that.
 */
bool plan_evidence_step(const struct plan *plan);

/* plan_ending.c: must the job end now? Fills the action's status and reason. */
bool plan_must_end(const struct plan *plan);
/* plan_ending.c: one step towards a clean machine; false when it is clean. */
bool plan_clean_step(const struct plan *plan, bool removes_entries);
/* plan.c: @kind, which is for the default kernel only, or a step towards that kernel. */
void plan_prepare(const struct plan *plan, enum action_kind kind, int point);
/* plan_bisect.c: what a bisection's next boot needs first. True when it chose an action. */
bool plan_bisect_preparation_step(const struct plan *plan);
/* plan_bisect.c: passes over a kernel that cannot be measured. True when it chose that. */
bool plan_skip_step(const struct plan *plan);
/* plan_bisect.c: boot @boot failed, and its commit may be passed over for that. */
bool plan_may_skip(const struct plan *plan, int boot);
/* plan_ending.c: the boot came up, was not measured to its end, and does not run any more. */
bool plan_is_lost(const struct plan *plan, const struct boot_state *boot);
/* plan.c: stops until somebody resumes. */
void plan_pause(const struct plan *plan, const char *reason);

/* How long a machine may take to go down after it was asked to, in seconds. */
#define PLAN_REBOOT_PATIENCE_S 180
/* How often a held machine is looked at, in seconds. */
#define PLAN_HOLD_LOOK_S 30
/* Tries to diagnose one boot. */
#define PLAN_DIAGNOSES_MAX 2
/* Tries to keep the evidence of one attempt. */
#define PLAN_EVIDENCES_MAX 2
/* Tries of a reboot, or of removing entries, before somebody must look. */
#define PLAN_TRIES_MAX 3
