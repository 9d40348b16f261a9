// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which job is next, and what is to be done in it: replay, observe, plan. Nothing is
 * kept between two steps but how far the queue has ended.
 */
#pragma once

#include "orchestrator/work/executor.h"

struct step {
	struct run_state state;
	struct observation observation;
	struct action action;
	bool can_run;   /* some job may go on without anybody's help, now or later */
	int n_jobs;     /* jobs of this machine, ended ones included */
};

/*
 * One job at a time: the one that last touched the machine, until it has ended or is
 * paused on a clean machine; then the lowest number that waits. 1: step->action is to
 * be carried out; 0: idle, action.wake_at_s says until when. Lab records never run.
 * @ended_up_to: jobs up to this number have ended; moved forward. Released by step_done().
 */
int step_plan(struct store *store, const struct ports *ports, int64_t *ended_up_to,
	      struct step *ret_step, struct error *err);
void step_done(struct step *step);
