// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An event as JSON and back, for those who have no store: a log that is printed, a bundle
 * of evidence. What it means is in event.h.
 */
#include "queue/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* More of a job is nothing that ever was: no place is beyond it. */
#define SCOPE_MAX 1000000

static const struct {
	const char *key;
	size_t offset;
} scopes[] = {
	{ "point", offsetof(struct event, point) },
	{ "boot", offsetof(struct event, boot) },
	{ "attempt", offsetof(struct event, attempt) },
	{ "process", offsetof(struct event, process) },
};

#define N_SCOPES (sizeof(scopes) / sizeof(scopes[0]))

json_t *event_to_json(const struct event *event)
{
	return json_pack("{s:I, s:I, s:s, s:s, s:i, s:i, s:i, s:i, s:s, s:O}", "sequence",
			 (json_int_t)event->sequence, "at_ns", (json_int_t)event->at_ns, "kind",
			 event_kind_name(event->kind), "phase", event_phase_name(event->phase),
			 "point", event->point, "boot", event->boot, "attempt", event->attempt,
			 "process", event->process, "boot_id", event->boot_id, "data",
			 event->data);
}

static int read_scopes(const json_t *json, struct event *event)
{
	for (size_t i = 0; i < N_SCOPES; i++) {
		const json_t *value = json_object_get(json, scopes[i].key);
		json_int_t number = json_integer_value(value);
		int scope = (int)number;

		if (!json_is_integer(value) || number < -1 || number > SCOPE_MAX)
			return -EBADMSG;
		memcpy((char *)event + scopes[i].offset, &scope, sizeof(scope));
	}
	return 0;
}

int event_from_json(const json_t *json, int64_t job, struct event *ret_event, struct error *err)
{
	const char *kind_text = json_string_value(json_object_get(json, "kind"));
	const char *phase_text = json_string_value(json_object_get(json, "phase"));
	const char *boot_id = json_string_value(json_object_get(json, "boot_id"));
	const json_t *sequence = json_object_get(json, "sequence");
	const json_t *at_ns = json_object_get(json, "at_ns");
	json_t *data = json_object_get(json, "data");
	struct event event = { .job = job };

	if (!json_is_object(json) || json_object_size(json) != 10 || !json_is_integer(sequence) ||
	    !json_is_integer(at_ns) || !kind_text || !phase_text || !boot_id ||
	    strlen(boot_id) >= sizeof(event.boot_id) || !json_is_object(data) ||
	    read_scopes(json, &event) < 0 || event_kind_from_name(kind_text, &event.kind) < 0 ||
	    event_phase_from_name(phase_text, &event.phase) < 0)
		return error_set(err, -EBADMSG, "event %lld is not as abbot writes it",
				 (long long)json_integer_value(sequence));
	event.sequence = json_integer_value(sequence);
	event.at_ns = json_integer_value(at_ns);
	memcpy(event.boot_id, boot_id, strlen(boot_id) + 1);
	event.data = json_incref(data);
	*ret_event = event;
	return 0;
}

json_t *event_list_to_json(const struct event_list *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->n_events; i++)
		(void)json_array_append_new(array, event_to_json(&list->events[i]));
	return array;
}

int event_list_from_json(const json_t *array, int64_t job, struct event_list *ret_list,
			 struct error *err)
{
	struct event_list list = { 0 };
	size_t n = json_array_size(array);

	if (!n)
		return error_set(err, -EBADMSG, "the events are no list, or an empty one");
	list.events = calloc(n, sizeof(*list.events));
	if (!list.events)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		int r = event_from_json(json_array_get(array, i), job, &list.events[i], err);

		if (r < 0) {
			event_list_done(&list);
			return r;
		}
		list.n_events++;
	}
	*ret_list = list;
	return 0;
}
