// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changes from the command line and from job files: options into points, names into bytes.
 */
#include "orchestrator/cli/queue_changes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "orchestrator/work/patch_fetch.h"

static const struct {
	const char *option;
	enum job_change_kind kind;
} change_options[] = {
	{ "--patch", JOB_CHANGE_PATCH },
	{ "--override", JOB_CHANGE_OVERRIDE },
	{ "--revert", JOB_CHANGE_REVERT },
	{ "--config-set", JOB_CHANGE_CONFIG },
	{ "--patched-cmdline", JOB_CHANGE_CMDLINE },
};

void queue_changes_init(struct queue_changes *changes, const char *state_directory)
{
	*changes = (struct queue_changes){ .files = json_object(),
					   .cache = path_join(state_directory, "cache/fetched") };
	if (!changes->files)
		abort();
}

void queue_changes_done(struct queue_changes *changes)
{
	json_decref(changes->files);
	free(changes->cache);
	text_buffer_done(&changes->notes);
}

bool queue_is_change_option(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(change_options); i++)
		if (strcmp(change_options[i].option, name) == 0)
			return true;
	return strcmp(name, "--control") == 0 || strcmp(name, "--each") == 0;
}

bool queue_has_changes(const struct cli_arguments *arguments)
{
	for (size_t i = 0; i < arguments->n_options; i++)
		if (queue_is_change_option(arguments->options[i].name))
			return true;
	return false;
}

static int override_load(struct patch_sink *sink, const char *what, const char *directory,
			 struct error *err)
{
	_cleanup_free_ char *path = NULL, *file = NULL, *data = NULL;
	struct job_change *change;
	const char *source;
	size_t size = 0;
	int r = job_change_split_override(what, &path, &source, err);

	if (r == 0)
		r = job_changes_add(sink->changes, JOB_CHANGE_OVERRIDE, what, &change, err);
	if (r < 0 || !job_change_is_file(source))
		return r;
	file = source[0] == '/' || !directory ? text_duplicate(source) : path_join(directory, source);
	r = file_read_regular(file, JOB_CHANGES_MAX_BYTES, &data, &size, err);
	return r < 0 ? error_prefix(err, r, "override %s", what)
		     : patch_sink_keep(sink, change, data, size, err);
}

static int patch_load(struct patch_sink *sink, const char *what, const char *directory,
		      const struct queue_changes *changes, struct error *err)
{
	const struct patch_fetch how = { .archive = changes->archive, .cache = changes->cache };
	_cleanup_free_ char *path = what[0] == '/' || !directory ? text_duplicate(what)
								 : path_join(directory, what);

	if (patch_fetch_is_remote(what) && !file_exists(path))
		return patch_fetch(what, &how, sink, err);
	return patch_read_path(path, sink, err);
}

/* Patches become one change each; what has its content already stays. */
static int list_load(struct job_changes *list, const char *directory,
		     struct queue_changes *changes, struct error *err)
{
	struct job_changes loaded = { 0 };
	struct patch_sink sink = { &loaded, changes->files, &changes->notes };
	int r = 0;

	for (size_t i = 0; i < list->n && r == 0; i++) {
		const struct job_change *change = &list->items[i];
		const struct job_changes one = { (struct job_change *)(uintptr_t)change, 1 };

		if (change->content[0])
			r = job_changes_copy(&loaded, &one, err);
		else if (change->kind == JOB_CHANGE_PATCH)
			r = patch_load(&sink, change->what, directory, changes, err);
		else if (change->kind == JOB_CHANGE_OVERRIDE)
			r = override_load(&sink, change->what, directory, err);
		else
			r = job_changes_copy(&loaded, &one, err);
	}
	if (r < 0) {
		job_changes_done(&loaded);
		return r;
	}
	job_changes_done(list);
	*list = loaded;
	return 0;
}

int queue_changes_load(struct job *job, const char *directory, struct queue_changes *changes,
		       struct error *err)
{
	int r = 0;

	for (size_t i = 0; i < job->n_points && r == 0; i++)
		r = list_load(&job->points[i].changes, directory, changes, err);
	return r;
}

