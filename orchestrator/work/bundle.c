// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of a bundle in memory: which names may be, and how much of it all.
 */
#include "orchestrator/work/bundle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

#define PARTS_MAX 4

void bundle_done(struct bundle *bundle)
{
	if (!bundle)
		return;
	for (size_t i = 0; i < bundle->n_files; i++) {
		free(bundle->files[i].name);
		free(bundle->files[i].data);
	}
	free(bundle->files);
	*bundle = (struct bundle){ 0 };
}

bool bundle_name_is_good(const char *name)
{
	size_t length = strlen(name), parts = 1;

	if (!length || length > BUNDLE_NAME_MAX ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-/") !=
		    length)
		return false;
	for (size_t i = 0; i < length; i++) {
		bool begins = i == 0 || name[i - 1] == '/';

		if (begins && (name[i] == '.' || name[i] == '/'))
			return false;
		parts += name[i] == '/';
	}
	return parts <= PARTS_MAX && name[length - 1] != '/';
}

int bundle_add(struct bundle *bundle, const char *name, char *data, size_t size,
	       struct error *err)
{
	_cleanup_free_ char *owned = data;
	struct bundle_file *files;

	if (!bundle_name_is_good(name))
		return error_set(err, -EINVAL, "\"%.100s\" cannot be the name of a file of a bundle",
				 name);
	if (bundle->n_files >= BUNDLE_FILES_MAX)
		return error_set(err, -EFBIG, "more than %d files are no bundle", BUNDLE_FILES_MAX);
	if (size > BUNDLE_FILE_MAX_BYTES || bundle->size_bytes + size > BUNDLE_MAX_BYTES)
		return error_set(err, -EFBIG,
				 "%s is too big: a file of a bundle has %zu MiB at most, all together %zu MiB",
				 name, BUNDLE_FILE_MAX_BYTES >> 20, BUNDLE_MAX_BYTES >> 20);
	files = reallocarray(bundle->files, bundle->n_files + 1, sizeof(*files));
	if (!files)
		return error_set(err, -ENOMEM, "out of memory");
	bundle->files = files;
	files[bundle->n_files++] = (struct bundle_file){
		.name = text_duplicate(name), .data = TAKE_PTR(owned), .size = size,
	};
	bundle->size_bytes += size;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct bundle_file *)a)->name, ((const struct bundle_file *)b)->name);
}

int bundle_sort(struct bundle *bundle, struct error *err)
{
	if (bundle->n_files)
		qsort(bundle->files, bundle->n_files, sizeof(*bundle->files), by_name);
	for (size_t i = 1; i < bundle->n_files; i++)
		if (strcmp(bundle->files[i - 1].name, bundle->files[i].name) == 0)
			return error_set(err, -EINVAL, "%s is there twice",
					 bundle->files[i].name);
	return 0;
}

bool bundle_has(const struct bundle *bundle, const char *name)
{
	for (size_t i = 0; i < bundle->n_files; i++)
		if (strcmp(bundle->files[i].name, name) == 0)
			return true;
	return false;
}

const struct bundle_file *bundle_find(const struct bundle *bundle, const char *name)
{
	const struct bundle_file key = { .name = (char *)(uintptr_t)name };

	return bundle->n_files ? bsearch(&key, bundle->files, bundle->n_files,
					 sizeof(*bundle->files), by_name)
			       : NULL;
}
