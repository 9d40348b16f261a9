// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which commits of a line touch the paths that the user named: the object at a path differs
 * from the one in the commit before. No diff is made, so renames are not followed.
 */
#include "orchestrator/work/range_weight.h"

#include <errno.h>
#include <string.h>

#include "common/text.h"

#define PATH_MAX_BYTES 4096

/* The object at @path, all zeros where there is none. */
static int path_object(git_repository *repository, const git_oid *tree_id, const char *path, git_oid *ret_id)
{
	_cleanup_(cleanup_git_tree) git_tree *tree = NULL;
	git_tree_entry *entry = NULL;
	int r = git_tree_lookup(&tree, repository, tree_id);

	if (r < 0)
		return r;
	r = git_tree_entry_bypath(&entry, tree, path);
	*ret_id = (git_oid){ { 0 } };
	if (r == 0)
		*ret_id = *git_tree_entry_id(entry);
	git_tree_entry_free(entry);
	return r == GIT_ENOTFOUND ? 0 : r;
}

static int refuse_tree(const struct range_ends *ends, const struct range_entry *entry, struct error *err)
{
	char short_id[SOURCE_SHORT_ID_SIZE];

	return error_set(err, RANGE_WALK_AGAIN,
			 "the files of commit %s cannot be read in %s (a partial clone, or damaged? try git -C %s fsck): %s",
			 source_git_short(&entry->id, short_id), ends->path, ends->path,
			 source_git_message());
}

/* As git spells it in a tree: no slash at either end. NULL: no path inside a repository. */
static char *path_clean(const char *path)
{
	_cleanup_free_ char *clean = NULL;
	size_t size = strlen(path);

	while (size > 0 && path[size - 1] == '/')
		size--;
	if (text_has_prefix(path, "./")) {
		path += 2;
		size = size > 2 ? size - 2 : 0;
	}
	if (size == 0 || size > PATH_MAX_BYTES || *path == '/')
		return NULL;
	clean = text_format("/%.*s/", (int)size, path);
	if (strstr(clean, "//") || strstr(clean, "/../") || strstr(clean, "/./"))
		return NULL;
	clean[size + 1] = '\0';
	return text_duplicate(clean + 1);
}

static int path_mark(const struct range_ends *ends, const struct range_line *line, const char *hint,
		     bool *touches, struct error *err)
{
	_cleanup_free_ char *path = path_clean(hint);
	git_oid before = { { 0 } }, now;
	bool is_known = false;

	if (!path)
		return error_set(err, -EINVAL,
				 "'%s' is no path inside %s: name it as from the top of the repository, as in mm/mprotect.c",
				 hint, ends->path);
	for (size_t i = line->n_entries; i > 0; i--) {
		const struct range_entry *entry = &line->entries[i - 1];

		if (path_object(ends->repository, &entry->tree, path, &now) < 0)
			return refuse_tree(ends, entry, err);
		is_known = is_known || !git_oid_is_zero(&now);
		if (i < line->n_entries && !git_oid_equal(&before, &now))
			touches[line->n_entries - i] = true;
		before = now;
	}
	if (!is_known)
		return error_set(err, -ENOENT,
				 "no commit of %s..%s has a path '%s': check its spelling, as from the top of the repository",
				 ends->good, ends->bad, hint);
	return 0;
}

int range_weight_mark(const struct range_ends *ends, const struct range_line *line,
		      const char *const *paths, bool *touches, struct error *err)
{
	int r = 0;

	for (size_t i = 0; paths && paths[i] && r == 0; i++)
		r = path_mark(ends, line, paths[i], touches, err);
	return r;
}
