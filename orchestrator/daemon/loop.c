// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drives the steps of step.c through the executor. Time enters only as the planner's
 * wake-up and as the pause after a failure; nothing here decides what to do.
 */
#include "orchestrator/daemon/loop_internal.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "boot/reboot.h"
#include "common/log.h"
#include "orchestrator/daemon/loop_say.h"

#define STOP_PATIENCE_S 10

static void leave(struct loop *loop)
{
	struct error err = { 0 };
	const char *method = NULL;
	int r;

	if (loop->when_idle == WHEN_IDLE_EXIT) {
		log_line(LOG_LEVEL_NOTICE, "abbotd: no job can run any more; ending");
		loop->is_leaving = true;
		(void)sd_event_exit(loop->event, 0);
		return;
	}
	log_line(LOG_LEVEL_NOTICE, "abbotd: no job can run any more; powering off");
	r = power_off_machine(&method, &err);
	if (r < 0)
		loop_fail(loop, "cannot power off", &err);
	else
		loop->is_leaving = true;
}

static void idle(struct loop *loop, const struct step *step)
{
	bool has_run_out = !step->can_run &&
			   (loop->when_idle == WHEN_IDLE_EXIT ||
			    (loop->when_idle == WHEN_IDLE_POWEROFF && step->n_jobs > 0));

	loop->n_failures = 0;
	say_idle(step);
	if (has_run_out)
		leave(loop);
	else if (step->action.wake_at_s > 0)
		loop_wake_at(loop, step->action.wake_at_s);
}

static int on_step(sd_event_source *source, void *userdata)
{
	struct loop *loop = userdata;
	struct error err = { 0 };
	int r;

	(void)source;
	loop_drop_timer(loop);
	if (loop->step || loop->is_stopping || loop->is_leaving)
		return 0;
	loop->step = calloc(1, sizeof(*loop->step));
	if (!loop->step)
		r = error_set(&err, -ENOMEM, "out of memory");
	else
		r = step_plan(loop->store, loop->ports, &loop->ended_up_to, loop->step, &err);
	if (r > 0) {
		loop_carry_out(loop);
		return 0;
	}
	if (r < 0)
		loop_fail(loop, "cannot plan", &err);
	else
		idle(loop, loop->step);
	loop_free_step(&loop->step);
	(void)malloc_trim(0);
	return 0;
}

void loop_wake(struct loop *loop)
{
	if (!loop->step || !loop->worker.pid)
		(void)sd_event_source_set_enabled(loop->step_source, SD_EVENT_ONESHOT);
}

static int on_patience_over(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct loop *loop = userdata;

	(void)source;
	(void)usec;
	return sd_event_exit(loop->event, 0);
}

void loop_stop(struct loop *loop)
{
	enum action_kind kind = loop->step ? loop->step->action.kind : ACTION_IDLE;

	if (loop->is_stopping)
		return;
	loop->is_stopping = true;
	loop_drop_timer(loop);
	/* What only costs time is done again; what changes the machine is let finish. */
	if (!loop->worker.pid || kind == ACTION_BUILD || kind == ACTION_CONFIGURE ||
	    kind == ACTION_RANGE || kind == ACTION_SELECT ||
	    kind == ACTION_MEASURE)
		(void)sd_event_exit(loop->event, 0);
	else
		(void)sd_event_add_time_relative(loop->event, &loop->timer, CLOCK_MONOTONIC,
						 STOP_PATIENCE_S * (uint64_t)LOOP_USEC_PER_S,
						 LOOP_TIMER_ACCURACY_US, on_patience_over, loop);
}

int loop_new(sd_event *event, struct store *store, const struct ports *ports,
	     enum when_idle when_idle, struct loop **ret_loop, struct error *err)
{
	struct loop *loop = calloc(1, sizeof(*loop));
	int r;

	if (!loop)
		return error_set(err, -ENOMEM, "out of memory");
	*loop = (struct loop){ .event = event, .store = store, .ports = ports,
			       .when_idle = when_idle, .worker = { .fd = -1 } };
	r = sd_event_add_defer(event, &loop->step_source, on_step, loop);
	if (r < 0) {
		free(loop);
		return error_set_errno(err, r, "cannot make the event loop");
	}
	watchdog_start(&loop->watchdog, event);
	*ret_loop = loop;
	return 0;
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	sd_event_source_disable_unref(loop->output);
	worker_kill(&loop->worker);
	loop_drop_timer(loop);
	sd_event_source_disable_unref(loop->step_source);
	loop_free_step(&loop->step);
	free(loop);
}

void loop_set_server(struct loop *loop, const struct server *server)
{
	loop->server = server;
}
