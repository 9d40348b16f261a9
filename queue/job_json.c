// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job as JSON, the stored form: one object a section, keys as in the job file, and
 * the points as a list. Reading it back is queue/job_json_read.c's.
 */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "queue/job.h"
#include "queue/job_key.h"

static json_t *list_to_json(char *const *list)
{
	json_t *array = json_array();

	for (size_t i = 0; list && list[i]; i++)
		json_array_append_new(array, json_string(list[i]));
	return array;
}

/* NULL for what is not set. @object: a struct job or job_bench. */
static json_t *member_to_json(const struct job_key *key, const void *object)
{
	const void *member = (const char *)object + key->offset;
	const char *text;

	switch (key->type) {
	case JOB_KEY_TEXT:
		text = *(char *const *)member;
		return text ? json_string(text) : NULL;
	case JOB_KEY_LIST:
		return list_to_json(*(char *const *const *)member);
	case JOB_KEY_INTEGER:
	case JOB_KEY_DURATION:
	case JOB_KEY_TIME:
		return json_integer(*(const int64_t *)member);
	case JOB_KEY_PERCENT:
		return json_real(*(const double *)member);
	case JOB_KEY_BOOLEAN:
		return json_boolean(*(const bool *)member);
	case JOB_KEY_DESIGN:
		return json_string(job_design_name(*(const enum job_design *)member));
	case JOB_KEY_DIFFERENCES:
		return json_string(*(const enum job_differences *)member == JOB_DIFFERENCES_ALLOW ?
					   "allow" :
					   "refuse");
	case JOB_KEY_CHANGE:
		return NULL; /* of a point: point_to_json() */
	}
	return NULL;
}

static json_t *point_to_json(const struct job_point *point)
{
	json_t *object = json_object();

	json_object_set_new(object, "name", json_string(point->name));
	json_object_set_new(object, "revision", json_string(point->revision));
	if (point->commit[0])
		json_object_set_new(object, "commit", json_string(point->commit));
	if (point->tree[0])
		json_object_set_new(object, "tree", json_string(point->tree));
	if (point->title)
		json_object_set_new(object, "title", json_string(point->title));
	if (point->changes.n)
		json_object_set_new(object, "changes", job_changes_to_json(&point->changes));
	if (point->kernel[0])
		json_object_set_new(object, "kernel", json_string(point->kernel));
	return object;
}

static json_t *bench_to_json(const struct job_bench *bench)
{
	json_t *object = json_object();

	json_object_set_new(object, "name", json_string(bench->name));
	for (const struct job_key *key = job_keys; key->section; key++) {
		const void *member = (const char *)bench + key->offset;

		if (strcmp(key->section, "bench") != 0 ||
		    (key->type == JOB_KEY_INTEGER && *(const int64_t *)member < 0))
			continue;
		json_t *value = member_to_json(key, bench);
		if (value)
			json_object_set_new(object, key->name, value);
	}
	return object;
}

static json_t *benches_to_json(const struct job *job)
{
	json_t *benches = json_array();

	for (size_t i = 0; i < job->n_benches; i++)
		json_array_append_new(benches, bench_to_json(&job->benches[i]));
	return benches;
}

json_t *job_to_json(const struct job *job)
{
	json_t *root = json_object();
	json_t *points = json_array();

	if (!root || !points)
		abort();
	for (const struct job_key *key = job_keys; key->section; key++) {
		json_t *section = json_object_get(root, key->section);

		if (job_section_is_named(key->section))
			continue;
		if (!section) {
			section = json_object();
			json_object_set_new(root, key->section, section);
		}
		/* Text that is not UTF-8 cannot be JSON; job_validate() refuses it before. */
		json_t *value = member_to_json(key, job);
		if (value)
			json_object_set_new(section, key->name, value);
	}
	for (size_t i = 0; i < job->n_points; i++)
		json_array_append_new(points, point_to_json(&job->points[i]));
	json_object_set_new(root, "points", points);
	if (job->n_benches)
		json_object_set_new(root, "benches", benches_to_json(job));
	return root;
}
