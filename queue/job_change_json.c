// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A point's changes as JSON, a list of objects in their order. Strict when read, since it
 * may come over a socket.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job_change.h"
#include "queue/job_key.h"

json_t *job_changes_to_json(const struct job_changes *changes)
{
	json_t *array = json_array();

	for (size_t i = 0; i < changes->n; i++) {
		const struct job_change *change = &changes->items[i];
		json_t *object = json_object();

		json_object_set_new(object, "kind", json_string(job_change_name(change->kind)));
		json_object_set_new(object, "what", json_string(change->what));
		if (change->title)
			json_object_set_new(object, "title", json_string(change->title));
		if (change->id[0])
			json_object_set_new(object, "id", json_string(change->id));
		if (change->content[0])
			json_object_set_new(object, "content", json_string(change->content));
		json_array_append_new(array, object);
	}
	return array;
}

static int id_from_json(const char *name, const char *text, char *ret_id, struct error *err)
{
	size_t length = strlen(text);

	if (length >= JOB_CHANGE_ID_SIZE || strspn(text, "0123456789abcdef") != length)
		return error_set(err, -EINVAL, "\"%s\" of a change is not an id", name);
	memcpy(ret_id, text, length + 1);
	return 0;
}

static int member_from_json(struct job_change *change, const char *name, const char *text,
			    struct error *err)
{
	if (strcmp(name, "kind") == 0 || strcmp(name, "what") == 0)
		return 0; /* taken already */
	if (strcmp(name, "id") == 0)
		return id_from_json(name, text, change->id, err);
	if (strcmp(name, "content") == 0)
		return id_from_json(name, text, change->content, err);
	if (strcmp(name, "title") == 0) {
		free(change->title);
		change->title = text_duplicate(text);
		return 0;
	}
	return error_set(err, -EINVAL, "a change has an unknown key \"%.100s\"", name);
}

static int change_from_json(json_t *object, struct job_changes *changes, struct error *err)
{
	const char *kind_name = json_string_value(json_object_get(object, "kind"));
	const char *what = json_string_value(json_object_get(object, "what"));
	enum job_change_kind kind;
	struct job_change *change;
	const char *name;
	json_t *value;
	int r;

	if (!kind_name || !what || job_change_from_name(kind_name, &kind) < 0)
		return error_set(err, -EINVAL, "a change of a point has no usable \"kind\" and \"what\"");
	r = job_changes_add(changes, kind, what, &change, err);
	if (r < 0)
		return r;
	json_object_foreach(object, name, value) {
		const char *text = json_string_value(value);

		if (!text || strlen(text) > JOB_TEXT_MAX_BYTES)
			return error_set(err, -EINVAL,
					 "\"%.100s\" of a change must be a text of at most %d bytes", name,
					 JOB_TEXT_MAX_BYTES);
		r = member_from_json(change, name, text, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int job_changes_from_json(const json_t *json, struct job_changes *changes, struct error *err)
{
	json_t *element;
	size_t i;

	if (!json_is_array(json))
		return error_set(err, -EINVAL, "\"changes\" of a point must be a list");
	json_array_foreach(json, i, element) {
		int r = change_from_json(element, changes, err);

		if (r < 0)
			return r;
	}
	return 0;
}
