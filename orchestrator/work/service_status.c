// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a job is, and what happened in it so far: `abbot status` and `abbot log`.
 * Read only.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/describe.h"
#include "orchestrator/work/service_internal.h"
#include "queue/design.h"

static double mean_of(const struct boot_values *bench)
{
	double sum = 0;

	for (int i = 0; i < bench->n_values; i++)
		sum += bench->values[i];
	return bench->n_values ? sum / bench->n_values : 0;
}

/* "mean 38.133", or "toggle 38.133, single 8.201" where there are several workloads. */
static void say_means(struct text_buffer *text, const struct run_state *state,
		      const struct boot_state *boot)
{
	size_t n = job_n_benches(&state->job);

	for (size_t i = 0; i < n; i++)
		text_printf(text, "%s%s %.3f", i ? ", " : "",
			    n > 1 ? job_bench_at(&state->job, i).name : "mean",
			    mean_of(&boot->benches[i]));
}

static json_t *boots_json(const struct service_job *job)
{
	json_t *boots = json_array();

	for (int i = 0; i < job->state.n_boots; i++) {
		const struct boot_state *boot = &job->state.boots[i];
		char point[64];

		(void)json_array_append_new(
			boots,
			json_pack("{s:s, s:b, s:i, s:i, s:o}", "point",
				  describe_point(&job->state.job, boot->point, point, sizeof(point)),
				  "is_complete", boot_state_is_complete(boot) ? 1 : 0, "attempt",
				  boot->attempt, "processes", boot->n_processes, "mean",
				  boot->benches[0].n_values ? json_real(mean_of(&boot->benches[0]))
							    : json_null()));
	}
	return boots;
}

static int count_complete(const struct run_state *state)
{
	int n = 0;

	for (int i = 0; i < state->n_boots; i++)
		n += boot_state_is_complete(&state->boots[i]);
	return n;
}

static json_t *status_json(const struct service_job *job, const char *last, const json_t *plan)
{
	const struct run_state *state = &job->state;
	const json_t *steps = json_object_get(plan, "steps");
	const json_t *next = json_object_get(json_array_get(steps, 0), "what");

	return json_pack("{s:I, s:s, s:s, s:s?, s:b, s:b, s:b, s:i, s:i, s:s, s:O?, s:O?, s:o, s:o}",
			 "id", (json_int_t)job->row.id, "name", job->row.name, "status",
			 job_status_name(state->status), "reason", state->reason, "is_ended",
			 run_state_is_ended(state) ? 1 : 0, "is_emulated",
			 job->row.is_emulated ? 1 : 0, "is_cancel_requested",
			 state->is_cancel_requested ? 1 : 0, "boots_complete", count_complete(state),
			 "boots_expected", design_of(&state->job)->expected_boots(state), "last",
			 last, "next", next, "left_s", json_object_get(plan, "total_s"), "boots",
			 boots_json(job), "watch", service_watch_json(job, plan));
}

static void say_boots(struct text_buffer *text, const struct service_job *job)
{
	const struct run_state *state = &job->state;
	int expected = design_of(&state->job)->expected_boots(state);

	for (int i = 0; i < state->n_boots; i++) {
		const struct boot_state *boot = &state->boots[i];
		int64_t n = job_n_processes(&state->job);
		char point[64];

		text_printf(text, "  boot %d of %d (%s): ", i + 1, expected,
			    describe_point(&state->job, boot->point, point, sizeof(point)));
		if (boot_state_is_complete(boot))
			text_append(text, "measured, ");
		if (boot_state_is_complete(boot))
			say_means(text, state, boot);
		else
			text_printf(text, "%d of %lld processes", boot->n_processes, (long long)n);
		text_append(text, "\n");
	}
}

