// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files and directories of patches. What is in a mail is mbox.c's and mbox_series.c's.
 */
#include "orchestrator/work/patch_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base64.h"
#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/printable.h"
#include "orchestrator/work/mbox_series.h"

#define TITLE_MAX_BYTES 300

static size_t kept_bytes(const json_t *files)
{
	size_t size = 0;
	const char *sum;
	json_t *text;

	json_object_foreach((json_t *)(uintptr_t)files, sum, text)
		size += json_string_length(text) / 4 * 3;
	return size;
}

int patch_sink_keep(struct patch_sink *sink, struct job_change *change, const char *data,
		    size_t size, struct error *err)
{
	_cleanup_text_ struct text_buffer encoded = { 0 };

	if (size > JOB_CHANGES_MAX_BYTES ||
	    kept_bytes(sink->files) + size > JOB_CHANGES_MAX_BYTES)
		return error_set(err, -E2BIG, "%s: the patches and files of a job may have %d KiB",
				 change->what, JOB_CHANGES_MAX_BYTES / 1024);
	digest_bytes(data, size, change->content);
	text_append(&encoded, "");
	base64_encode(data, size, &encoded);
	(void)json_object_set_new(sink->files, change->content, json_string(encoded.text));
	return 0;
}

static int patch_add(struct patch_sink *sink, const char *what, const char *title,
		     const char *data, size_t size, struct error *err)
{
	struct job_change *change;
	int r = job_changes_add(sink->changes, JOB_CHANGE_PATCH, what, &change, err);

	if (r < 0)
		return r;
	if (title && *title) {
		change->title = text_format("%.*s", TITLE_MAX_BYTES, title);
		printable_clean(change->title, false); /* it may be cut within a character */
	}
	return patch_sink_keep(sink, change, data, size, err);
}

static int series_add(const struct mbox_series *series, const char *base,
		      struct patch_sink *sink, struct error *err)
{
	int r = 0;

	if (series->note)
		text_printf(sink->notes, "%s\n", series->note);
	for (size_t i = 0; i < series->n_patches && r == 0; i++) {
		const struct mbox_patch *patch = &series->patches[i];
		_cleanup_free_ char *what =
			series->n_patches == 1 ? text_duplicate(base)
					       : text_format("%s %zu/%zu", base, i + 1, series->n_patches);

		r = patch_add(sink, what, patch->title, patch->text, patch->size, err);
	}
	return r;
}

int patch_read_bytes(const char *data, size_t size, const char *name, const char *message_id,
		     struct patch_sink *sink, struct error *err)
{
	/* Of a file its name is enough; a URL says where others find it. */
	const char *slash = strstr(name, "://") ? NULL : strrchr(name, '/');
	const char *base = slash && slash[1] ? slash + 1 : name;
	_cleanup_(mbox_done) struct mbox mbox = { 0 };
	_cleanup_(mbox_series_done) struct mbox_series series = { 0 };
	int r;

	if (size == 0)
		return error_set(err, -EINVAL, "%s is empty", name);
	if (memchr(data, '\0', size))
		return error_set(err, -EINVAL, "%s is no patch: it holds a NUL byte", name);
	if (!mbox_is_mail(data, size)) {
		if (!mbox_has_diff(data))
			return error_set(err, -EINVAL, "%s is no patch: it holds no diff", name);
		return patch_add(sink, base, NULL, data, size, err);
	}
	r = mbox_parse(data, size, name, &mbox, err);
	if (r == 0)
		r = mbox_series_select(&mbox, name, message_id, &series, err);
	return r < 0 ? r : series_add(&series, base, sink, err);
}

static int read_file(const char *path, struct patch_sink *sink, struct error *err)
{
	_cleanup_free_ char *data = NULL;
	size_t size = 0;
	int r = file_read_regular(path, MBOX_MAX_BYTES, &data, &size, err);

	return r < 0 ? r : patch_read_bytes(data, size, path, NULL, sink, err);
}

static int is_patch_name(const struct dirent *entry)
{
	const char *name = entry->d_name;

	return name[0] != '.' && (text_has_suffix(name, ".patch") || text_has_suffix(name, ".diff")) &&
	       !text_has_suffix(name, "-cover-letter.patch");
}

/* By bytes, whatever the language. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_directory(const char *path, struct patch_sink *sink, struct error *err)
{
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, is_patch_name, compare_names);
	int r = 0;

	if (n < 0)
		return error_set_errno(err, -errno, "%s cannot be read", path);
	if (n == 0)
		r = error_set(err, -ENOENT, "%s holds no file that ends in .patch or .diff", path);
	for (int i = 0; i < n; i++) {
		_cleanup_free_ char *file = path_join(path, entries[i]->d_name);

		if (r == 0)
			r = read_file(file, sink, err);
		free(entries[i]);
	}
	free(entries);
	return r;
}

int patch_read_path(const char *path, struct patch_sink *sink, struct error *err)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return error_set_errno(err, -errno, "the patch %s cannot be read", path);
	return S_ISDIR(status.st_mode) ? read_directory(path, sink, err) : read_file(path, sink, err);
}
