// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the kernels under test left behind, as warnings of the report: equal findings of
 * several boots are one line. Of every attempt, those that fell back too.
 */
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/result_build_internal.h"
#include "reports/render/result_finding.h"

#define FINDINGS_SAID_MAX 12

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static bool is_same(const json_t *a, const json_t *b)
{
	return strcmp(text_of(a, "kind"), text_of(b, "kind")) == 0 &&
	       strcmp(text_of(a, "text"), text_of(b, "text")) == 0 &&
	       strcmp(text_of(a, "from"), text_of(b, "from")) == 0;
}

/* "boot 2 (child)", "boot 2 (child), attempt 2" */
static char *boot_name(const struct result *result, const struct event *event)
{
	const struct result_boot *boot = &result->boots[event->boot];
	const char *point = result->points[boot->point].name;

	if (event->attempt > 1)
		return text_format("boot %d (%s), attempt %d", event->boot + 1, point, event->attempt);
	return text_format("boot %d (%s)", event->boot + 1, point);
}

static void add(struct result_builder *builder, const struct event *event,
		const json_t *finding, const char *boot)
{
	size_t n = json_array_size(builder->findings);
	_cleanup_free_ char *boots = NULL;
	json_t *known = NULL;

	result_finding_add(builder->result, text_of(finding, "kind"), (size_t)event->boot,
			   event->attempt, text_of(finding, "text"));
	for (size_t i = 0; i < n && !known; i++)
		if (is_same(json_array_get(builder->findings, i), finding))
			known = json_array_get(builder->findings, i);
	if (!known) {
		json_t *copy = json_copy((json_t *)(uintptr_t)finding);

		(void)json_object_set_new(copy, "boots", json_string(boot));
		(void)json_array_append_new(builder->findings, copy);
		return;
	}
	boots = text_format("%s; %s", text_of(known, "boots"), boot);
	(void)json_object_set_new(known, "boots", json_string(boots));
}

void result_build_evidence(struct result_builder *builder, const struct event *event)
{
	_cleanup_free_ char *boot = boot_name(builder->result, event);
	const json_t *findings = json_object_get(event->data, "findings");
	const char *failure = text_of(event->data, "error");

	if (!builder->findings)
		builder->findings = json_array();
	for (size_t i = 0; i < json_array_size(findings); i++)
		add(builder, event, json_array_get(findings, i), boot);
	if (failure[0]) {
		_cleanup_json_ json_t *finding =
			json_pack("{s:s, s:s}", "kind", "not-collected", "text", failure);

		add(builder, event, finding, boot);
	}
}

/* What stands between the boots and the text. */
static const char *words_of(const json_t *finding)
{
	const char *kind = text_of(finding, "kind");

	if (strcmp(kind, "failed-unit") == 0)
		return "a unit has failed: ";
	if (strcmp(kind, "watchdog-reset") == 0)
		return "reset by the watchdog: ";
	if (strcmp(kind, "not-collected") == 0)
		return "its log was not kept: ";
	if (strcmp(kind, "nothing") == 0)
		return "";
	return strcmp(text_of(finding, "from"), "pstore") == 0 ? "its kernel left in pstore: "
								: "its kernel logged: ";
}

void result_build_findings(struct result_builder *builder)
{
	struct result *result = builder->result;
	size_t n = json_array_size(builder->findings);

	for (size_t i = 0; i < n && i < FINDINGS_SAID_MAX; i++) {
		const json_t *finding = json_array_get(builder->findings, i);

		result_texts_add(&result->warnings, "%s: %s%s", text_of(finding, "boots"),
				 words_of(finding), text_of(finding, "text"));
	}
	if (n > FINDINGS_SAID_MAX)
		result_texts_add(&result->warnings, "The kernels' logs hold %zu findings more: abbot log %lld --boot N.",
				 n - FINDINGS_SAID_MAX, (long long)result->job_id);
}
