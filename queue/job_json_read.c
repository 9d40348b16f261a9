// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job from JSON. Strict, since it may come over a socket: unknown keys, wrong types
 * and values out of range are refused; missing keys keep their defaults. Whether the
 * job as a whole makes sense is queue/job_validate.c's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job.h"
#include "queue/job_key.h"

static int wrong_type(const struct job_key *key, const char *wanted, struct error *err)
{
	return error_set(err, -EINVAL, "%s.%s must be %s", key->section, key->name, wanted);
}

static int list_from_json(const struct job_key *key, const json_t *value, char ***list,
			  struct error *err)
{
	json_t *item;
	size_t i;
	int r;

	if (!json_is_array(value))
		return wrong_type(key, "a list of texts", err);
	json_array_foreach(value, i, item) {
		if (!json_is_string(item))
			return wrong_type(key, "a list of texts", err);
		r = job_key_check_text(key, json_string_value(item), err);
		if (r == 0)
			r = job_list_append(list, json_string_value(item), err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* @object: a struct job or job_bench. */
static int member_from_json(const struct job_key *key, const json_t *value, void *object,
			    struct error *err)
{
	void *member = (char *)object + key->offset;
	int r;

	switch (key->type) {
	case JOB_KEY_TEXT:
	case JOB_KEY_DESIGN:
	case JOB_KEY_DIFFERENCES:
		if (!json_is_string(value))
			return wrong_type(key, "a text", err);
		return job_key_set_text(key, object, json_string_value(value), err);
	case JOB_KEY_LIST:
		return list_from_json(key, value, member, err);
	case JOB_KEY_INTEGER:
	case JOB_KEY_DURATION:
	case JOB_KEY_TIME:
		if (!json_is_integer(value))
			return wrong_type(key, "a whole number", err);
		r = job_key_check_integer(key, json_integer_value(value), err);
		if (r == 0)
			*(int64_t *)member = json_integer_value(value);
		return r;
	case JOB_KEY_PERCENT:
		if (!json_is_number(value))
			return wrong_type(key, "a number", err);
		r = job_key_check_percent(key, json_number_value(value), err);
		if (r == 0)
			*(double *)member = json_number_value(value);
		return r;
	case JOB_KEY_BOOLEAN:
		if (!json_is_boolean(value))
			return wrong_type(key, "true or false", err);
		*(bool *)member = json_is_true(value);
		return 0;
	case JOB_KEY_CHANGE:
		break; /* of a point: point_from_json() */
	}
	return -EINVAL;
}

static int section_from_json(const char *section, json_t *object, struct job *job,
			     struct error *err)
{
	const char *name;
	json_t *value;

	if (!json_is_object(object))
		return error_set(err, -EINVAL, "\"%s\" of the job must be an object", section);
	json_object_foreach(object, name, value) {
		const struct job_key *key = job_key_find(section, name);
		int r;

		if (!key)
			return error_set(err, -EINVAL, "the job has an unknown key %s.%.100s",
					 section, name);
		r = member_from_json(key, value, job, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* An id is lower-case hexadecimal: it becomes part of paths and of git look-ups. */
static int id_from_json(const char *name, const char *text, char *ret_id, size_t size,
			struct error *err)
{
	size_t length = strlen(text);

	if (length >= size || strspn(text, "0123456789abcdef") != length)
		return error_set(err, -EINVAL, "\"%s\" of a point is not an object id", name);
	memcpy(ret_id, text, length + 1);
	return 0;
}

static int point_member_from_json(struct job_point *point, const char *name, const char *text,
				  struct error *err)
{
	if (strlen(text) > JOB_TEXT_MAX_BYTES)
		return error_set(err, -E2BIG, "\"%.100s\" of a point is too long", name);
	if (strcmp(name, "name") == 0 || strcmp(name, "revision") == 0)
		return 0; /* job_add_point() took them */
	if (strcmp(name, "commit") == 0)
		return id_from_json(name, text, point->commit, sizeof(point->commit), err);
	if (strcmp(name, "tree") == 0)
		return id_from_json(name, text, point->tree, sizeof(point->tree), err);
	if (strcmp(name, "kernel") == 0)
		return id_from_json(name, text, point->kernel, sizeof(point->kernel), err);
	if (strcmp(name, "title") == 0) {
		free(point->title);
		point->title = text_duplicate(text);
		return 0;
	}
	return error_set(err, -EINVAL, "a point has an unknown key \"%.100s\"", name);
}

static int point_from_json(json_t *object, struct job *job, struct error *err)
{
	const char *point_name = json_string_value(json_object_get(object, "name"));
	const char *revision = json_string_value(json_object_get(object, "revision"));
	const char *name;
	json_t *value;
	int r;

	if (!point_name || strlen(point_name) > JOB_TEXT_MAX_BYTES)
		return error_set(err, -EINVAL, "a point of the job has no usable \"name\"");
	r = job_add_point(job, point_name, revision, err);
	if (r < 0)
		return r;
	json_object_foreach(object, name, value) {
		struct job_point *point = &job->points[job->n_points - 1];

		if (strcmp(name, "changes") == 0) {
			r = job_changes_from_json(value, &point->changes, err);
			if (r < 0)
				return r;
			continue;
		}
		if (!json_is_string(value))
			return error_set(err, -EINVAL, "\"%.100s\" of a point must be a text", name);
		r = point_member_from_json(point, name, json_string_value(value), err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int bench_from_json(json_t *object, struct job *job, struct error *err)
{
	const char *bench_name = json_string_value(json_object_get(object, "name"));
	const char *name;
	json_t *value;
	int r;

	if (!bench_name || strlen(bench_name) > JOB_TEXT_MAX_BYTES)
		return error_set(err, -EINVAL, "a workload of the job has no usable \"name\"");
	r = job_add_bench(job, bench_name, "", err);
	if (r < 0)
		return r;
	json_object_foreach(object, name, value) {
		const struct job_key *key = job_key_find("bench", name);

		if (strcmp(name, "name") == 0)
			continue;
		if (!key)
			return error_set(err, -EINVAL, "a workload has an unknown key \"%.100s\"",
					 name);
		r = member_from_json(key, value, &job->benches[job->n_benches - 1], err);
		if (r < 0)
			return r;
	}
	return 0;
}

typedef int (*element_reader)(json_t *object, struct job *job, struct error *err);

/* Points or workloads. */
static int array_from_json(const char *name, const json_t *array, element_reader read,
			   struct job *job, struct error *err)
{
	json_t *element;
	size_t i;

	if (!json_is_array(array))
		return error_set(err, -EINVAL, "\"%s\" of the job must be a list", name);
	json_array_foreach(array, i, element) {
		int r = read(element, job, err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int root_from_json(json_t *json, struct job *job, struct error *err)
{
	const char *name;
	json_t *value;
	int r = 0;

	json_object_foreach(json, name, value) {
		bool is_section = false;

		if (strcmp(name, "points") == 0 || strcmp(name, "benches") == 0) {
			r = array_from_json(name, value,
					    name[0] == 'p' ? point_from_json
							       : bench_from_json,
					    job, err);
			if (r < 0)
				return r;
			continue;
		}
		for (size_t i = 0; job_sections[i]; i++)
			if (strcmp(job_sections[i], name) == 0 && !job_section_is_named(name))
				is_section = true;
		if (!is_section)
			return error_set(err, -EINVAL, "the job has an unknown section \"%.100s\"",
					 name);
		r = section_from_json(name, value, job, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int job_from_json(const json_t *json, struct job *ret_job, struct error *err)
{
	struct job job;
	int r;

	if (!json_is_object(json))
		return error_set(err, -EINVAL, "the job is not a JSON object");
	job_init(&job);
	/* jansson's iterators take no const; nothing here writes. */
	r = root_from_json((json_t *)(uintptr_t)json, &job, err);
	if (r < 0) {
		job_done(&job);
		return r;
	}
	*ret_job = job;
	return 0;
}
