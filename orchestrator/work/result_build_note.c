// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The job's life as a whole: submitted, begun, paused, ended.
 */
#include <errno.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/result_build_internal.h"

static const char *data_text(const struct event *event, const char *key)
{
	return json_string_value(json_object_get(event->data, key));
}

static void fill_from_job(struct result *result, const struct job *job, size_t index)
{
	const struct job_bench bench = job_bench_at(job, index);

	result_build_replace(&result->name, job->name);
	result_build_replace(&result->design, job_design_name(job->design));
	result_build_replace(&result->repository, job->repository);
	result_build_replace(&result->bench, job->n_benches ? bench.name : NULL);
	result_build_replace(&result->workload, bench.workload);
	result_build_replace(&result->metric, bench.metric);
	result->is_exact = job->is_exact;
	result->threshold_pct = job->threshold_pct;
	result->warmups = bench.warmups;
	result->processes = bench.processes;
	for (size_t i = 0; i < job->n_points; i++) {
		const struct job_point *from = &job->points[i];
		struct result_point *point = result_add_point(result, from->name);

		result_build_replace(&point->revision, from->revision);
		result_build_replace(&point->commit, from->commit);
		result_build_replace(&point->title, from->title);
		result_build_replace(&point->kernel_key, from->kernel);
		result_build_replace(&point->tree, from->tree);
		for (size_t k = 0; k < from->changes.n; k++) {
			_cleanup_free_ char *words = job_change_describe(&from->changes.items[k]);

			result_texts_add(&point->changes, "%s", words);
		}
	}
}

static int apply_submitted(struct result_builder *builder, const struct event *event,
			   struct error *err)
{
	int r;

	if (builder->has_job)
		return error_set(err, -EBADMSG, "event %lld submits the job a second time",
				 (long long)event->sequence);
	r = job_from_json(json_object_get(event->data, "job"), &builder->job, err);
	if (r < 0)
		return error_prefix(err, r, "event %lld", (long long)event->sequence);
	builder->has_job = true;
	fill_from_job(builder->result, &builder->job, builder->bench);
	return 0;
}

static void set_status(struct result *result, enum result_status status, const char *reason)
{
	result->status = status;
	result_build_replace(&result->reason, reason);
}

static int apply_end(struct result *result, const struct event *event, struct error *err)
{
	const char *word = data_text(event, "status");
	enum result_status status;

	if (result_status_from_name(word, &status) == 0) {
		set_status(result, status, data_text(event, "reason"));
		return 0;
	}
	return error_set(err, -EBADMSG, "event %lld ends the job in an unknown way",
			 (long long)event->sequence);
}

/* Of the first workload only, and as it was before the first boot. */
static void take_history(struct result_builder *builder, const json_t *history)
{
	if (history && builder->bench == 0 && builder->result->n_boots == 0)
		builder->result->history = (struct interval_history){
			.s0 = json_number_value(json_object_get(history, "s0")),
			.nu0 = json_number_value(json_object_get(history, "nu0")),
		};
}

int result_build_note(struct result_builder *builder, const struct event *event,
		      struct error *err)
{
	struct result *result = builder->result;

	if (event->kind == EVENT_SUBMITTED)
		return apply_submitted(builder, event, err);
	if (event->kind == EVENT_END)
		return apply_end(result, event, err);
	if (event->kind == EVENT_BEGIN) {
		result_build_replace(&builder->default_release, data_text(event, "release"));
		take_history(builder, json_object_get(event->data, "history"));
		set_status(result, RESULT_RUNNING, NULL);
	} else if (event->kind == EVENT_PAUSE) {
		if (result->status != RESULT_PAUSED)
			builder->status_before_pause = result->status;
		set_status(result, RESULT_PAUSED, data_text(event, "reason"));
	} else if (event->kind == EVENT_RESUME && result->status == RESULT_PAUSED) {
		set_status(result, builder->status_before_pause, NULL);
	}
	return 0;
}
