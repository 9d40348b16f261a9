// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The daemon's loop: plan, intent, act in a child, result, again. Sleeps while the
 * child works or the planner is idle.
 */
#pragma once

#include <systemd/sd-event.h>

#include "orchestrator/daemon/options.h"
#include "orchestrator/work/ports.h"
#include "queue/store.h"

struct server;
struct loop;

/* @store, @ports and @event are borrowed and outlive the loop. */
int loop_new(sd_event *event, struct store *store, const struct ports *ports,
	     enum when_idle when_idle, struct loop **ret_loop, struct error *err);
void loop_free(struct loop *loop);

/* Closed in the children that the loop forks; may be NULL. */
void loop_set_server(struct loop *loop, const struct server *server);

/* Something changed: plan again as soon as no child works. */
void loop_wake(struct loop *loop);

/*
 * No further step. A child that builds or measures is killed; one that changes the
 * machine is waited for (at most 10 s). Then the event loop ends.
 */
void loop_stop(struct loop *loop);
