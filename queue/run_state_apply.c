// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One more event: a table of small functions, and what the kinds that concern the job
 * and its points change. Events that contradict each other are -EBADMSG: the store is
 * our own and must make sense.
 */
#include "queue/run_state_bisect.h"
#include "queue/run_state_internal.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static int apply_submitted(struct run_state *state, const struct event *event,
			   struct error *err)
{
	struct job job;
	int r = job_from_json(json_object_get(event->data, "job"), &job, err);

	if (r < 0)
		return r;
	job_done(&state->job);
	state->job = job;
	state->job_id = event->job;
	return 0;
}

/* As it was before the first boot: later ones would count twice. */
static void take_history(struct run_state *state, const json_t *history)
{
	double s0 = json_number_value(json_object_get(history, "s0"));
	double nu0 = json_number_value(json_object_get(history, "nu0"));

	if (state->n_boots == 0 && isfinite(s0) && isfinite(nu0) && s0 >= 0 && nu0 > 0)
		state->history = (struct interval_history){ .s0 = s0, .nu0 = nu0 };
}

static int apply_begin(struct run_state *state, const struct event *event, struct error *err)
{
	(void)err;
	take_history(state, json_object_get(event->data, "history"));
	state->has_begun = true;
	/* Paused while the machine was looked at: it stays so. */
	if (state->status != JOB_PAUSED)
		state->status = JOB_RUNNING;
	copy_text(state->default_build_id, sizeof(state->default_build_id),
		  data_text(event, "build_id"));
	return 0;
}

static int apply_configure(struct run_state *state, const struct event *event,
			   struct error *err)
{
	const char *failure = result_error(event);

	(void)err;
	if (event->phase != EVENT_RESULT)
		return 0;
	if (failure)
		replace_text(&state->configure_error, failure);
	else
		state->is_configured = true;
	return 0;
}

static int apply_build(struct run_state *state, const struct event *event, struct error *err)
{
	struct point_state *point = point_of(state, event);
	const char *failure = result_error(event);

	if (!point)
		return error_set(err, -EBADMSG, "build event %lld names no point of the job",
				 (long long)event->sequence);
	if (event->phase != EVENT_RESULT)
		return 0;
	if (failure) {
		point->phase = POINT_BUILD_FAILED;
		point->is_passed_over = state->bisect && event->point > BISECT_BAD &&
					json_boolean_value(json_object_get(event->data, "of_commit"));
		replace_text(&point->failure, failure);
		return 0;
	}
	point->phase = POINT_BUILT;
	copy_text(point->kernel_key, sizeof(point->kernel_key), data_text(event, "key"));
	copy_text(point->build_id, sizeof(point->build_id), data_text(event, "build_id"));
	copy_text(point->release, sizeof(point->release), data_text(event, "release"));
	copy_text(point->code_id, sizeof(point->code_id), data_text(event, "code_id"));
	return 0;
}

static int apply_install(struct run_state *state, const struct event *event,
			 struct error *err)
{
	struct point_state *point = point_of(state, event);
	const char *failure = result_error(event);

	if (!point)
		return error_set(err, -EBADMSG, "install event %lld names no point of the job",
				 (long long)event->sequence);
	state->has_entries = true;
	if (event->phase != EVENT_RESULT)
		return 0;
	if (failure) {
		replace_text(&point->failure, failure);
		return 0;
	}
	point->phase = POINT_INSTALLED;
	copy_text(point->entry, sizeof(point->entry), data_text(event, "entry"));
	return 0;
}

static int apply_nothing(struct run_state *state, const struct event *event,
			 struct error *err)
{
	(void)state;
	(void)event;
	(void)err;
	return 0;
}

static int apply_return(struct run_state *state, const struct event *event, struct error *err)
{
	(void)err;
	if (event->phase == EVENT_INTENT) {
		if (strcmp(state->return_boot_id, event->boot_id) != 0) {
			state->return_failures = 0;
			state->n_return_boots++;
		}
		copy_text(state->return_boot_id, sizeof(state->return_boot_id), event->boot_id);
		state->n_reboots++;
		return 0;
	}
	state->return_asked_s = event_seconds(event);
	if (result_error(event))
		state->return_failures++;
	return 0;
}

