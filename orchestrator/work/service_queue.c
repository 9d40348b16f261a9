// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests that change the queue: a new job, and the notes cancel, pause and resume.
 * Nothing is done to the machine here; the planner reads the notes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/change.h"
#include "orchestrator/work/describe.h"
#include "orchestrator/work/preflight_job.h"
#include "orchestrator/work/service_internal.h"
#include "orchestrator/work/source.h"
#include "queue/design.h"

/* What was understood: "parent 0123456789ab (title)", one line a point. */
static void say_points(struct text_buffer *text, const struct job *job)
{
	for (size_t i = 0; i < job->n_points; i++) {
		const struct job_point *point = &job->points[i];
		const char *title = point->title ? point->title : "";
		char commit[13];

		text_printf(text, "  %-8s %s  %.*s\n", point->name,
			    describe_commit(point->commit, commit), text_cut(title, 50), title);
		for (size_t k = 0; k < point->changes.n; k++) {
			_cleanup_free_ char *words = job_change_describe(&point->changes.items[k]);

			text_printf(text, "           + %.*s\n", text_cut(words, 120), words);
		}
		if (job_changes_has_tree(&point->changes))
			text_printf(text, "           = tree %.12s\n", point->tree);
	}
}

static void say_boots(struct text_buffer *text, const struct job *job)
{
	int n_boots = design_first_boots(job);

	if (job->design == JOB_DESIGN_BISECT) {
		struct job_bench bench = job_bench_at(job, 0);

		text_printf(text, "  boots    good and bad in turn, then whichever commit tells most; %s, %lld processes after %lld warm-ups in each\n",
			    bench.name, (long long)bench.processes, (long long)bench.warmups);
		return;
	}
	text_append(text, "  boots    ");
	for (int i = 0; i < n_boots; i++)
		text_printf(text, "%s%s", i ? ", " : "",
			    job->points[design_of(job)->point(job, i)].name);
	for (size_t i = 0; i < job_n_benches(job); i++) {
		const struct job_bench bench = job_bench_at(job, i);

		if (job->design == JOB_DESIGN_SANDWICH && !job->is_exact)
		text_append(text, ", and four more while the result is inconclusive");
	text_printf(text, "; %s, %lld processes after %lld warm-ups in each", bench.name,
			    (long long)bench.processes, (long long)bench.warmups);
	}
	text_append(text, "\n");
}

static json_t *queue_reply(const struct job *job, int64_t id, const char *range, const char *note)
{
	_cleanup_text_ struct text_buffer text = { 0 };

	if (id)
		text_printf(&text, "job %lld queued: %s\n", (long long)id, job->name);
	else
		text_printf(&text, "this would be queued: %s\n", job->name);
	say_points(&text, job);
	if (range)
		text_printf(&text, "  range    %s\n", range);
	say_boots(&text, job);
	if (note)
		text_printf(&text, "  note     %s\n", note);
	return json_pack("{s:o, s:s?, s:s}", "job", id ? json_integer(id) : json_null(), "note",
			 note, "text", text.text);
}

int service_queue(const struct service *service, const json_t *request, json_t **ret_reply,
		  struct error *err)
{
	_cleanup_(job_done) struct job job = { 0 };
	_cleanup_json_ json_t *contents = NULL;
	_cleanup_free_ char *note = NULL, *range = NULL;
	bool is_dry = json_is_true(json_object_get(request, "dry_run"));
	struct job parsed;
	int64_t id = 0;
	int r = job_from_json(json_object_get(request, "job"), &parsed, err);

	if (r < 0)
		return r;
	job = parsed;
	r = change_files_check(&job, service->state_directory, json_object_get(request, "files"),
			       &contents, err);
	if (r == 0)
		r = source_resolve(&job, &note, err);
	if (r == 0)
		r = change_points_apply(&job, is_dry ? NULL : service->state_directory, contents, err);
	if (r == 0 && job.design == JOB_DESIGN_BISECT)
		r = service_bisect_check(&job, &range, err);
	if (r < 0)
		return r;
	r = job_validate(&job, true, err);
	if (r < 0)
		return r;
	if (!is_dry) {
		if (service->machine)
			r = preflight_job_queue(service->machine, service->state_directory, &job, err);
		if (r == 0)
			r = change_files_keep(service->state_directory, contents, err);
		if (r < 0)
			return r;
		r = store_add_job(service->store, &job, STORE_MACHINE_REAL, 0, service->now_ns, &id, err);
		if (r < 0)
			return r;
	}
	*ret_reply = queue_reply(&job, id, range, note);
	return 0;
}

