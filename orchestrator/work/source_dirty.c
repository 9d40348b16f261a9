// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Are there changes that no commit has? A work tree of 90,000 files is judged by lstat(2)
 * against the index; only a few whose time differs are read, since a tree that was copied
 * would be read as a whole.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/source_git.h"

#define READ_MAX_FILES 32
#define MODE_SUBMODULE 0160000
/* A mark of git's, in place of the size, where time and size could not tell. */
#define SIZE_UNKNOWN 0

struct dirty {
	size_t n_changed;
	size_t n_read;
	char *first;
};

static void dirty_add(struct dirty *dirty, const char *path)
{
	if (dirty->n_changed++ == 0)
		dirty->first = text_duplicate(path);
}

static bool is_changed(git_repository *repository, const git_index_entry *entry, struct dirty *dirty)
{
	_cleanup_free_ char *path = path_join(git_repository_workdir(repository), entry->path);
	struct stat st;
	git_oid id;

	if (lstat(path, &st) < 0)
		return errno == ENOENT;
	if (S_ISLNK(st.st_mode) != S_ISLNK(entry->mode) || (!S_ISLNK(st.st_mode) && !S_ISREG(st.st_mode)))
		return true;
	if (entry->file_size != SIZE_UNKNOWN && entry->file_size != (uint32_t)st.st_size)
		return true;
	if (entry->file_size != SIZE_UNKNOWN && entry->mtime.seconds == (int32_t)st.st_mtim.tv_sec &&
	    (!entry->mtime.nanoseconds || entry->mtime.nanoseconds == (uint32_t)st.st_mtim.tv_nsec))
		return false;
	if (S_ISLNK(st.st_mode) || dirty->n_read++ >= READ_MAX_FILES)
		return false; /* not known */
	return git_repository_hashfile(&id, repository, path, GIT_OBJECT_BLOB, entry->path) == 0 &&
	       !git_oid_equal(&id, &entry->id);
}

static void look_at_work_tree(git_repository *repository, struct dirty *dirty)
{
	git_index *index = NULL;

	if (git_repository_index(&index, repository) < 0)
		return;
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *entry = git_index_get_byindex(index, i);

		if (entry->mode != MODE_SUBMODULE && !(entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) &&
		    !(entry->flags & GIT_INDEX_ENTRY_VALID) && is_changed(repository, entry, dirty))
			dirty_add(dirty, entry->path);
	}
	git_index_free(index);
}

static void look_at_index(git_repository *repository, struct dirty *dirty)
{
	_cleanup_(cleanup_git_object) git_object *head = NULL;
	git_diff_options options;
	git_diff *diff = NULL;

	if (git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) < 0)
		return;
	options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
	if (git_revparse_single(&head, repository, "HEAD^{tree}") < 0 ||
	    git_diff_tree_to_index(&diff, repository, (git_tree *)head, NULL, &options) < 0)
		return;
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
		dirty_add(dirty, git_diff_get_delta(diff, i)->new_file.path);
	git_diff_free(diff);
}

char *source_git_dirty_note(git_repository *repository, const char *path)
{
	struct dirty dirty = { 0 };
	_cleanup_free_ char *first = NULL;

	if (git_repository_is_bare(repository))
		return NULL;
	look_at_work_tree(repository, &dirty);
	look_at_index(repository, &dirty);
	first = dirty.first;
	if (dirty.n_changed == 0)
		return NULL;
	return text_format("%s has uncommitted changes (%s%s); only what is committed is built", path,
			   first, dirty.n_changed > 1 ? " and others" : "");
}
