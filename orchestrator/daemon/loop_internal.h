// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What loop.c, loop_act.c and loop_timer.c share. Nobody else includes this.
 */
#pragma once

#include <systemd/sd-event.h>

#include "common/error.h"
#include "orchestrator/daemon/loop.h"
#include "orchestrator/daemon/step.h"
#include "orchestrator/daemon/usage.h"
#include "orchestrator/daemon/watchdog.h"
#include "orchestrator/daemon/worker.h"

#define LOOP_USEC_PER_S 1000000u
#define LOOP_TIMER_ACCURACY_US 50000

struct loop {
	sd_event *event;
	struct store *store;
	const struct ports *ports;
	enum when_idle when_idle;
	const struct server *server;
	struct watchdog watchdog;
	sd_event_source *step_source; /* runs the next step */
	sd_event_source *timer;
	sd_event_source *output;
	struct worker worker;
	struct step *step;            /* the one that a child carries out; NULL */
	struct usage usage_before;    /* when the child was started */
	struct usage usage_after;     /* when it first answered */
	int64_t ended_up_to;
	int n_failures;               /* in a row */
	bool is_stopping;
	bool is_leaving;              /* power-off or exit was asked for: nothing more to do */
};

/* loop_act.c: begins loop->step; its end is told to the loop, now or when its child ends. */
void loop_carry_out(struct loop *loop);
/* loop_act.c: frees the step and forgets it; there may be none. */
void loop_free_step(struct step **step);

void loop_drop_timer(struct loop *loop);
/* The next step by the wall clock, as the planner reckons; at least a second ahead, never spinning. */
void loop_wake_at(struct loop *loop, int64_t wall_s);
/* The next step after a failure comes later, and later still after the next; how much later, in s. */
int64_t loop_back_off(struct loop *loop);
/* As loop_back_off(), and says what failed. */
void loop_fail(struct loop *loop, const char *what, const struct error *err);