static int append_note(const struct service *service, const struct service_job *job,
		       enum event_kind kind, json_t *data, struct error *err)
{
	struct event event;
	int r;

	event_init(&event, job->row.id, kind, EVENT_NOTE);
	event.at_ns = service->now_ns;
	json_decref(event.data);
	event.data = data;
	r = data ? store_append(service->store, &event, err)
		 : error_set(err, -ENOMEM, "out of memory");
	event_done(&event);
	return r;
}

static int load_open_job(const struct service *service, const json_t *request,
			 struct service_job *ret_job, struct error *err)
{
	int r;

	if (!json_object_get(request, "job"))
		return error_set(err, -EINVAL, "which job? Give its number");
	r = service_job_load(service, request, ret_job, err);
	if (r < 0)
		return r;
	if (run_state_is_ended(&ret_job->state))
		return error_set(err, -EALREADY, "job %lld has already ended: %s",
				 (long long)ret_job->row.id,
				 job_status_name(ret_job->state.status));
	return 0;
}

static json_t *say_done(const struct service_job *job, const char *what)
{
	_cleanup_free_ char *text = text_format("job %lld %s\n", (long long)job->row.id, what);

	return json_pack("{s:s}", "text", text);
}

int service_cancel(const struct service *service, const json_t *request, json_t **ret_reply,
		   struct error *err)
{
	_cleanup_service_job_ struct service_job job = { 0 };
	bool is_untouched;
	int r = load_open_job(service, request, &job, err);

	if (r < 0)
		return r;
	if (job.state.is_cancel_requested)
		return error_set(err, -EALREADY, "job %lld is being cancelled already",
				 (long long)job.row.id);
	/* Only submitted: nothing to clean up, so it need not wait for its turn to end. */
	is_untouched = job.state.status == JOB_QUEUED && job.events.n_events == 1;
	r = append_note(service, &job, EVENT_CANCEL, json_pack("{s:s}", "by", service->caller),
			err);
	if (r == 0 && is_untouched) {
		_cleanup_free_ char *reason = text_format("cancelled by %s before it began",
							  service->caller);

		r = append_note(service, &job, EVENT_END,
				json_pack("{s:s, s:s}", "status", job_status_name(JOB_CANCELLED),
					  "reason", reason), err);
	}
	if (r < 0)
		return r;
	*ret_reply = say_done(&job, is_untouched ? "cancelled"
						 : "will be cancelled as soon as the machine is clean");
	return 0;
}

int service_pause(const struct service *service, const json_t *request, json_t **ret_reply,
		  struct error *err)
{
	_cleanup_service_job_ struct service_job job = { 0 };
	int r = load_open_job(service, request, &job, err);

	if (r < 0)
		return r;
	if (job.state.is_cancel_requested)
		return error_set(err, -EALREADY, "job %lld is being cancelled",
				 (long long)job.row.id);
	if (job.state.status == JOB_PAUSED)
		return error_set(err, -EALREADY, "job %lld is paused already",
				 (long long)job.row.id);
	r = append_note(service, &job, EVENT_PAUSE,
			json_pack("{s:s, s:s}", "reason", "asked for", "by", service->caller), err);
	if (r < 0)
		return r;
	*ret_reply = say_done(&job, "paused; \"abbot resume\" lets it go on");
	return 0;
}

int service_resume(const struct service *service, const json_t *request, json_t **ret_reply,
		   struct error *err)
{
	_cleanup_service_job_ struct service_job job = { 0 };
	int r = load_open_job(service, request, &job, err);

	if (r < 0)
		return r;
	if (job.state.status != JOB_PAUSED)
		return error_set(err, -EALREADY, "job %lld is not paused: it is %s",
				 (long long)job.row.id, job_status_name(job.state.status));
	r = append_note(service, &job, EVENT_RESUME, json_pack("{s:s}", "by", service->caller),
			err);
	if (r < 0)
		return r;
	*ret_reply = say_done(&job, "goes on");
	return 0;
}
