// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests to the queue: finds the operation, loads the job it is about, turns
 * failures into sentences. The operations themselves are in service_*.c.
 */
#include "orchestrator/work/service.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/printable.h"
#include "common/text.h"
#include "orchestrator/work/describe.h"
#include "orchestrator/work/result_build.h"
#include "orchestrator/work/result_mail.h"
#include "orchestrator/work/service_internal.h"
#include "reports/render/render.h"

void service_job_done(struct service_job *job)
{
	free(job->row.name);
	event_list_done(&job->events);
	run_state_done(&job->state);
	memset(job, 0, sizeof(*job));
}

static int service_job_load_row(const struct service *service, const struct store_job *row,
				struct service_job *ret_job, struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	int r = store_load_events(service->store, row->id, &events, err);

	if (r < 0)
		return r;
	memset(ret_job, 0, sizeof(*ret_job));
	r = run_state_fold(&ret_job->state, &events, err);
	if (r < 0)
		return error_prefix(err, r, "job %lld cannot be read", (long long)row->id);
	ret_job->row = *row;
	ret_job->row.name = text_duplicate(row->name);
	ret_job->events = events;
	events = (struct event_list){ 0 };
	return 0;
}

/* The first job that has not ended, else the newest. */
static int load_current(const struct service *service, const struct store_job_list *list,
			struct service_job *ret_job, struct error *err)
{
	for (size_t i = 0; i < list->n_jobs; i++) {
		_cleanup_service_job_ struct service_job job = { 0 };
		int r = service_job_load_row(service, &list->jobs[i], &job, err);

		if (r < 0)
			return r;
		if (run_state_is_ended(&job.state) && i + 1 < list->n_jobs)
			continue;
		*ret_job = job;
		memset(&job, 0, sizeof(job));
		return 0;
	}
	return error_set(err, -ENOENT, "there is no job yet; queue one with: abbot queue REV");
}

int service_job_load(const struct service *service, const json_t *request,
		     struct service_job *ret_job, struct error *err)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	const json_t *number = json_object_get(request, "job");
	int64_t id = json_integer_value(number);
	int r;

	if (number && !json_is_integer(number))
		return error_set(err, -EINVAL, "\"job\" must be a job number");
	r = store_list_jobs(service->store, &list, err);
	if (r < 0)
		return r;
	if (!number)
		return load_current(service, &list, ret_job, err);
	for (size_t i = 0; i < list.n_jobs; i++)
		if (list.jobs[i].id == id)
			return service_job_load_row(service, &list.jobs[i], ret_job, err);
	return error_set(err, -ENOENT, "there is no job %lld; \"abbot list\" shows the jobs",
			 (long long)id);
}

static void list_line(struct text_buffer *text, const struct service_job *job)
{
	time_t submitted = (time_t)(job->row.submitted_ns / 1000000000);
	char when[32] = "";
	struct tm local;

	if (localtime_r(&submitted, &local))
		(void)strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &local);
	text_printf(text, "%4lld  %-12s  %s  %s%s", (long long)job->row.id,
		    job_status_name(job->state.status), when, job->row.name,
		    job->row.is_emulated ? " (lab)" : "");
	if (job->state.reason && job->state.reason[0])
		text_printf(text, ": %.*s", (int)strcspn(job->state.reason, "\n"),
			    job->state.reason);
	text_append(text, "\n");
}

static int service_list(const struct service *service, const json_t *request,
			json_t **ret_reply, struct error *err)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_json_ json_t *jobs = json_array();
	int r = store_list_jobs(service->store, &list, err);

	(void)request;
	if (r < 0)
		return r;
	if (list.n_jobs == 0)
		text_append(&text, "No jobs.\n");
	else
		text_append(&text, " JOB  STATUS        QUEUED            NAME\n");
	for (size_t i = 0; i < list.n_jobs; i++) {
		_cleanup_service_job_ struct service_job job = { 0 };

		r = service_job_load_row(service, &list.jobs[i], &job, err);
		if (r < 0)
			return r;
		list_line(&text, &job);
		(void)json_array_append_new(
			jobs, json_pack("{s:I, s:s, s:s, s:s?, s:b, s:I, s:I}", "id",
					(json_int_t)job.row.id, "name", job.row.name, "status",
					job_status_name(job.state.status), "reason",
					job.state.reason, "is_emulated", job.row.is_emulated ? 1 : 0,
					"rehearses", (json_int_t)job.row.rehearses, "submitted_s",
					(json_int_t)(job.row.submitted_ns / 1000000000)));
	}
	*ret_reply = json_pack("{s:O, s:s}", "jobs", jobs, "text", text.text);
	return 0;
}

static int service_report(const struct service *service, const json_t *request,
			  json_t **ret_reply, struct error *err)
{
	_cleanup_service_job_ struct service_job job = { 0 };
	_cleanup_(result_done) struct result result = { 0 };
	_cleanup_free_ char *text = NULL;
	const char *format = json_string_value(json_object_get(request, "format"));
	const char *workload = json_string_value(json_object_get(request, "workload"));
	int r = service_job_load(service, request, &job, err);

	if (r < 0)
		return r;
	r = result_build(&job.row, &job.events, &result, err);
	if (r < 0)
		return r;
	if (workload)
		r = result_take_bench(&result, workload, err);
	if (r < 0)
		return r;
	r = result_mail_apply(&result, json_object_get(request, "mail"), err);
	if (r < 0)
		return r;
	r = render_result(&result, format ? format : "text", &text, err);
	if (r < 0)
		return r;
	*ret_reply = json_pack("{s:s}", "text", text);
	return 0;
}

static const struct {
	const char *name;
	int (*handle)(const struct service *service, const json_t *request, json_t **ret_reply,
		      struct error *err);
} operations[] = {
	{ "queue", service_queue },   { "list", service_list },   { "status", service_status },
	{ "log", service_log },       { "plan", service_plan },   { "report", service_report },
	{ "cancel", service_cancel }, { "pause", service_pause }, { "resume", service_resume },
	{ "bundle", service_bundle }, { "compare", service_compare },
	 { "kernels", service_kernels },
	{ "kernels-remove", service_kernels_remove },
	{ "kernels-gc", service_kernels_gc },
};

static int dispatch(const struct service *service, const json_t *request, json_t **ret_reply,
		    struct error *err)
{
	const char *op = json_string_value(json_object_get(request, "op"));

	if (!op)
		return error_set(err, -EINVAL, "a request must be an object with an \"op\"");
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (strcmp(operations[i].name, op) == 0)
			return operations[i].handle(service, request, ret_reply, err);
	return error_set(err, -EINVAL, "there is no operation \"%.40s\"", op);
}

/* Titles, names and compilers are anybody's, and the text goes to a terminal. */
static void clean_text(json_t *reply)
{
	_cleanup_free_ char *text =
		text_duplicate(json_string_value(json_object_get(reply, "text")));

	if (!text)
		return;
	printable_clean(text, true);
	(void)json_object_set_new(reply, "text", json_string(text));
}

json_t *service_handle(const struct service *service, const json_t *request)
{
	struct error err = { 0 };
	json_t *reply = NULL;
	int r = dispatch(service, request, &reply, &err);

	if (r >= 0 && !reply)
		r = error_set(&err, -ENOMEM, "the answer could not be made: out of memory, or a "
					     "text that is not UTF-8");
	if (r < 0) {
		json_decref(reply);
		reply = json_pack("{s:o, s:i}", "error", json_stringn_nocheck(err.text, strlen(err.text)),
				  "errno", -r);
	}
	clean_text(reply);
	return reply ? reply : json_object();
}