static int options_take(const struct cli_arguments *arguments, struct job_changes *list,
			struct error *err)
{
	for (size_t i = 0; i < arguments->n_options; i++) {
		const struct cli_option *option = &arguments->options[i];

		for (size_t k = 0; k < ARRAY_SIZE(change_options); k++) {
			struct job_change *change;
			int r;

			if (strcmp(change_options[k].option, option->name) != 0)
				continue;
			r = job_changes_add(list, change_options[k].kind, option->value, &change, err);
			if (r == 0)
				r = job_change_validate(change, false, err);
			if (r < 0)
				return r;
		}
	}
	return list->n ? 0 : error_set(err, -EINVAL, "--control and --each want changes: --patch, --override, --revert, --config-set or --patched-cmdline");
}

/* A point of @revision with the first @n changes. */
static int point_add(struct job *job, const char *name, const char *revision,
		     const struct job_changes *list, size_t n, struct error *err)
{
	const struct job_changes first = { list->items, n };
	int r = job_add_point(job, name, revision, err);

	return r < 0 ? r : job_changes_copy(&job->points[job->n_points - 1].changes, &first, err);
}

/*
 * The rungs of a ladder go from the child back to the parent: from all changes to none, or the
 * other way when the changed kernel is the control.
 */
static int ladder_add(struct job *job, const char *revision, const struct job_changes *list,
		      bool is_patched_first, struct error *err)
{
	int r = point_add(job, is_patched_first ? "patched" : "plain", revision, list,
			  is_patched_first ? list->n : 0, err);

	if (r == 0)
		r = point_add(job, is_patched_first ? "plain" : "patched", revision, list,
			      is_patched_first ? 0 : list->n, err);
	for (size_t i = 1; i < list->n && r == 0; i++) {
		size_t n = is_patched_first ? i : list->n - i;
		_cleanup_free_ char *name = text_format("first-%zu", n);

		r = point_add(job, name, revision, list, n, err);
	}
	return r;
}

static int check_words(const struct cli_arguments *arguments, const char *control, bool is_each,
		       struct error *err)
{
	const char *design = cli_arguments_get(arguments, "--design");

	if (arguments->n_words != 1 || strstr(arguments->words[0], ".."))
		return error_set(err, -EINVAL,
				 "changes are put onto one revision: give a single one (a job file has changes for each point)");
	if (control && strcmp(control, "plain") != 0 && strcmp(control, "patched") != 0)
		return error_set(err, -EINVAL, "--control is \"%.40s\", write plain or patched", control);
	if (design && strcmp(design, is_each ? "ladder" : "sandwich") != 0)
		return error_set(err, -EINVAL, "with changes the design is %s: leave out --design",
				 is_each ? "a ladder" : "a sandwich (or, with --each, a ladder)");
	return 0;
}

int queue_changes_add_points(struct job *job, const struct cli_arguments *arguments,
			     struct queue_changes *changes, struct error *err)
{
	const char *control = cli_arguments_get(arguments, "--control");
	bool is_each = cli_arguments_get(arguments, "--each") != NULL;
	bool is_patched_first = control && strcmp(control, "patched") == 0;
	_cleanup_(job_changes_done) struct job_changes list = { 0 };
	const char *revision;
	int r = check_words(arguments, control, is_each, err);

	if (r == 0)
		r = options_take(arguments, &list, err);
	if (r == 0)
		r = list_load(&list, NULL, changes, err);
	if (r < 0)
		return r;
	/* The difference is what was asked for; the report lists it. */
	if (job_changes_has_config(&list))
		job->build.config_differences = JOB_DIFFERENCES_ALLOW;
	revision = arguments->words[0];
	if (is_each && list.n < 2)
		return error_set(err, -EINVAL, "--each wants two changes at least, there is %zu", list.n);
	if (is_each && list.n + 1 > JOB_POINTS_MAX)
		return error_set(err, -E2BIG, "--each makes a kernel for each of %zu changes, a job has at most %d",
				 list.n, JOB_POINTS_MAX);
	if (is_each) {
		job->design = JOB_DESIGN_LADDER;
		return ladder_add(job, revision, &list, is_patched_first, err);
	}
	r = point_add(job, is_patched_first ? "patched" : "plain", revision, &list,
		      is_patched_first ? list.n : 0, err);
	return r < 0 ? r : point_add(job, is_patched_first ? "plain" : "patched", revision, &list,
				     is_patched_first ? 0 : list.n, err);
}
