// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fold's part for bisections; used by run_state_apply.c and the planner only.
 */
#pragma once

#include "queue/run_state.h"

int run_state_apply_range(struct run_state *state, const struct event *event, struct error *err);
int run_state_apply_select(struct run_state *state, const struct event *event, struct error *err);
int run_state_apply_skip(struct run_state *state, const struct event *event, struct error *err);

/* Answers the search's requests as far as the job's points and boots can. */
void run_state_bisect_feed(struct run_state *state);
