// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of files that changes have looked at or made. A few hundred at most for any
 * real series, so it is searched from its start.
 */
#include "orchestrator/work/overlay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

void overlay_done(struct overlay *overlay)
{
	for (size_t i = 0; i < overlay->n_files; i++) {
		free(overlay->files[i].path);
		free(overlay->files[i].data);
	}
	free(overlay->files);
	overlay->files = NULL;
	overlay->n_files = 0;
}

static int find(struct overlay *overlay, const char *path, struct overlay_file **ret_file,
		struct error *err)
{
	struct overlay_file file = { 0 };
	struct overlay_file *grown;
	int r;

	for (size_t i = 0; i < overlay->n_files; i++) {
		if (strcmp(overlay->files[i].path, path) == 0) {
			*ret_file = &overlay->files[i];
			return 0;
		}
	}
	if (overlay->n_files >= OVERLAY_FILES_MAX)
		return error_set(err, -E2BIG, "the changes touch more than %d files", OVERLAY_FILES_MAX);
	file.path = text_duplicate(path);
	r = overlay->read(overlay->context, &file, err);
	grown = r < 0 ? NULL : reallocarray(overlay->files, overlay->n_files + 1, sizeof(*grown));
	if (!grown) {
		free(file.path);
		return r < 0 ? r : error_set(err, -ENOMEM, "out of memory");
	}
	overlay->files = grown;
	grown[overlay->n_files] = file;
	*ret_file = &grown[overlay->n_files++];
	return 0;
}

int overlay_get(struct overlay *overlay, const char *path, const struct overlay_file **ret_file,
		struct error *err)
{
	struct overlay_file *file;
	int r = find(overlay, path, &file, err);

	if (r == 0)
		*ret_file = file;
	return r;
}

int overlay_put(struct overlay *overlay, const char *path, unsigned mode, char *data,
		size_t size, struct error *err)
{
	struct overlay_file *file;
	int r = find(overlay, path, &file, err);

	if (r < 0)
		return r;
	free(file->data);
	file->data = data;
	file->size = size;
	file->mode = mode;
	file->is_there = true;
	file->is_changed = true;
	return 0;
}

int overlay_remove(struct overlay *overlay, const char *path, struct error *err)
{
	struct overlay_file *file;
	int r = find(overlay, path, &file, err);

	if (r < 0)
		return r;
	free(TAKE_PTR(file->data));
	file->size = 0;
	file->is_there = false;
	file->is_changed = true;
	return 0;
}
