// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drives the steps of step.c through the executor. Time enters only as the planner's
 * wake-up and as the pause after a failure; nothing here decides what to do.
 */
#include "orchestrator/daemon/loop.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "boot/reboot.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "orchestrator/daemon/loop_say.h"
#include "orchestrator/daemon/server.h"
#include "orchestrator/daemon/step.h"
#include "orchestrator/daemon/usage.h"
#include "orchestrator/daemon/watchdog.h"
#include "orchestrator/daemon/worker.h"

#define USEC_PER_S 1000000u
#define TIMER_ACCURACY_US 50000
#define BACKOFF_MAX_S 300
#define STOP_PATIENCE_S 10
/* A measurement's own limit ends it first; this is for a child that cannot. */
#define MEASURE_MARGIN_S 60

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

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	(void)source;
	(void)usec;
	loop_wake(userdata);
	return 0;
}

static void drop_timer(struct loop *loop)
{
	loop->timer = sd_event_source_disable_unref(loop->timer);
}

static void wake_after(struct loop *loop, int64_t seconds)
{
	drop_timer(loop);
	(void)sd_event_add_time_relative(loop->event, &loop->timer, CLOCK_MONOTONIC,
					 (uint64_t)seconds * USEC_PER_S, TIMER_ACCURACY_US,
					 on_timer, loop);
}

/* By the wall clock, as the planner reckons; at least a second ahead, never spinning. */
static void wake_at(struct loop *loop, int64_t wall_s)
{
	int64_t soonest_s = (int64_t)time(NULL) + 1;

	drop_timer(loop);
	if (wall_s < soonest_s)
		wall_s = soonest_s;
	(void)sd_event_add_time(loop->event, &loop->timer, CLOCK_REALTIME,
				(uint64_t)wall_s * USEC_PER_S, TIMER_ACCURACY_US, on_timer, loop);
}

/* The next step after a failure comes later, and later still after the next. */
static int64_t back_off(struct loop *loop)
{
	int64_t delay_s = loop->n_failures >= 8 ? BACKOFF_MAX_S : (int64_t)1 << loop->n_failures;

	if (loop->n_failures < 30)
		loop->n_failures++;
	wake_after(loop, delay_s);
	return delay_s;
}

static void fail(struct loop *loop, const char *what, const struct error *err)
{
	int64_t delay_s = back_off(loop);

	log_line(LOG_LEVEL_ERROR, "abbotd: %s: %s; trying again in %lld s", what, err->text,
		 (long long)delay_s);
}

static void free_step(struct step **step)
{
	if (!*step)
		return;
	step_done(*step);
	free(*step);
	*step = NULL;
}

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
		fail(loop, "cannot power off", &err);
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
		wake_at(loop, step->action.wake_at_s);
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
		fail(loop, "cannot record what was done", &err);
	} else if (status < 0) {
		(void)back_off(loop); /* recorded: what follows from it is the planner's */
	} else {
		loop->n_failures = 0;
		loop_wake(loop);
	}
	loop->step = NULL;
	free_step(&step);
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
	case ACTION_BEGIN:
	case ACTION_HOP:
	case ACTION_VERIFY:
	case ACTION_PAUSE:
	case ACTION_END:
		return false;
	case ACTION_CONFIGURE:
	case ACTION_BUILD:
	case ACTION_INSTALL:
	case ACTION_ARM:
	case ACTION_REBOOT:
	case ACTION_PROFILE:
	case ACTION_MEASURE:
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

static void carry_out(struct loop *loop)
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
	fail(loop, action_kind_name(step->action.kind), &err);
	free_step(&loop->step);
}

static int on_step(sd_event_source *source, void *userdata)
{
	struct loop *loop = userdata;
	struct error err = { 0 };
	int r;

	(void)source;
	drop_timer(loop);
	if (loop->step || loop->is_stopping || loop->is_leaving)
		return 0;
	loop->step = calloc(1, sizeof(*loop->step));
	if (!loop->step)
		r = error_set(&err, -ENOMEM, "out of memory");
	else
		r = step_plan(loop->store, loop->ports, &loop->ended_up_to, loop->step, &err);
	if (r > 0) {
		carry_out(loop);
		return 0;
	}
	if (r < 0)
		fail(loop, "cannot plan", &err);
	else
		idle(loop, loop->step);
	free_step(&loop->step);
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
	drop_timer(loop);
	/* What only costs time is done again; what changes the machine is let finish. */
	if (!loop->worker.pid || kind == ACTION_BUILD || kind == ACTION_CONFIGURE ||
	    kind == ACTION_MEASURE)
		(void)sd_event_exit(loop->event, 0);
	else
		(void)sd_event_add_time_relative(loop->event, &loop->timer, CLOCK_MONOTONIC,
						 STOP_PATIENCE_S * (uint64_t)USEC_PER_S,
						 TIMER_ACCURACY_US, on_patience_over, loop);
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
	drop_timer(loop);
	sd_event_source_disable_unref(loop->step_source);
	free_step(&loop->step);
	free(loop);
}

void loop_set_server(struct loop *loop, const struct server *server)
{
	loop->server = server;
}
