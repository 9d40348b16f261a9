// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine profile's knobs: governor, energy preference and turbo are saved, set, read
 * back and restored. What is only recorded is in profile_facts.c.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/measure.h"
#include "orchestrator/work/profile_facts.h"
#include "orchestrator/work/profile_files.h"
#include "orchestrator/work/profile_knobs.h"

#define GOVERNOR_FILE "scaling_governor"
#define EPP_FILE "energy_performance_preference"
#define KEEP "keep"

static const char *root_prefix(const char *root)
{
	return root && strcmp(root, "/") != 0 ? root : "";
}

int profile_read(const char *root, const struct job *job, json_t **ret_saved, struct error *err)
{
	_cleanup_json_ json_t *saved = json_object();

	root = root_prefix(root);
	if (!saved)
		return error_set(err, -ENOMEM, "no memory for the machine profile");
	if (strcmp(job->measure.governor, KEEP) != 0) {
		/* Setting a governor can change the preference too, whatever was asked for. */
		(void)json_object_set_new(saved, "epp", profile_read_cpus(root, EPP_FILE));
		(void)json_object_set_new(saved, "governor",
					  profile_read_cpus(root, GOVERNOR_FILE));
	}
	if (strcmp(job->measure.turbo, KEEP) != 0)
		(void)json_object_set_new(saved, "turbo", profile_turbo_read(root));
	*ret_saved = TAKE_PTR(saved);
	return 0;
}

static int apply_knobs(const char *root, const struct job_measure *measure, struct error *err)
{
	int code = 0;

	if (strcmp(measure->governor, KEEP) != 0)
		code = profile_cpus_set(root, GOVERNOR_FILE, "scaling_available_governors",
				measure->governor, err);
	/* After the governor: under another one the driver may refuse the preference. */
	if (code == 0 && strcmp(measure->governor, "performance") == 0)
		code = profile_cpus_set(root, EPP_FILE, "energy_performance_available_preferences",
				"performance", err);
	if (code == 0 && strcmp(measure->turbo, KEEP) != 0)
		code = profile_turbo_set(root, measure->turbo, err);
	return code < 0 ? code : 0;
}

/* One word where all CPUs agree, as they mostly do; else the whole map. */
static json_t *fold_cpus(json_t *values)
{
	json_t *first = json_object_iter_value(json_object_iter(values));
	const char *cpu;
	json_t *value;

	json_object_foreach(values, cpu, value) {
		if (!json_equal(value, first))
			return values;
	}
	if (!first)
		return values;
	(void)json_incref(first);
	json_decref(values);
	return first;
}

int profile_apply(const char *root, const struct job *job, const char *config_path,
		  json_t **ret_result, struct error *err)
{
	_cleanup_json_ json_t *in_force = NULL;
	json_t *not_available = json_array();
	const char *name;
	json_t *value;
	int code;

	root = root_prefix(root);
	code = apply_knobs(root, &job->measure, err);
	if (code < 0) {
		json_decref(not_available);
		return code;
	}

	_cleanup_json_ json_t *unsorted = profile_facts_read(root, job->measure.cpu,
							      config_path);

	(void)json_object_set_new(unsorted, "governor",
				  fold_cpus(profile_read_cpus(root, GOVERNOR_FILE)));
	(void)json_object_set_new(unsorted, "epp", fold_cpus(profile_read_cpus(root, EPP_FILE)));
	(void)json_object_set_new(unsorted, "turbo", profile_turbo_read(root));
	in_force = profile_sort(unsorted);
	json_object_foreach(in_force, name, value) {
		if (json_is_null(value))
			(void)json_array_append_new(not_available, json_string(name));
	}
	*ret_result = json_pack("{s:O, s:o}", "in_force", in_force, "not_available",
				not_available);
	return 0;
}

/* Saved values come from the store; a name that is no CPU must not become a path. */
static bool is_cpu_name(const char *name)
{
	int64_t number;

	return text_has_prefix(name, "cpu") && text_parse_i64(name + 3, 0, 65535, &number) == 0;
}

/* Remembers the first failure only, and that something was changed. */
struct restoring {
	json_t *restored;
	json_t *missing;
	int code;
	struct error error;
};

static void note_end(struct restoring *restoring, const char *name, int code,
		     const struct error *error)
{
	if (code > 0)
		(void)json_array_append_new(restoring->restored, json_string(name));
	if (code < 0 && restoring->code == 0) {
		restoring->code = code;
		restoring->error = *error;
	}
}

static void restore_cpus(const char *root, const char *name, const char *file,
			 const json_t *values, struct restoring *restoring)
{
	struct error error = { 0 };
	const char *cpu;
	json_t *value;
	int changed = 0;

	json_object_foreach((json_t *)values, cpu, value) {
		if (!is_cpu_name(cpu) || !json_is_string(value)) {
			note_end(restoring, name,
				 error_set(&error, -EBADMSG, "the saved %s is damaged", name),
				 &error);
			continue;
		}

		_cleanup_free_ char *path = profile_cpu_path(root, cpu, file);

		if (!file_exists(path)) {
			(void)json_array_append_new(restoring->missing, json_string(cpu));
			continue;
		}

		int code = profile_set_verified(path, json_string_value(value), &error);

		if (code > 0)
			changed = 1;
		note_end(restoring, name, code < 0 ? code : 0, &error);
	}
	note_end(restoring, name, changed, &error);
}

int profile_restore(const char *root, const json_t *saved, json_t **ret_result, struct error *err)
{
	const char *turbo = json_string_value(json_object_get(saved, "turbo"));
	struct restoring restoring = { .restored = json_array(), .missing = json_array() };
	struct error error = { 0 };

	root = root_prefix(root);
	/* The governor first: "performance" may forbid any other preference. */
	restore_cpus(root, "governor", GOVERNOR_FILE, json_object_get(saved, "governor"),
		     &restoring);
	restore_cpus(root, "epp", EPP_FILE, json_object_get(saved, "epp"), &restoring);
	if (turbo)
		note_end(&restoring, "turbo", profile_turbo_set(root, turbo, &error), &error);

	_cleanup_json_ json_t *result = json_pack("{s:o, s:o}", "restored", restoring.restored,
						  "missing", restoring.missing);

	if (restoring.code < 0)
		return error_set(err, restoring.code, "%s", restoring.error.text);
	*ret_result = TAKE_PTR(result);
	return 0;
}
