// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses the job and asks the planner. A job that holds the machine (its kernel may
 * run right now) goes before every other, whatever its number.
 */
#include "orchestrator/daemon/step.h"

#include <string.h>

#include "common/cleanup.h"

struct choice {
	int64_t holder;          /* job that last touched the machine and has not ended; 0 */
	int64_t holder_sequence;
	bool is_holder_paused;
	int64_t waiting;         /* lowest number that may begin; 0 */
	int n_jobs;
};

static int load(struct store *store, int64_t id, struct event_list *ret_events,
		struct run_state *ret_state, struct error *err)
{
	int r = store_load_events(store, id, ret_events, err);

	if (r < 0)
		return r;
	r = run_state_fold(ret_state, ret_events, err);
	if (r < 0)
		return error_prefix(err, r, "job %lld", (long long)id);
	return 0;
}

/* The last event that the daemon itself wrote for the job; 0: it never touched anything. */
static int64_t last_touch(const struct event_list *events)
{
	for (size_t i = events->n_events; i > 0; i--) {
		const struct event *event = &events->events[i - 1];

		if (event->phase != EVENT_NOTE || event->kind == EVENT_BEGIN)
			return event->sequence;
	}
	return 0;
}

static int consider(struct store *store, int64_t id, struct choice *choice, bool *ret_is_ended,
		    struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state = { 0 };
	int64_t touched;
	int r = load(store, id, &events, &state, err);

	if (r < 0)
		return r;
	*ret_is_ended = run_state_is_ended(&state);
	if (*ret_is_ended)
		return 0;
	touched = last_touch(&events);
	if (touched > choice->holder_sequence) {
		choice->holder = id;
		choice->holder_sequence = touched;
		choice->is_holder_paused = state.status == JOB_PAUSED && !state.is_cancel_requested;
	}
	if (!choice->waiting && (state.status != JOB_PAUSED || state.is_cancel_requested))
		choice->waiting = id;
	return 0;
}

static int choose(struct store *store, int64_t *ended_up_to, struct choice *ret_choice,
		  struct error *err)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	struct choice choice = { 0 };
	bool all_ended = true;
	int r = store_list_jobs(store, &list, err);

	for (size_t i = 0; r == 0 && i < list.n_jobs; i++) {
		const struct store_job *job = &list.jobs[i];
		bool is_ended = true;

		if (!job->is_emulated) {
			choice.n_jobs++;
			if (job->id > *ended_up_to)
				r = consider(store, job->id, &choice, &is_ended, err);
		}
		all_ended = all_ended && is_ended;
		if (r == 0 && all_ended && job->id > *ended_up_to)
			*ended_up_to = job->id;
	}
	if (r == 0)
		*ret_choice = choice;
	return r;
}

static int plan_job(struct store *store, int64_t id, struct step *step, struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	int r;

	run_state_done(&step->state);
	r = load(store, id, &events, &step->state, err);
	if (r < 0)
		return r;
	plan_next(&step->state, &step->observation, &step->action);
	return step->action.kind != ACTION_IDLE;
}

int step_plan(struct store *store, const struct ports *ports, int64_t *ended_up_to,
	      struct step *ret_step, struct error *err)
{
	struct step step = { 0 };
	struct choice choice = { 0 };
	int r = choose(store, ended_up_to, &choice, err);

	if (r < 0)
		return r;
	step.action.kind = ACTION_IDLE;
	step.n_jobs = choice.n_jobs;
	if (choice.holder || choice.waiting)
		r = ports->observe(ports->context, &step.observation, err);
	if (r == 0 && choice.holder) {
		r = plan_job(store, choice.holder, &step, err);
		/* Idle with a time set: it waits for its own reboot, nobody may come between. */
		step.can_run = r > 0 || !choice.is_holder_paused || step.action.wake_at_s > 0;
	}
	if (r == 0 && !step.can_run && choice.waiting) {
		r = plan_job(store, choice.waiting, &step, err);
		step.can_run = true;
	}
	if (r < 0) {
		step_done(&step);
		return r;
	}
	*ret_step = step;
	return r;
}

void step_done(struct step *step)
{
	run_state_done(&step->state);
	memset(step, 0, sizeof(*step));
}
