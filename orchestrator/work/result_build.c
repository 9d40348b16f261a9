// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fold over a job's events into the result model. The job's life is in
 * result_build_note.c, facts and gates in result_build_facts.c, the figures in
 * reports/render.
 */
#include "orchestrator/work/result_build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/result_build_internal.h"
#include "queue/design.h"
#include "reports/render/result_finding.h"

static const char *data_text(const struct event *event, const char *key)
{
	return json_string_value(json_object_get(event->data, key));
}

void result_build_replace(char **text, const char *with)
{
	free(*text);
	*text = with && with[0] ? text_duplicate(with) : NULL;
}

void result_build_forget(struct boot_notes *notes)
{
	json_decref(notes->profile);
	json_decref(notes->environment);
	json_decref(notes->parameters);
	*notes = (struct boot_notes){ 0 };
}

static void result_builder_done(struct result_builder *builder)
{
	for (size_t i = 0; builder->notes && i < builder->result->n_boots; i++)
		result_build_forget(&builder->notes[i]);
	free(builder->notes);
	free(builder->default_release);
	free(builder->sandbox);
	json_decref(builder->not_available);
	json_decref(builder->findings);
	if (builder->has_job)
		job_done(&builder->job);
}

/* What was booted, or is to be booted at least: P and C, or a letter a kernel. */
static void fill_order(struct result_builder *builder)
{
	const struct job *job = &builder->job;
	struct result *result = builder->result;
	_cleanup_text_ struct text_buffer order = { 0 };
	int n_boots = design_first_boots(job);

	/* Of a bisection only what was booted. */
	if (job->design == JOB_DESIGN_BISECT)
		n_boots = 0;
	for (int i = 0; i < n_boots || (size_t)i < result->n_boots; i++) {
		size_t point = (size_t)i < result->n_boots ? result->boots[i].point
							   : (size_t)design_of(job)->point(job, i);
		bool is_pair = job->design == JOB_DESIGN_SANDWICH ||
			       (result->bisection && result->bisection->culprits.n);
		char letter = is_pair ? "PC"[point % 2]
								 : result_order_letter(point);

		text_append_bytes(&order, &letter, 1);
	}
	free(result->order);
	result->order = text_buffer_take(&order);
}

static int apply_hop(struct result_builder *builder, const struct event *event,
		     struct error *err)
{
	struct result *result = builder->result;
	size_t boot = (size_t)event->boot;
	struct boot_notes *notes;

	if (boot > result->n_boots || event->point < 0)
		return error_set(err, -EBADMSG, "event %lld starts boot %d, but boot %zu is next",
				 (long long)event->sequence, event->boot, result->n_boots);
	if (boot == result->n_boots) {
		notes = reallocarray(builder->notes, result->n_boots + 1, sizeof(*notes));
		if (!notes)
			return error_set(err, -ENOMEM, "out of memory");
		builder->notes = notes;
		notes[boot] = (struct boot_notes){ 0 };
		(void)result_add_boot(result, (size_t)event->point);
	}
	/* Only the last attempt counts: what an earlier one measured is forgotten. */
	result_boot_reset(&result->boots[boot]);
	result_build_forget(&builder->notes[boot]);
	result->boots[boot].attempt = event->attempt;
	return 0;
}

static void apply_verify(struct result_boot *boot, const struct event *event)
{
	const char *verdict = data_text(event, "verdict");

	if (!verdict || strcmp(verdict, "expected") != 0)
		return;
	result_build_replace(&boot->boot_id, data_text(event, "boot_id"));
	result_build_replace(&boot->build_id, data_text(event, "build_id"));
	result_build_replace(&boot->release, data_text(event, "release"));
}

static void apply_profile(struct result_builder *builder, const struct event *event)
{
	struct boot_notes *notes = &builder->notes[event->boot];

	json_decref(notes->profile);
	notes->profile = json_incref(json_object_get(event->data, "in_force"));
	json_decref(builder->not_available);
	builder->not_available = json_incref(json_object_get(event->data, "not_available"));
}

static int apply_result(struct result_builder *builder, const struct event *event,
			struct error *err)
{
	bool has_point = event->point >= 0 && (size_t)event->point < builder->result->n_points;
	bool has_boot = event->boot >= 0 && (size_t)event->boot < builder->result->n_boots;
	const char *failure = data_text(event, "error");

