// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tree's files with changes on top, in memory: what patches, overrides and reverts are
 * applied to, one after the other. Where the files beneath come from is the caller's; making
 * a tree of the result is change_tree.h's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define OVERLAY_FILES_MAX 20000
#define OVERLAY_FILE_MAX_BYTES ((size_t)64 * 1024 * 1024)

/* As git has them. */
#define OVERLAY_MODE_FILE 0100644U
#define OVERLAY_MODE_EXECUTABLE 0100755U

struct overlay_file {
	char *path;
	bool is_there;
	bool is_changed;
	unsigned mode;
	char *data;    /* NUL-terminated beyond size; NULL when not there */
	size_t size;
};

struct overlay {
	/*
	 * Fills mode, data and size, and sets is_there, for a plain file beneath; leaves them for what
	 * is not there. A sentence for anything else.
	 */
	int (*read)(void *context, struct overlay_file *file, struct error *err);
	void *context;
	struct overlay_file *files; /* looked at or changed, in no order */
	size_t n_files;
};

void overlay_done(struct overlay *overlay);

/* *ret_file is the overlay's, good until its next call. @path was judged by job_change_is_path(). */
int overlay_get(struct overlay *overlay, const char *path, const struct overlay_file **ret_file,
		struct error *err);
/* Takes @data, which must be NUL-terminated beyond @size, on success. */
int overlay_put(struct overlay *overlay, const char *path, unsigned mode, char *data,
		size_t size, struct error *err);
int overlay_remove(struct overlay *overlay, const char *path, struct error *err);
