// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared by the planner's three files: plan.c (the order of things), plan_boot.c (one
 * boot of the design), plan_ending.c (why a job ends, and leaving the machine clean).
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
