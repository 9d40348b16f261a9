// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a job's state directory keeps beside the store: configs, build logs and descriptions of its
 * kernels, and what each boot left behind. Files are named one by one: nothing else of that
 * directory is ever read.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "configs/compare.h"
#include "orchestrator/work/bundle_make.h"
#include "orchestrator/work/evidence.h"
#include "orchestrator/work/kernel_store.h"

static int add_file(struct bundle *bundle, const char *path, const char *name, json_t *absent,
		    struct error *err)
{
	struct error why = { "" };
	char *data;
	size_t size;
	int r;

	/* A collection that was cut off is told of twice. */
	if (bundle_has(bundle, name))
		return 0;
	r = file_read_regular(path, BUNDLE_FILE_MAX_BYTES, &data, &size, &why);

	if (r == 0)
		return bundle_add(bundle, name, data, size, err);
	if (r == -EACCES || r == -EPERM)
		return error_set(err, -EPERM, "%s; be root or in the group abbot", why.text);
	(void)json_array_append_new(absent, json_string(name));
	return 0;
}

/* The key of each point's kernel, as its build said it last. */
static const char *key_of(const struct event_list *events, size_t point)
{
	const char *key = NULL;

	for (size_t i = 0; i < events->n_events; i++) {
		const struct event *event = &events->events[i];
		const char *said = json_string_value(json_object_get(event->data, "key"));

		if (event->kind == EVENT_BUILD && event->point == (int)point && said)
			key = said;
	}
	return key;
}

static int add_kernel(struct bundle *bundle, const char *state_directory, const char *key,
		      const char *directory, json_t *absent, struct error *err)
{
	static const char *const files[] = { "config", "build.log", "meta.json" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *path = kernel_store_path(state_directory, key, files[i]);
		_cleanup_free_ char *name = text_format("%s/%s", directory, files[i]);

		if (path)
			r = add_file(bundle, path, name, absent, err);
	}
	return r;
}

static int parse_config(const struct bundle *bundle, const char *directory,
			struct kernel_config *ret_config)
{
	_cleanup_free_ char *name = text_format("%s/config", directory);

	for (size_t i = 0; i < bundle->n_files; i++)
		if (strcmp(bundle->files[i].name, name) == 0)
			return kernel_config_parse(bundle->files[i].data, bundle->files[i].size, name,
						   ret_config, NULL);
	return -ENOENT;
}

static void say_only(struct text_buffer *text, const json_t *symbols, const char *name)
{
	for (size_t i = 0; i < json_array_size(symbols); i++) {
		const json_t *symbol = json_array_get(symbols, i);
		const char *word = json_string_value(symbol);
		_cleanup_free_ char *dump = word ? NULL : json_dumps(symbol, JSON_ENCODE_ANY | JSON_SORT_KEYS);

		text_printf(text, "  only %s: %s\n", name, word ? word : dump);
	}
}

static void say_differences(struct text_buffer *text, const struct bundle *bundle,
			    const struct job *job, size_t index)
{
	_cleanup_free_ char *first = bundle_point_directory(&job->points[0], 0);
	_cleanup_free_ char *other = bundle_point_directory(&job->points[index], index);
	const char *name_a = job->points[0].name, *name_b = job->points[index].name;
	_cleanup_(kernel_config_done) struct kernel_config a = { 0 }, b = { 0 };
	_cleanup_json_ json_t *comparison = NULL;
	_cleanup_free_ char *conflicts = NULL;
	size_t before = text->size;

	text_printf(text, "%s and %s:\n", name_a, name_b);
	if (parse_config(bundle, first, &a) < 0 || parse_config(bundle, other, &b) < 0) {
		text_append(text, "  a config is absent\n");
		return;
	}
	before = text->size;
	(void)kernel_config_compare(&a, &b, &comparison);
	conflicts = kernel_config_conflicts_text(comparison, name_a, name_b);
	text_append(text, conflicts ? conflicts : "");
	say_only(text, json_object_get(comparison, "only_a"), name_a);
	say_only(text, json_object_get(comparison, "only_b"), name_b);
	if (text->size == before)
		text_append(text, "  equal but for the local version\n");
}

static int add_kernels(struct bundle *bundle, const struct job *job,
		       const struct event_list *events, const char *state_directory,
		       json_t *absent, struct error *err)
{
	struct text_buffer differences = { 0 };
	size_t size;
	int r = 0;

	for (size_t i = 0; r == 0 && i < job->n_points; i++) {
		_cleanup_free_ char *directory = bundle_point_directory(&job->points[i], i);
		const char *key = key_of(events, i);

		if (key)
			r = add_kernel(bundle, state_directory, key, directory, absent, err);
		else
			(void)json_array_append_new(absent, json_string(directory));
	}
	for (size_t i = 1; r == 0 && i < job->n_points; i++)
		say_differences(&differences, bundle, job, i);
	size = differences.size;
	if (r == 0 && size)
		return bundle_add(bundle, "kernels/config-differences.txt",
				  text_buffer_take(&differences), size, err);
	text_buffer_done(&differences);
	return r;
}

static int add_boot(struct bundle *bundle, const struct event *event, const char *state_directory,
		    json_t *absent, struct error *err)
{
	static const char *const names[] = { EVIDENCE_KERNEL_LOG, EVIDENCE_JOURNAL, EVIDENCE_PSTORE };
	_cleanup_free_ char *directory =
		evidence_directory(state_directory, event->job, event->boot, event->attempt);
	const json_t *files = json_object_get(event->data, "files");
	int r = 0;

	for (size_t i = 0; r == 0 && i < json_array_size(files); i++) {
		const char *file = json_string_value(json_array_get(files, i));

		for (size_t k = 0; r == 0 && file && k < ARRAY_SIZE(names); k++) {
			_cleanup_free_ char *path = path_join(directory, names[k]);
			_cleanup_free_ char *name = text_format("boots/boot-%02d-attempt-%d/%s", event->boot + 1,
								event->attempt, names[k]);

			if (strcmp(file, names[k]) == 0)
				r = add_file(bundle, path, name, absent, err);
		}
	}
	return r;
}

int bundle_add_kept(struct bundle *bundle, const struct event_list *events,
		    const char *state_directory, json_t *absent, struct error *err)
{
	struct job job;
	int r = bundle_job(events, &job, err);

	if (r < 0)
		return r;
	r = add_kernels(bundle, &job, events, state_directory, absent, err);
	job_done(&job);
	for (size_t i = 0; r == 0 && i < events->n_events; i++)
		if (events->events[i].kind == EVENT_EVIDENCE && events->events[i].phase == EVENT_RESULT)
			r = add_boot(bundle, &events->events[i], state_directory, absent, err);
	return r;
}
