// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is left of a job, step by step, and how long it takes: durations learned from
 * events, else stated assumptions. Only says; the planner (queue/plan.h) decides.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/describe.h"
#include "orchestrator/work/estimate.h"
#include "orchestrator/work/service_internal.h"
#include "queue/design.h"

#define HISTORY_JOBS_MAX 10

/* Own job first, then the newest others of the same kind, until everything is known. */
static void learn(const struct service *service, const struct service_job *job,
		  bool with_history, struct estimates *estimates)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	int n_read = 0;

	estimates_init(estimates);
	estimates_learn(estimates, &job->events);
	if (!with_history || store_list_jobs(service->store, &list, NULL) < 0)
		return;
	for (size_t i = list.n_jobs; i > 0 && n_read < HISTORY_JOBS_MAX; i--) {
		_cleanup_(event_list_done) struct event_list events = { 0 };
		const struct store_job *row = &list.jobs[i - 1];

		if (estimates_are_complete(estimates))
			return;
		if (row->id == job->row.id || row->is_emulated != job->row.is_emulated)
			continue;
		if (store_load_events(service->store, row->id, &events, NULL) == 0)
			estimates_learn(estimates, &events);
		n_read++;
	}
}

static void add_step(json_t *steps, double *total_s, double seconds, char *what)
{
	(void)json_array_append_new(steps,
				    json_pack("{s:s, s:f}", "what", what, "seconds", seconds));
	*total_s += seconds;
	free(what);
}

static void add_preparation(const struct service_job *job, const struct estimates *estimates,
			    json_t *steps, double *total_s)
{
	const struct run_state *state = &job->state;
	bool is_first = true;

	if (!state->is_configured)
		add_step(steps, total_s, ESTIMATE_CONFIGURE_S,
			 text_format("make and compare the kernel configurations"));
	for (size_t i = 0; i < state->job.n_points; i++) {
		const struct job_point *point = &state->job.points[i];
		char commit[13];

		if (state->points[i].phase == POINT_BUILT || state->points[i].phase == POINT_INSTALLED)
			is_first = false;
		if (state->points[i].phase != POINT_RESOLVED)
			continue;
		add_step(steps, total_s,
			 (is_first ? &estimates->build : &estimates->rebuild)->seconds,
			 text_format("build %s %s%s, unless the kernel store has it", point->name,
				     describe_commit(point->commit, commit),
				     point->changes.n ? " with its changes" : ""));
		is_first = false;
	}
	for (size_t i = 0; i < state->job.n_points; i++)
		if (state->points[i].phase == POINT_RESOLVED || state->points[i].phase == POINT_BUILT)
			add_step(steps, total_s, ESTIMATE_INSTALL_S,
				 text_format("install %s beside the default kernel",
					     state->job.points[i].name));
}

/* Which commits is not known yet, how many roughly. */
static void add_builds(const struct service_job *job, const struct estimates *estimates,
		       json_t *steps, double *total_s)
{
	struct bisect_outlook outlook;

	if (job->state.job.design != JOB_DESIGN_BISECT)
		return;
	outlook = bisect_outlook_make(&job->state);
	if (outlook.builds_left > 0)
		add_step(steps, total_s,
			 outlook.builds_left * (estimates->rebuild.seconds + ESTIMATE_INSTALL_S +
						estimates->boot.seconds),
			 text_format("build about %d commits between, each on the default kernel",
				     outlook.builds_left));
}

/* One boot of the design, or what is left of it when it runs already. */
static void add_boot(const struct service_job *job, int ordinal, int n_boots,
		     const struct estimates *estimates, json_t *steps, double *total_s)
{
	const struct run_state *state = &job->state;
	const struct boot_state *boot = ordinal < state->n_boots ? &state->boots[ordinal] : NULL;
	int64_t n_left = job_n_processes(&state->job);
	int point = boot ? boot->point
			 : design_of(&state->job)->point(&state->job, ordinal);
	bool is_up = boot && (boot->phase == BOOT_VERIFIED || boot->phase == BOOT_PROFILED);
	double seconds = 0;
	char name[64];

	if (boot && is_up)
		n_left -= boot->n_processes;
	else
		seconds += estimates->boot.seconds;
	if (!is_up || boot->phase == BOOT_VERIFIED)
		seconds += (double)state->job.boot.settle_s;
	seconds += (double)n_left * estimates->process.seconds;
	(void)describe_point(&state->job, point, name, sizeof(name));
	add_step(steps, total_s, seconds,
		 is_up ? text_format("boot %d of %d (%s): measure %lld more processes", ordinal + 1,
				     n_boots, name, (long long)n_left)
		       : text_format("boot %d of %d (%s): reboot, settle %lld s, measure %lld "
				     "processes", ordinal + 1, n_boots, name,
				     (long long)state->job.boot.settle_s, (long long)n_left));
}

