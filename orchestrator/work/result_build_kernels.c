// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was made before the first boot: the points' configs and kernels, and whom to tell.
 */
#include "common/cleanup.h"
#include "orchestrator/work/result_build_internal.h"

static const char *data_text(const struct event *event, const char *key)
{
	return json_string_value(json_object_get(event->data, key));
}

static void take_recipients(struct result_texts *texts, const json_t *list)
{
	const json_t *recipient;
	size_t i;

	result_texts_clear(texts);
	json_array_foreach(list, i, recipient) {
		if (json_is_string(recipient))
			result_texts_add(texts, "%s", json_string_value(recipient));
	}
}

void result_build_configure(struct result_builder *builder, const struct event *event)
{
	struct result *result = builder->result;
	const json_t *equal = json_object_get(event->data, "equal");
	const json_t *recipients = json_object_get(event->data, "recipients");
	json_t *element;
	size_t i;

	take_recipients(&result->mail.to, json_object_get(recipients, "to"));
	take_recipients(&result->mail.cc, json_object_get(recipients, "cc"));
	result_build_replace(&result->mail.note,
			     json_string_value(json_object_get(recipients, "note")));
	if (!json_is_boolean(equal))
		return;
	result->is_config_compared = true;
	result->is_config_equal = json_is_true(equal);
	json_array_foreach(json_object_get(event->data, "points"), i, element) {
		if (i < result->n_points)
			result_build_replace(&result->points[i].config_sha256,
				json_string_value(json_object_get(element, "config_sha256")));
	}
	json_array_foreach(json_object_get(event->data, "differences"), i, element) {
		_cleanup_free_ char *text = json_dumps(element, JSON_ENCODE_ANY | JSON_SORT_KEYS);
		const char *plain = json_string_value(element);

		result_texts_add(&result->config_differences, "%s", plain ? plain : text);
	}
}

void result_build_kernel(struct result_builder *builder, const struct event *event)
{
	struct result_point *point = &builder->result->points[event->point];
	const json_t *tail = json_object_get(event->data, "log_tail");

	if (data_text(event, "error")) {
		result_build_replace(&point->failure, data_text(event, "error"));
		result_build_replace(&point->log_tail, json_is_string(tail) ? json_string_value(tail)
							       : data_text(event, "error"));
		return;
	}
	result_build_replace(&point->failure, NULL);
	result_build_replace(&point->log_tail, NULL);
	result_build_replace(&point->kernel_key, data_text(event, "key"));
	result_build_replace(&point->build_id, data_text(event, "build_id"));
	result_build_replace(&point->release, data_text(event, "release"));
	result_build_replace(&point->compiler, data_text(event, "compiler"));
	if (data_text(event, "no_sandbox") || !builder->sandbox)
		result_build_replace(&builder->sandbox, data_text(event, "no_sandbox") ?
				     data_text(event, "no_sandbox") : data_text(event, "sandbox"));
	if (data_text(event, "config_sha256"))
		result_build_replace(&point->config_sha256, data_text(event, "config_sha256"));
}
