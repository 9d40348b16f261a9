// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events in words. Every kind has one small function; what belongs to a boot or a
 * point gets it in front. Input is our own store, but its texts may be anybody's.
 */
#include "orchestrator/work/describe.h"

#include <stdio.h>
#include <string.h>

#include "common/printable.h"
#include "common/text.h"
#include "queue/design.h"

#define FINDINGS_SAID 3

struct words {
	const struct job *job;
	const struct event *event;
	struct text_buffer text;
};

static const char *data_text(const struct words *w, const char *key)
{
	const char *text = json_string_value(json_object_get(w->event->data, key));

	return text ? text : "";
}

const char *describe_point(const struct job *job, int point, char *buffer, size_t size)
{
	if (point >= 0 && (size_t)point < job->n_points && job->points[point].name)
		(void)snprintf(buffer, size, "%s", job->points[point].name);
	else if (point < 0)
		(void)snprintf(buffer, size, "as the boots before tell");
	else
		(void)snprintf(buffer, size, "point %d", point + 1);
	return buffer;
}

/* "warm-up 2 of 3", "process 3 of 15"; the workload's name before it where there are several. */
static void say_process(struct words *w, struct job_bench bench)
{
	const struct job_process which =
		job_process_at(w->job, w->event->boot, w->event->process);

	if (w->job->n_benches)
		text_printf(&w->text, "%s: ", bench.name);
	if (which.is_warmup)
		text_printf(&w->text, "warm-up %lld of %lld", (long long)which.index + 1,
			    (long long)bench.warmups);
	else
		text_printf(&w->text, "process %lld of %lld",
			    (long long)(which.index - bench.warmups) + 1,
			    (long long)bench.processes);
}

const char *describe_commit(const char *commit, char buffer[13])
{
	(void)snprintf(buffer, 13, "%.12s", commit);
	return buffer;
}

static void say_scope(struct words *w)
{
	const struct event *event = w->event;
	char point[64];

	if (event->boot >= 0) {
		int n_boots = design_first_boots(w->job);

		text_printf(&w->text, "boot %d", event->boot + 1);
		if (event->boot < n_boots && w->job->design != JOB_DESIGN_BISECT)
			text_printf(&w->text, " of %d", n_boots);
		if (event->point >= 0)
			text_printf(&w->text, " (%s)", describe_point(w->job, event->point,
								      point, sizeof(point)));
		if (event->attempt > 1)
			text_printf(&w->text, ", attempt %d", event->attempt);
		text_append(&w->text, ": ");
	} else if (event->point >= 0) {
		text_printf(&w->text, "%s: ",
			    describe_point(w->job, event->point, point, sizeof(point)));
	}
}

static void say_configure(struct words *w)
{
	if (w->event->phase == EVENT_INTENT)
		text_append(&w->text, "making and comparing the kernel configurations");
	else
		text_printf(&w->text, "kernel configurations made%s",
			    json_is_true(json_object_get(w->event->data, "equal"))
				    ? "; they are equal" : "; they differ as the job allows");
}

static void say_select(struct words *w)
{
	if (w->event->phase == EVENT_INTENT)
		text_append(&w->text, "choosing the next commit");
	else
		text_printf(&w->text, "%.12s is to be tried: %.60s", data_text(w, "commit"),
			    data_text(w, "title"));
}

static void say_range(struct words *w)
{
	size_t n = strlen(data_text(w, "ids")) / (BISECT_ID_SIZE - 1);

	if (w->event->phase == EVENT_INTENT)
		text_append(&w->text, "reading the line of commits");
	else
		text_printf(&w->text, "%zu commits from good to bad", n ? n - 1 : 0);
}

static void say_build(struct words *w)
{
	char duration[32];
	double wall_s = json_number_value(json_object_get(w->event->data, "wall_time_s"));

	if (w->event->phase == EVENT_INTENT)
		text_append(&w->text, "building");
	else if (json_is_true(json_object_get(w->event->data, "reused")))
		text_printf(&w->text, "%s is in the kernel store already", data_text(w, "release"));
	else
		text_printf(&w->text, "built %s in %s", data_text(w, "release"),
			    text_duration(wall_s, duration, sizeof(duration)));
}

static void say_install(struct words *w)
{
	if (w->event->phase == EVENT_INTENT)
		text_append(&w->text, "installing");
	else
		text_printf(&w->text, "installed as %s", data_text(w, "entry"));
}

static void say_reboot(struct words *w)
{
	const char *where = w->event->kind == EVENT_RETURN ? " into the default kernel" : "";

	if (w->event->phase == EVENT_INTENT)
		text_printf(&w->text, "rebooting%s", where);
	else
		text_printf(&w->text, "reboot%s asked for (%s)", where, data_text(w, "method"));
}

static void say_verify(struct words *w)
{
	if (strcmp(data_text(w, "verdict"), "expected") == 0)
		text_printf(&w->text, "%s runs, as asked", data_text(w, "release"));
	else
		text_printf(&w->text, "%s: %s", data_text(w, "verdict"), data_text(w, "text"));
}

static void say_measure(struct words *w)
{
	const struct job_bench bench = job_bench_at(
		w->job, job_process_at(w->job, w->event->boot, w->event->process).bench);
	const json_t *metrics = json_object_get(json_object_get(w->event->data, "bench"), "metrics");
	const json_t *metric = json_object_get(metrics, bench.metric);
	const char *unit = json_string_value(json_object_get(metric, "unit"));

	say_process(w, bench);
	if (w->event->phase == EVENT_INTENT)
		text_append(&w->text, " starts");
	else if (strcmp(data_text(w, "status"), "unexpected") == 0)
		text_printf(&w->text, ": not as expected: %s", data_text(w, "reason"));
	else
		text_printf(&w->text, ": %.1f %s",
			    json_number_value(json_object_get(w->event->data, "value")),
			    unit ? unit : "ns/page");
}