static json_t *make_basis(const struct estimates *estimates)
{
	const struct { const char *what; const struct estimate *estimate; } rows[] = {
		{ "a first build", &estimates->build },
		{ "a further build", &estimates->rebuild },
		{ "a reboot", &estimates->boot },
		{ "a process", &estimates->process },
	};
	json_t *basis = json_array();

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char duration[32];
		_cleanup_free_ char *text = text_format(
			"%s: %s, %s", rows[i].what,
			text_duration(rows[i].estimate->seconds, duration, sizeof(duration)),
			rows[i].estimate->n ? "as seen here" : "assumed");

		(void)json_array_append_new(basis, json_string(text));
	}
	return basis;
}

json_t *service_plan_make(const struct service *service, const struct service_job *job,
			  bool with_history)
{
	const struct run_state *state = &job->state;
	json_t *steps = json_array();
	struct estimates estimates;
	double total_s = 0;

	learn(service, job, with_history, &estimates);
	if (!run_state_is_ended(state) && !state->is_cancel_requested) {
		int n_boots = design_of(&state->job)->expected_boots(state);

		add_preparation(job, &estimates, steps, &total_s);
		add_builds(job, &estimates, steps, &total_s);
		for (int i = 0; i < n_boots; i++)
			if (i >= state->n_boots || !boot_state_is_over(&state->boots[i]))
				add_boot(job, i, n_boots, &estimates, steps, &total_s);
	}
	if (!run_state_is_ended(state)) {
		add_step(steps, &total_s, state->n_boots || !state->is_cancel_requested
						  ? estimates.boot.seconds : 0,
			 text_format("go back to the default kernel, restore what was changed"));
	}
	return json_pack("{s:I, s:o, s:f, s:o}", "job", (json_int_t)job->row.id, "steps", steps,
			 "total_s", total_s, "basis", make_basis(&estimates));
}

static char *plan_text(const struct service_job *job, const json_t *plan)
{
	struct text_buffer text = { 0 };
	char duration[32];
	size_t i;
	json_t *step;

	text_printf(&text, "job %lld: %s\n", (long long)job->row.id, job->row.name);
	if (run_state_is_ended(&job->state)) {
		text_printf(&text, "  nothing is left to do: it is %s\n",
			    job_status_name(job->state.status));
		return text_buffer_take(&text);
	}
	json_array_foreach(json_object_get(plan, "steps"), i, step)
		text_printf(&text, "  %2zu. %-63s %s\n", i + 1,
			    json_string_value(json_object_get(step, "what")),
			    text_duration(json_number_value(json_object_get(step, "seconds")),
					  duration, sizeof(duration)));
	text_printf(&text, "  In all about %s.\n",
		    text_duration(json_number_value(json_object_get(plan, "total_s")), duration,
				  sizeof(duration)));
	json_array_foreach(json_object_get(plan, "basis"), i, step)
		text_printf(&text, "  %s %s\n", i ? "              " : "Reckoned with:",
			    json_string_value(step));
	return text_buffer_take(&text);
}

int service_plan(const struct service *service, const json_t *request, json_t **ret_reply,
		 struct error *err)
{
	_cleanup_service_job_ struct service_job job = { 0 };
	_cleanup_json_ json_t *plan = NULL;
	_cleanup_free_ char *text = NULL;
	int r = service_job_load(service, request, &job, err);

	if (r < 0)
		return r;
	plan = service_plan_make(service, &job, true);
	text = plan_text(&job, plan);
	*ret_reply = json_pack("{s:O, s:s}", "plan", plan, "text", text);
	return 0;
}
