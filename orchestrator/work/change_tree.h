// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Between an overlay and git's objects. For change.c only; called inside its child process.
 */
#pragma once

#include "orchestrator/work/overlay.h"
#include "orchestrator/work/source_git.h"

/*
 * From now on, for this process, what is written to @repository goes to @objects (NULL: to memory), never
 * into the repository's own directory, and nothing there is touched.
 */
int change_tree_divert(git_repository *repository, const char *objects, struct error *err);

struct change_base {
	git_repository *repository;
	git_tree *tree;
};

/* struct overlay's read for a struct change_base. */
int change_tree_read(void *context, struct overlay_file *file, struct error *err);

/* The plain file @path of @tree into @file; -ENOENT is 0 with is_there false. */
int change_tree_file(git_repository *repository, const git_tree *tree, const char *path,
		     struct overlay_file *file, struct error *err);

/* Writes what is changed, and the trees above it. */
int change_tree_write(const struct change_base *base, const struct overlay *overlay,
		      git_oid *ret_id, struct error *err);
