// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads files of a tree and makes a new tree of an overlay: only the changed files and the
 * directories above them are written, into an object directory of ours.
 */
#include "orchestrator/work/change_tree.h"

#include <errno.h>
#include <string.h>

#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>

#include "common/text.h"

/* Before the repository's own: the first backend that takes an object has written it. */
#define OWN_PRIORITY 1000

static int own_backend(const char *objects, git_odb_backend **ret_backend)
{
	if (!objects)
		return git_mempack_new(ret_backend);
	return git_odb_backend_loose(ret_backend, objects, -1, 1, 0755, 0444);
}

int change_tree_divert(git_repository *repository, const char *objects, struct error *err)
{
	git_odb_backend *own = NULL;
	git_odb *odb = NULL;
	int r = git_repository_odb(&odb, repository);

	for (size_t i = 0; r == 0 && i < git_odb_num_backends(odb); i++) {
		git_odb_backend *backend;

		r = git_odb_get_backend(&backend, odb, i);
		if (r < 0)
			break;
		/* git "freshens" objects that are there: their times would change. */
		backend->freshen = NULL;
		backend->write = NULL;
		backend->writestream = NULL;
		backend->writepack = NULL;
	}
	if (r == 0)
		r = own_backend(objects, &own);
	if (r == 0)
		r = git_odb_add_backend(odb, own, OWN_PRIORITY);
	git_odb_free(odb);
	if (r < 0)
		return error_set(err, -EIO, "%s cannot be used: %s", objects ? objects : "memory",
				 source_git_message());
	return 0;
}

static int blob_read(git_repository *repository, const git_tree_entry *entry,
		     struct overlay_file *file, struct error *err)
{
	git_blob *blob = NULL;
	int r = git_blob_lookup(&blob, repository, git_tree_entry_id(entry));
	size_t size;

	if (r < 0)
		return error_set(err, source_git_errno(r),
				 "%s cannot be read (damaged, or a partial clone?): %s", file->path,
				 source_git_message());
	size = (size_t)git_blob_rawsize(blob);
	file->data = size <= OVERLAY_FILE_MAX_BYTES ? malloc(size + 1) : NULL;
	if (file->data) {
		memcpy(file->data, git_blob_rawcontent(blob), size);
		file->data[size] = '\0';
		file->size = size;
		file->mode = (unsigned)git_tree_entry_filemode(entry);
		file->is_there = true;
	}
	git_blob_free(blob);
	return file->data ? 0 : error_set(err, -E2BIG, "%s is too large to be changed", file->path);
}

int change_tree_file(git_repository *repository, const git_tree *tree, const char *path,
		     struct overlay_file *file, struct error *err)
{
	git_tree_entry *entry = NULL;
	git_filemode_t mode;
	int r = git_tree_entry_bypath(&entry, tree, path);

	if (r == GIT_ENOTFOUND)
		return 0;
	if (r < 0)
		return error_set(err, source_git_errno(r), "%s cannot be looked up: %s", path,
				 source_git_message());
	mode = git_tree_entry_filemode(entry);
	if (mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE)
		r = blob_read(repository, entry, file, err);
	else
		r = error_set(err, -EINVAL, "%s is a %s, not a file", path,
			      mode == GIT_FILEMODE_TREE ? "directory" :
			      mode == GIT_FILEMODE_LINK ? "link" : "submodule");
	git_tree_entry_free(entry);
	return r;
}

int change_tree_read(void *context, struct overlay_file *file, struct error *err)
{
	const struct change_base *base = context;

	return change_tree_file(base->repository, base->tree, file->path, file, err);
}

/* A file that was made and deleted again, or was never there, is no update. */
static bool is_update(const struct change_base *base, const struct overlay_file *file)
{
	git_tree_entry *entry = NULL;
	bool is_beneath;

	if (!file->is_changed)
		return false;
	if (file->is_there)
		return true;
	is_beneath = git_tree_entry_bypath(&entry, base->tree, file->path) == 0;
	git_tree_entry_free(entry);
	return is_beneath;
}

int change_tree_write(const struct change_base *base, const struct overlay *overlay,
		      git_oid *ret_id, struct error *err)
{
	_cleanup_free_ git_tree_update *updates = calloc(overlay->n_files + 1, sizeof(*updates));
	size_t n = 0;
	int r = 0;

	if (!updates)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < overlay->n_files && r == 0; i++) {
		const struct overlay_file *file = &overlay->files[i];

		if (!is_update(base, file))
			continue;
		updates[n].action = file->is_there ? GIT_TREE_UPDATE_UPSERT : GIT_TREE_UPDATE_REMOVE;
		updates[n].filemode = (git_filemode_t)file->mode;
		updates[n].path = file->path;
		if (file->is_there)
			r = git_blob_create_from_buffer(&updates[n].id, base->repository, file->data, file->size);
		n++;
	}
	if (r == 0)
		r = git_tree_create_updated(ret_id, base->repository, base->tree, n, updates);
	if (r < 0)
		return error_set(err, -EIO,
				 "the changed tree cannot be written (no space, or a file where a directory is?): %s",
				 source_git_message());
	return 0;
}
