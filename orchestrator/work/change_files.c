// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The patches and files that come with a job: sums checked, kept for evidence. What is in
 * them is change.c's business.
 */
#include "orchestrator/work/change.h"

#include <errno.h>
#include <string.h>

#include "common/base64.h"
#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"

#define PATCHES "patches"

static char *kept_path(const char *state_directory, const char *sum)
{
	return text_format("%s/" PATCHES "/%.64s", state_directory, sum);
}

/* *ret_text is the encoded text, borrowed from @files or *kept. */
static int content_find(const struct job_change *change, const char *state_directory,
			const json_t *files, char **kept, const char **ret_text, struct error *err)
{
	_cleanup_free_ char *path = kept_path(state_directory, change->content);
	_cleanup_free_ char *data = NULL;
	struct text_buffer text = { 0 };
	size_t size = 0;

	*ret_text = json_string_value(json_object_get(files, change->content));
	if (*ret_text)
		return 0;
	if (file_read(path, JOB_CHANGES_MAX_BYTES, &data, &size, NULL) < 0)
		return error_set(err, -ENOENT, "the content of %s %.200s is missing",
				 job_change_name(change->kind), change->what);
	base64_encode(data, size, &text);
	*kept = text_buffer_take(&text);
	*ret_text = *kept;
	return 0;
}

static int content_check(const struct job_change *change, const char *encoded, size_t *total,
			 struct error *err)
{
	_cleanup_text_ struct text_buffer bytes = { 0 };
	char sum[DIGEST_HEX_SIZE];

	if (base64_decode(encoded, strlen(encoded), &bytes) < 0)
		return error_set(err, -EINVAL, "the content of %s %.200s is damaged",
				 job_change_name(change->kind), change->what);
	digest_bytes(bytes.size ? bytes.text : "", bytes.size, sum);
	if (strcmp(sum, change->content) != 0)
		return error_set(err, -EBADMSG, "the content of %s %.200s has another checksum than it should",
				 job_change_name(change->kind), change->what);
	*total += bytes.size;
	if (*total > JOB_CHANGES_MAX_BYTES)
		return error_set(err, -E2BIG, "the patches and files of the job have more than %d KiB",
				 JOB_CHANGES_MAX_BYTES / 1024);
	return 0;
}

int change_files_check(const struct job *job, const char *state_directory, const json_t *files,
		       json_t **ret_contents, struct error *err)
{
	_cleanup_json_ json_t *contents = json_object();
	size_t total = 0;

	for (size_t i = 0; i < job->n_points; i++) {
		const struct job_changes *changes = &job->points[i].changes;

		for (size_t k = 0; k < changes->n; k++) {
			const struct job_change *change = &changes->items[k];
			_cleanup_free_ char *kept = NULL;
			const char *text;
			int r;

			/* Its sum becomes part of a path. */
			r = job_change_validate(change, false, err);
			if (r < 0)
				return r;
			if (!change->content[0] || json_object_get(contents, change->content))
				continue;
			r = content_find(change, state_directory, files, &kept, &text, err);
			if (r == 0)
				r = content_check(change, text, &total, err);
			if (r < 0)
				return r;
			(void)json_object_set_new(contents, change->content, json_string(text));
		}
	}
	*ret_contents = TAKE_PTR(contents);
	return 0;
}

int change_files_keep(const char *state_directory, const json_t *contents, struct error *err)
{
	_cleanup_free_ char *directory = path_join(state_directory, PATCHES);
	const char *sum;
	json_t *text;
	int r;

	if (json_object_size(contents) == 0)
		return 0;
	r = file_make_directories(directory, 0700, err);
	if (r < 0)
		return r;
	json_object_foreach((json_t *)(uintptr_t)contents, sum, text) {
		_cleanup_free_ char *path = kept_path(state_directory, sum);
		_cleanup_text_ struct text_buffer bytes = { 0 };

		if (file_exists(path))
			continue;
		(void)base64_decode(json_string_value(text), json_string_length(text), &bytes);
		r = file_write_durable(path, bytes.size ? bytes.text : "", bytes.size, 0600, err);
		if (r < 0)
			return r;
	}
	return 0;
}