	if (event->kind == EVENT_BUILD && has_point)
		result_build_kernel(builder, event);
	else if (event->kind == EVENT_INSTALL && has_point && failure)
		result_build_replace(&builder->result->points[event->point].failure, failure);
	else if (event->kind == EVENT_SELECT)
		result_build_select(builder, event);
	else if (event->kind == EVENT_CONFIGURE)
		result_build_configure(builder, event);
	else if (event->kind == EVENT_VERIFY && has_boot)
		apply_verify(&builder->result->boots[event->boot], event);
	else if (event->kind == EVENT_PROFILE && has_boot && !failure)
		apply_profile(builder, event);
	else if (event->kind == EVENT_DIAGNOSE && has_boot)
		result_build_diagnosis(&builder->result->boots[event->boot], event->data);
	else if (event->kind == EVENT_EVIDENCE && has_boot)
		result_build_evidence(builder, event);
	else if (event->kind == EVENT_MEASURE && has_boot && !failure)
		return result_build_measure(builder, (size_t)event->boot, event->process,
					    event->data, err);
	return 0;
}

static int apply(struct result_builder *builder, const struct event *event, struct error *err)
{
	if (!builder->has_job && event->kind != EVENT_SUBMITTED)
		return error_set(err, -EBADMSG, "the job's events do not begin with its submission");
	switch (event->phase) {
	case EVENT_NOTE:
		return result_build_note(builder, event, err);
	case EVENT_RESULT:
		return apply_result(builder, event, err);
	case EVENT_INTENT:
		if (event->kind == EVENT_HOP && event->boot >= 0 &&
		    (size_t)event->point < builder->result->n_points)
			return apply_hop(builder, event, err);
		return 0;
	case EVENT_PHASE_COUNT:
		break;
	}
	return error_set(err, -EBADMSG, "event %lld has an unknown phase",
			 (long long)event->sequence);
}

static int build(struct result_builder *builder, const struct event_list *events,
		 struct error *err)
{
	struct result *result = builder->result;

	for (size_t i = 0; i < events->n_events; i++) {
		int r = apply(builder, &events->events[i], err);

		if (r < 0)
			return r;
	}
	if (!builder->has_job)
		return error_set(err, -EBADMSG, "the job has no events");
	for (size_t i = 0; i < result->n_boots; i++)
		result->boots[i].is_complete =
			(int64_t)result->boots[i].n_values == result->processes;
	if (builder->bench == 0) {
		int r = result_build_bisection(builder, events, err);

		if (r < 0)
			return r;
	}
	fill_order(builder);
	result_build_facts(builder);
	result_build_check_gates(builder);
	result_build_findings(builder);
	return result_estimate(result, err);
}

/* The result of one workload; *ret_n_benches: how many the job has. */
static int build_bench(const struct store_job *job, const struct event_list *events,
		       size_t bench, struct result *ret_result, size_t *ret_n_benches,
		       struct error *err)
{
	struct result result;
	struct result_builder builder = { .result = &result, .bench = bench };
	int r;

	result_init(&result);
	result.job_id = job->id;
	result.is_emulated = job->machine != STORE_MACHINE_REAL;
	result.is_counted = job->machine == STORE_MACHINE_COUNTED;
	result.rehearses = job->rehearses;
	r = build(&builder, events, err);
	*ret_n_benches = builder.has_job ? job_n_benches(&builder.job) : 1;
	result_builder_done(&builder);
	if (r < 0) {
		result_done(&result);
		return error_prefix(err, r, "job %lld", (long long)job->id);
	}
	*ret_result = result;
	return 0;
}

/* A warning of one workload is one of the report; what all share is said once. */
static void take_warnings(struct result *result, const struct result *further)
{
	for (size_t i = 0; i < further->warnings.n; i++) {
		bool is_known = false;

		for (size_t k = 0; k < result->warnings.n; k++)
			is_known = is_known || strcmp(result->warnings.items[k],
						      further->warnings.items[i]) == 0;
		if (!is_known)
			result_texts_add(&result->warnings, "%s: %s", further->bench,
					 further->warnings.items[i]);
	}
}

int result_build(const struct store_job *job, const struct event_list *events,
		 struct result *ret_result, struct error *err)
{
	struct result result;
	size_t n_benches;
	int r = build_bench(job, events, 0, &result, &n_benches, err);

	if (r < 0)
		return r;
	result.further = n_benches > 1 ? calloc(n_benches - 1, sizeof(*result.further)) : NULL;
	if (n_benches > 1 && !result.further)
		r = error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 1; r == 0 && i < n_benches; i++) {
		size_t same;

		r = build_bench(job, events, i, &result.further[i - 1], &same, err);
		if (r == 0) {
			result.n_further++;
			take_warnings(&result, &result.further[i - 1]);
			result_finding_take(&result, &result.further[i - 1]);
		}
	}
	if (r < 0) {
		result_done(&result);
		return r;
	}
	*ret_result = result;
	return 0;
}