static int apply_remove(struct run_state *state, const struct event *event, struct error *err)
{
	const char *failure = result_error(event);

	(void)err;
	if (event->phase != EVENT_RESULT)
		return 0;
	if (failure) {
		state->remove_failures++;
		replace_text(&state->remove_error, failure);
		return 0;
	}
	state->has_entries = false;
	for (size_t i = 0; state->bisect && i < state->job.n_points; i++)
		if (state->points[i].phase == POINT_INSTALLED)
			state->points[i].phase = POINT_BUILT;
	replace_text(&state->remove_error, NULL);
	return 0;
}

static int apply_pause(struct run_state *state, const struct event *event, struct error *err)
{
	(void)err;
	if (state->status != JOB_PAUSED)
		state->is_unbegun_pause = state->status == JOB_QUEUED;
	state->status = JOB_PAUSED;
	replace_text(&state->reason, data_text(event, "reason"));
	for (int i = 0; i < state->n_boots; i++)
		state->boots[i].was_paused = true;
	return 0;
}

static int apply_resume(struct run_state *state, const struct event *event, struct error *err)
{
	(void)event;
	(void)err;
	state->status = state->is_unbegun_pause ? JOB_QUEUED : JOB_RUNNING;
	/* Whoever resumes has looked at the machine: what runs now may be a new default. */
	state->has_begun = false;
	state->consecutive_fallbacks = 0;
	state->n_return_boots = 0;
	state->remove_failures = 0;
	replace_text(&state->reason, NULL);
	replace_text(&state->stop_reason, NULL);
	return 0;
}

static int apply_cancel(struct run_state *state, const struct event *event, struct error *err)
{
	(void)err;
	state->is_cancel_requested = true;
	replace_text(&state->cancel_by, data_text(event, "by"));
	return 0;
}

static int apply_end(struct run_state *state, const struct event *event, struct error *err)
{
	const char *word = data_text(event, "status");

	for (enum job_status status = JOB_DONE; status <= JOB_CANCELLED; status++) {
		if (strcmp(word, job_status_name(status)) == 0) {
			state->status = status;
			replace_text(&state->reason, data_text(event, "reason"));
			return 0;
		}
	}
	return error_set(err, -EBADMSG, "event %lld ends the job in an unknown way: %s",
			 (long long)event->sequence, word);
}

int run_state_apply(struct run_state *state, const struct event *event, struct error *err)
{
	static int (*const apply[EVENT_KIND_COUNT])(struct run_state *, const struct event *,
						    struct error *) = {
		[EVENT_SUBMITTED] = apply_submitted, [EVENT_BEGIN] = apply_begin,
		[EVENT_CONFIGURE] = apply_configure, [EVENT_BUILD] = apply_build,
		[EVENT_INSTALL] = apply_install,     [EVENT_HOP] = run_state_apply_hop,
		[EVENT_ARM] = run_state_apply_arm,             [EVENT_REBOOT] = run_state_apply_reboot,
		[EVENT_VERIFY] = run_state_apply_verify,       [EVENT_PROFILE] = run_state_apply_profile,
		[EVENT_MEASURE] = run_state_apply_measure,     [EVENT_RESTORE] = run_state_apply_restore,
		[EVENT_DIAGNOSE] = run_state_apply_diagnose,   [EVENT_EVIDENCE] = run_state_apply_evidence,
		[EVENT_DISARM] = apply_nothing,      [EVENT_RETURN] = apply_return,
		[EVENT_REMOVE] = apply_remove,       [EVENT_PAUSE] = apply_pause,
		[EVENT_RESUME] = apply_resume,       [EVENT_CANCEL] = apply_cancel,
		[EVENT_END] = apply_end,             [EVENT_RANGE] = run_state_apply_range,
		[EVENT_SELECT] = run_state_apply_select, [EVENT_SKIP] = run_state_apply_skip,
	};
	int r;

	if ((unsigned int)event->kind >= EVENT_KIND_COUNT)
		return error_set(err, -EBADMSG, "event %lld is of an unknown kind",
				 (long long)event->sequence);
	if (run_state_is_ended(state))
		return error_set(err, -EBADMSG, "event %lld comes after the job's end",
				 (long long)event->sequence);
	r = apply[event->kind](state, event, err);
	if (r == 0 && state->bisect)
		run_state_bisect_feed(state);
	return r;
}
