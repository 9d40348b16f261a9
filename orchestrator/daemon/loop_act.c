// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carries one step out: the intent, the act (in a child when it touches the world), and
 * its result in the store. What comes next is for loop.c and the planner.
 */
#include "orchestrator/daemon/loop_internal.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "orchestrator/daemon/loop_say.h"
#include "orchestrator/daemon/server.h"

/* A measurement's own limit ends it first; this is for a child that cannot. */
#define MEASURE_MARGIN_S 60

void loop_free_step(struct step **step)
{
	if (!*step)
		return;
	step_done(*step);
	free(*step);
	*step = NULL;
}

/* The result is appended; then the next step, at once or after a pause. */
static void finish_step(struct loop *loop, int status, json_t *result,
			const struct error *act_error)
{
	struct step *step = loop->step;
	struct error err = { 0 };
	int r = executor_finish(loop->store, loop->ports, &step->state, &step->observation,
				&step->action, status, result, act_error, &err);

	say_result(step, status, result, act_error);
	if (r < 0) {
		loop_fail(loop, "cannot record what was done", &err);
	} else if (status < 0) {
		(void)loop_back_off(loop); /* recorded: what follows from it is the planner's */
	} else {
		loop->n_failures = 0;
		loop_wake(loop);
	}
	loop->step = NULL;
	loop_free_step(&step);
	(void)malloc_trim(0);
}

static int on_output(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	struct loop *loop = userdata;
	_cleanup_json_ json_t *result = NULL;
	struct error act_error = { 0 };
	int r;

	(void)source;
	(void)fd;
	(void)revents;
	if (loop->usage_after.n_switches == 0)
		loop->usage_after = usage_read();
	r = worker_read(&loop->worker);
	if (r == 0)
		return 0;
	loop->output = sd_event_source_disable_unref(loop->output);
	if (r < 0) {
		worker_kill(&loop->worker);
		r = error_set_errno(&act_error, r, "its outcome cannot be read");
	} else {
		r = worker_finish(&loop->worker, &result, &act_error);
	}
	watchdog_uncover(&loop->watchdog);
	if (loop->step->action.kind == ACTION_MEASURE && result)
		(void)json_object_set_new(result, "daemon",
					  usage_to_json(&loop->usage_before, &loop->usage_after));
	finish_step(loop, r, result, &act_error);
	if (loop->is_stopping)
		(void)sd_event_exit(loop->event, 0);
	return 0;
}

static void abandon_server(void *context)
{
	server_abandon(context);
}

/* What only makes an event is done here; what touches the world, in a child. */
static bool needs_child(enum action_kind kind)
{
	switch (kind) {
	case ACTION_IDLE:
	case ACTION_HOP:
	case ACTION_VERIFY:
	case ACTION_SKIP:
	case ACTION_PAUSE:
	case ACTION_END:
		return false;
	case ACTION_BEGIN:
	case ACTION_RANGE:
	case ACTION_SELECT:
	case ACTION_CONFIGURE:
	case ACTION_BUILD:
	case ACTION_INSTALL:
	case ACTION_ARM:
	case ACTION_REBOOT:
	case ACTION_PROFILE:
	case ACTION_MEASURE:
	case ACTION_DIAGNOSE:
	case ACTION_EVIDENCE:
	case ACTION_RESTORE:
	case ACTION_DISARM:
	case ACTION_RETURN:
	case ACTION_REMOVE:
		return true;
	}
	return true;
}

static int start_child(struct loop *loop, struct error *err)
{
	const struct step *step = loop->step;
	int r;

	if (step->action.kind == ACTION_MEASURE)
		watchdog_cover(&loop->watchdog,
			       step->state.job.measure.timeout_s + MEASURE_MARGIN_S);
	if (step->action.kind == ACTION_DIAGNOSE)
		watchdog_cover(&loop->watchdog,
			       2 * (step->state.job.measure.timeout_s + MEASURE_MARGIN_S));
	r = worker_start(&loop->worker, loop->ports, &step->state, &step->observation,
			 &step->action, abandon_server, (void *)(uintptr_t)loop->server, err);
	if (r < 0)
		return r;
	r = sd_event_add_io(loop->event, &loop->output, loop->worker.fd, EPOLLIN, on_output, loop);
	if (r < 0) {
		worker_kill(&loop->worker);
		return error_set_errno(err, r, "cannot watch the child process");
	}
	loop->usage_before = usage_read();
	loop->usage_after = (struct usage){ 0 };
	return 0;
}

void loop_carry_out(struct loop *loop)
{
	struct step *step = loop->step;
	_cleanup_json_ json_t *result = NULL;
	struct error err = { 0 };
	int r;

	say_intent(step);
	r = executor_begin(loop->store, loop->ports, &step->state, &step->observation,
			   &step->action, &err);
	if (r == 0 && needs_child(step->action.kind)) {
		r = start_child(loop, &err);
		if (r == 0)
			return;
		watchdog_uncover(&loop->watchdog);
	} else if (r == 0) {
		r = executor_act(loop->ports, &step->state, &step->observation, &step->action,
				 &result, &err);
		finish_step(loop, r, result, &err);
		return;
	}
	loop_fail(loop, action_kind_name(step->action.kind), &err);
	loop_free_step(&loop->step);
}
