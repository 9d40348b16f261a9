// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events and the benchmark's own results, apart: the raw files are what is measured, and the
 * value of each process is taken from them again when a bundle is read.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/bundle_make.h"

#define EVENTS_MAX 100000

int bundle_add_json(struct bundle *bundle, const char *name, const json_t *json, struct error *err)
{
	/* In the order of its keys, which a report goes by. */
	_cleanup_free_ char *dump = json_dumps(json, JSON_INDENT(2) | JSON_ENCODE_ANY);
	struct text_buffer text = { 0 };
	size_t size;

	if (!dump)
		return error_set(err, -EINVAL, "%s cannot be written as JSON", name);
	text_printf(&text, "%s\n", dump);
	size = text.size;
	return bundle_add(bundle, name, text_buffer_take(&text), size, err);
}

int bundle_job(const struct event_list *events, struct job *ret_job, struct error *err)
{
	if (!events->n_events || events->events[0].kind != EVENT_SUBMITTED)
		return error_set(err, -EBADMSG, "the job's events do not begin with its submission");
	return job_from_json(json_object_get(events->events[0].data, "job"), ret_job, err);
}

static bool is_measured(const struct event *event)
{
	return event->kind == EVENT_MEASURE && event->phase == EVENT_RESULT && event->boot >= 0 &&
	       event->attempt >= 0 && event->process >= 0;
}

static char *raw_name(const struct event *event)
{
	return text_format("raw/boot-%02d-attempt-%d/process-%02d.json", event->boot + 1,
			   event->attempt, event->process + 1);
}

/* The mean of the metric that is the workload's value, or NULL. */
static const json_t *value_in(const struct job *job, const struct event *event, const json_t *bench)
{
	struct job_process which = job_process_at(job, event->boot, event->process);
	const char *metric = job_bench_at(job, which.bench).metric;
	const json_t *value = metric ? json_object_get(json_object_get(json_object_get(bench, "metrics"), metric), "mean")
				     : NULL;

	return json_is_number(value) ? value : NULL;
}

/* *ret_data: the event's data, whose result lies in a file of its own if there is one. */
static int take_raw(struct bundle *bundle, const struct job *job, const struct event *event,
		    json_t **ret_data, struct error *err)
{
	const json_t *bench = json_object_get(event->data, "bench"), *value;
	_cleanup_free_ char *name = raw_name(event);
	_cleanup_json_ json_t *data = json_copy(event->data);
	int r;

	/* A second result of one process is refused by the report; it stays where it is. */
	if (!json_is_object(bench) || bundle_has(bundle, name)) {
		*ret_data = TAKE_PTR(data);
		return 0;
	}
	r = bundle_add_json(bundle, name, bench, err);
	if (r < 0)
		return r;
	(void)json_object_set_new(data, "bench", json_string(name));
	value = value_in(job, event, bench);
	if (value && json_equal((json_t *)(uintptr_t)value, json_object_get(data, "value")))
		(void)json_object_del(data, "value");
	*ret_data = TAKE_PTR(data);
	return 0;
}

int bundle_add_events(struct bundle *bundle, const struct event_list *events, struct error *err)
{
	_cleanup_json_ json_t *array = json_array();
	struct job job;
	int r = bundle_job(events, &job, err);

	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < events->n_events; i++) {
		json_t *json = event_to_json(&events->events[i]), *data = NULL;

		if (is_measured(&events->events[i]))
			r = take_raw(bundle, &job, &events->events[i], &data, err);
		if (data)
			(void)json_object_set_new(json, "data", data);
		(void)json_array_append_new(array, json);
	}
	job_done(&job);
	return r < 0 ? r : bundle_add_json(bundle, BUNDLE_EVENTS, array, err);
}

static int load_json(const struct bundle *bundle, const char *name, json_t **ret_json,
		     struct error *err)
{
	const struct bundle_file *file = bundle_find(bundle, name);
	json_error_t why;

	if (!file)
		return error_set(err, -EINVAL, "it has no %s", name);
	*ret_json = json_loadb(file->data, file->size, JSON_REJECT_DUPLICATES, &why);
	if (!*ret_json)
		return error_set(err, -EINVAL, "%s is no JSON: line %d: %s", name, why.line, why.text);
	return 0;
}

static int put_raw(const struct bundle *bundle, const struct job *job, struct event *event,
		   size_t *n_raw, struct error *err)
{
	_cleanup_free_ char *name = raw_name(event);
	const char *said = json_string_value(json_object_get(event->data, "bench"));
	_cleanup_json_ json_t *bench = NULL;
	const json_t *value;
	int r;

	if (!said)
		return 0;
	/* What an event says is never a path that is opened. */
	if (strcmp(said, name) != 0)
		return error_set(err, -EINVAL, "event %lld names %.80s where %s belongs",
				 (long long)event->sequence, said, name);
	r = load_json(bundle, name, &bench, err);
	if (r < 0)
		return r;
	if (!json_is_object(bench))
		return error_set(err, -EINVAL, "%s is no result", name);
	(void)json_object_set(event->data, "bench", bench);
	value = value_in(job, event, bench);
	if (value && !json_object_get(event->data, "value"))
		(void)json_object_set(event->data, "value", (json_t *)(uintptr_t)value);
	(*n_raw)++;
	return 0;
}

static int put_all_raw(const struct bundle *bundle, struct event_list *events, struct error *err)
{
	struct job job;
	size_t n_raw = 0;
	int r = bundle_job(events, &job, err);

	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < events->n_events; i++)
		if (is_measured(&events->events[i]))
			r = put_raw(bundle, &job, &events->events[i], &n_raw, err);
	for (size_t i = 0; r == 0 && i < bundle->n_files; i++)
		n_raw -= text_has_prefix(bundle->files[i].name, "raw/");
	if (r == 0 && n_raw)
		r = error_set(err, -EINVAL, "raw/ has results that no event knows, or lacks some");
	job_done(&job);
	return r;
}

int bundle_read_events(const struct bundle *bundle, int64_t job, struct event_list *ret_events,
		       struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_json_ json_t *array = NULL;
	int r = load_json(bundle, BUNDLE_EVENTS, &array, err);

	if (r == 0 && json_array_size(array) > EVENTS_MAX)
		r = error_set(err, -EINVAL, BUNDLE_EVENTS " has more than %d events", EVENTS_MAX);
	if (r == 0)
		r = event_list_from_json(array, job, &events, err);
	if (r == 0)
		r = put_all_raw(bundle, &events, err);
	if (r < 0)
		return r;
	*ret_events = events;
	events = (struct event_list){ 0 };
	return 0;
}
