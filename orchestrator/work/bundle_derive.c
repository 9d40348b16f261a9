// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What follows from a job's events alone, made when a bundle is made and again when one is
 * checked: the job, the machine boot by boot, the report in every format.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/bundle_make.h"
#include "orchestrator/work/result_build.h"
#include "orchestrator/work/result_mail.h"
#include "reports/render/render.h"

char *bundle_point_directory(const struct job_point *point, size_t index)
{
	_cleanup_free_ char *name = text_format("kernels/%s", point->name);

	return bundle_name_is_good(name) && !strchr(point->name, '/')
		       ? TAKE_PTR(name)
		       : text_format("kernels/point-%zu", index + 1);
}

static int add_job(struct bundle *bundle, const struct event_list *events, struct error *err)
{
	if (!events->n_events)
		return error_set(err, -EBADMSG, "the job has no events");
	return bundle_add_json(bundle, "job.json", json_object_get(events->events[0].data, "job"),
			       err);
}

/* The entry of this boot and attempt, made when it is the first of it. */
static json_t *entry_of(json_t *boots, const struct event *event)
{
	size_t n = json_array_size(boots);
	json_t *last = n ? json_array_get(boots, n - 1) : NULL;

	if (!last || json_integer_value(json_object_get(last, "boot")) != event->boot + 1 ||
	    json_integer_value(json_object_get(last, "attempt")) != event->attempt) {
		last = json_pack("{s:i, s:i}", "boot", event->boot + 1, "attempt", event->attempt);
		(void)json_array_append_new(boots, last);
	}
	return last;
}

static void take(json_t *entry, const json_t *from, const char *key)
{
	json_t *value = json_object_get(from, key);

	if (value && !json_object_get(entry, key))
		(void)json_object_set(entry, key, value);
}

static int add_machine(struct bundle *bundle, const struct event_list *events, struct error *err)
{
	_cleanup_json_ json_t *machine = json_pack("{s:{}, s:[]}", "default_kernel", "boots");
	json_t *boots = json_object_get(machine, "boots");

	for (size_t i = 0; i < events->n_events; i++) {
		const struct event *event = &events->events[i];

		if (event->kind == EVENT_BEGIN)
			(void)json_object_set(machine, "default_kernel", event->data);
		if (event->boot < 0 || event->phase != EVENT_RESULT)
			continue;
		if (event->kind == EVENT_VERIFY) {
			take(entry_of(boots, event), event->data, "release");
			take(entry_of(boots, event), event->data, "version");
		} else if (event->kind == EVENT_PROFILE) {
			take(entry_of(boots, event), event->data, "in_force");
			take(entry_of(boots, event), event->data, "not_available");
		} else if (event->kind == EVENT_MEASURE) {
			take(entry_of(boots, event), json_object_get(event->data, "bench"), "environment");
		}
	}
	return bundle_add_json(bundle, "machine.json", machine, err);
}

/* A format that this result does not have is left out. */
static int add_format(struct bundle *bundle, const struct result *result, const char *format,
		      const char *name, struct error *err)
{
	char *text;

	if (!bundle_name_is_good(name) || render_result(result, format, &text, NULL) < 0)
		return 0;
	return bundle_add(bundle, name, text, strlen(text), err);
}

/* Asked for: it must be one that can be sent. */
static int add_mail(struct bundle *bundle, struct result *result, const json_t *mail,
		    struct error *err)
{
	char *text;
	int r = result_mail_apply(result, mail, err);

	if (r == 0)
		r = render_result(result, "mail", &text, err);
	return r < 0 ? r : bundle_add(bundle, "report/report.mail", text, strlen(text), err);
}

static int add_tables(struct bundle *bundle, const struct result *result, const char *bench,
		      struct error *err)
{
	static const char *const tables[][2] = {
		{ "tsv", "points" }, { "tsv-components", "components" },
		{ "tsv-comparison", "comparison" },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(tables); i++) {
		_cleanup_free_ char *name =
			text_format("report/%s%s%s.tsv", tables[i][1], bench ? "-" : "", bench ? bench : "");

		r = add_format(bundle, result, tables[i][0], name, err);
	}
	return r;
}

/* A table is of one workload. */
static int add_bench_tables(struct bundle *bundle, const struct store_job *row,
			    const struct event_list *events, const char *bench, struct error *err)
{
	_cleanup_(result_done) struct result result;
	int r;

	result_init(&result);
	r = result_build(row, events, &result, err);
	if (r == 0)
		r = result_take_bench(&result, bench, err);
	return r < 0 ? r : add_tables(bundle, &result, bench, err);
}

static int add_reports(struct bundle *bundle, const struct store_job *row,
		       const struct event_list *events, const json_t *mail, struct error *err)
{
	static const char *const formats[][2] = {
		{ "text", "report/report.txt" }, { "json", BUNDLE_REPORT },
		{ "html", "report/report.html" },
	};
	_cleanup_(result_done) struct result result;
	int r;

	result_init(&result);
	r = result_build(row, events, &result, err);
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(formats); i++)
		r = add_format(bundle, &result, formats[i][0], formats[i][1], err);
	if (r == 0 && mail)
		r = add_mail(bundle, &result, mail, err);
	if (r < 0 || !result.n_further)
		return r < 0 ? r : add_tables(bundle, &result, NULL, err);
	for (size_t i = 0; r == 0 && i <= result.n_further; i++)
		r = add_bench_tables(bundle, row, events, result_bench(&result, i)->bench, err);
	return r;
}

int bundle_add_derived(struct bundle *bundle, const struct store_job *row,
		       const struct event_list *events, const json_t *mail, struct error *err)
{
	int r = add_job(bundle, events, err);

	if (r == 0)
		r = add_machine(bundle, events, err);
	return r < 0 ? r : add_reports(bundle, row, events, mail, err);
}