static void say_outlook(struct text_buffer *text, const struct run_state *state)
{
	struct bisect_outlook outlook;

	if (!state->bisect || run_state_is_ended(state))
		return;
	outlook = bisect_outlook_make(state);
	text_printf(text, "  search: %zu of %zu commits suspected; about %d boots and %d builds to go\n",
		    outlook.n_suspects, state->bisect->n, outlook.boots_left, outlook.builds_left);
}

static char *status_text(const struct service_job *job, const char *last, const json_t *plan)
{
	struct text_buffer text = { 0 };
	const struct run_state *state = &job->state;
	const json_t *steps = json_object_get(plan, "steps");
	const char *next = json_string_value(json_object_get(json_array_get(steps, 0), "what"));
	char left[32];

	text_printf(&text, "job %lld: %s: %s%s\n", (long long)job->row.id, job->row.name,
		    job_status_name(state->status),
		    state->is_cancel_requested && !run_state_is_ended(state) ? ", being cancelled"
									   : "");
	if (state->reason && state->reason[0])
		text_printf(&text, "  why:  %s\n", state->reason);
	say_boots(&text, job);
	say_outlook(&text, state);
	text_printf(&text, "  last: %s\n", last);
	if (run_state_is_ended(state))
		return text_buffer_take(&text);
	if (next)
		text_printf(&text, "  next: %s\n", next);
	text_printf(&text, "  left: about %s\n",
		    text_duration(json_number_value(json_object_get(plan, "total_s")), left,
				  sizeof(left)));
	return text_buffer_take(&text);
}

int service_status(const struct service *service, const json_t *request, json_t **ret_reply,
		   struct error *err)
{
	_cleanup_service_job_ struct service_job job = { 0 };
	_cleanup_json_ json_t *plan = NULL;
	_cleanup_free_ char *last = NULL, *text = NULL;
	int r = service_job_load(service, request, &job, err);

	if (r < 0)
		return r;
	plan = service_plan_make(service, &job, true);
	last = describe_event(&job.state.job, &job.events.events[job.events.n_events - 1]);
	text = status_text(&job, last, plan);
	*ret_reply = json_pack("{s:o, s:s}", "status", status_json(&job, last, plan), "text", text);
	return 0;
}

static void log_line_of(struct text_buffer *text, const struct event *event, const char *words)
{
	time_t at = (time_t)(event->at_ns / 1000000000);
	char when[32] = "";
	struct tm local;

	if (localtime_r(&at, &local))
		(void)strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &local);
	text_printf(text, "%s  %s\n", when, words);
}

static json_t *event_json(const struct event *event, const char *words)
{
	json_t *json = event_to_json(event);

	(void)json_object_set_new(json, "text", json_string(words));
	/* A line of commits is as long as history; the bisection's own log names those that matter. */
	if (event->kind == EVENT_RANGE && json_object_get(event->data, "ids")) {
		json_t *without = json_copy(event->data);

		(void)json_object_del(without, "ids");
		(void)json_object_set_new(json, "data", without);
	}
	return json;
}

int service_log(const struct service *service, const json_t *request, json_t **ret_reply,
		struct error *err)
{
	_cleanup_service_job_ struct service_job job = { 0 };
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_json_ json_t *events = json_array();
	const json_t *boot = json_object_get(request, "boot");
	const char *bisect = json_string_value(json_object_get(request, "bisect"));
	int r = service_job_load(service, request, &job, err);

	if (r < 0)
		return r;
	if (boot)
		return service_boot_log(service, &job, json_integer_value(boot), ret_reply, err);
	if (bisect)
		return service_bisect_log(&job, bisect, ret_reply, err);
	for (size_t i = 0; i < job.events.n_events; i++) {
		const struct event *event = &job.events.events[i];
		_cleanup_free_ char *words = describe_event(&job.state.job, event);

		log_line_of(&text, event, words);
		(void)json_array_append_new(events, event_json(event, words));
	}
	*ret_reply = json_pack("{s:O, s:s}", "events", events, "text", text.text);
	return 0;
}