static const char *short_words(const struct event *event)
{
	bool is_intent = event->phase == EVENT_INTENT;

	switch (event->kind) {
	case EVENT_ARM:
		return is_intent ? "arming the one-shot boot entry" : "one-shot boot entry armed";
	case EVENT_PROFILE:
		return is_intent ? "applying the machine profile" : "machine profile applied";
	case EVENT_DIAGNOSE:
		return is_intent ? "diagnosing, which no figure counts" : "diagnosed";
	case EVENT_EVIDENCE:
		return is_intent ? "keeping what its kernel left behind" : "kernel log kept";
	case EVENT_RESTORE:
		return is_intent ? "restoring the machine's settings" : "machine's settings restored";
	case EVENT_DISARM:
		return is_intent ? "clearing the one-shot boot entry" : "one-shot boot entry cleared";
	case EVENT_REMOVE:
		return is_intent ? "removing test kernels and boot entries"
				 : "test kernels and boot entries removed";
	case EVENT_HOP:
		return "is next";
	case EVENT_SUBMITTED:
	case EVENT_BEGIN:
	case EVENT_CONFIGURE:
	case EVENT_RANGE:
	case EVENT_SELECT:
	case EVENT_SKIP:
	case EVENT_BUILD:
	case EVENT_INSTALL:
	case EVENT_REBOOT:
	case EVENT_VERIFY:
	case EVENT_MEASURE:
	case EVENT_RETURN:
	case EVENT_PAUSE:
	case EVENT_RESUME:
	case EVENT_CANCEL:
	case EVENT_END:
	case EVENT_KIND_COUNT:
		break;
	}
	return event_kind_name(event->kind);
}

/* The first findings; the report has them all. */
static void say_evidence(struct words *w)
{
	const json_t *findings = json_object_get(w->event->data, "findings");
	size_t n = json_array_size(findings);

	text_append(&w->text, short_words(w->event));
	for (size_t i = 0; i < n && i < FINDINGS_SAID; i++) {
		const json_t *finding = json_array_get(findings, i);
		const char *kind = json_string_value(json_object_get(finding, "kind"));
		const char *text = json_string_value(json_object_get(finding, "text"));

		text_printf(&w->text, "%s%s: %.*s", i ? "; " : ", with findings: ",
			    kind ? kind : "", text ? text_cut(text, 120) : 0, text ? text : "");
	}
	if (n > FINDINGS_SAID)
		text_printf(&w->text, "; and %zu more", n - FINDINGS_SAID);
}

static void say_end(struct words *w)
{
	const char *reason = data_text(w, "reason");

	text_printf(&w->text, "ended: %s%s%s", data_text(w, "status"), reason[0] ? ": " : "",
		    reason);
}

static void say_by(struct words *w, const char *what)
{
	const char *reason = data_text(w, "reason");

	text_printf(&w->text, "%s by %s%s%s", what, data_text(w, "by"), reason[0] ? ": " : "",
		    reason);
}

static void say_kind(struct words *w)
{
	switch (w->event->kind) {
	case EVENT_SUBMITTED:
		text_printf(&w->text, "queued: %s", w->job->name ? w->job->name : "");
		break;
	case EVENT_BEGIN:
		text_printf(&w->text, "begins; the default kernel is %s", data_text(w, "release"));
		break;
	case EVENT_CONFIGURE:
		say_configure(w);
		break;
	case EVENT_RANGE:
		say_range(w);
		break;
	case EVENT_SELECT:
		say_select(w);
		break;
	case EVENT_SKIP:
		text_printf(&w->text, "passed over: %s", data_text(w, "reason"));
		break;
	case EVENT_BUILD:
		say_build(w);
		break;
	case EVENT_INSTALL:
		say_install(w);
		break;
	case EVENT_REBOOT:
	case EVENT_RETURN:
		say_reboot(w);
		break;
	case EVENT_VERIFY:
		say_verify(w);
		break;
	case EVENT_MEASURE:
		say_measure(w);
		break;
	case EVENT_PAUSE:
		say_by(w, "paused");
		break;
	case EVENT_RESUME:
		say_by(w, "resumed");
		break;
	case EVENT_CANCEL:
		say_by(w, "cancelled");
		break;
	case EVENT_END:
		say_end(w);
		break;
	case EVENT_EVIDENCE:
		say_evidence(w);
		break;
	case EVENT_HOP:
	case EVENT_ARM:
	case EVENT_PROFILE:
	case EVENT_DIAGNOSE:
	case EVENT_RESTORE:
	case EVENT_DISARM:
	case EVENT_REMOVE:
	case EVENT_KIND_COUNT:
		text_append(&w->text, short_words(w->event));
		break;
	}
}

char *describe_event(const struct job *job, const struct event *event)
{
	struct words w = { .job = job, .event = event };
	const char *error = data_text(&w, "error");
	char *line;

	say_scope(&w);
	if (event->phase == EVENT_RESULT && error[0])
		text_printf(&w.text, "%s failed: %s", event_kind_name(event->kind), error);
	else
		say_kind(&w);
	line = text_buffer_take(&w.text);
	printable_clean(line, false);
	return line;
}
