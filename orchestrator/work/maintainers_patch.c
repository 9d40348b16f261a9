// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The patch that get_maintainer.pl is asked about, by libgit2 in a process of its own.
 */
#include <errno.h>

#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/maintainers.h"
#include "orchestrator/work/source_git.h"

#define FILES_MAX 200
#define PATCH_MAX_BYTES (8U << 20)
#define CPU_LIMIT_S 60

struct patch_call {
	const char *repository;
	const char *parent;
	const char *child;
	const char *path;
};

static void cleanup_git_diff(git_diff **diff)
{
	git_diff_free(*diff);
}

static int find_commit(git_repository *repository, const char *id, git_commit **ret_commit,
		       struct error *err)
{
	git_oid oid;

	if (git_oid_fromstr(&oid, id) < 0 || git_commit_lookup(ret_commit, repository, &oid) < 0)
		return error_set(err, -ENOENT, "the commit %.12s is not there any more", id);
	return 0;
}

static int diff_make(git_repository *repository, const git_commit *parent,
		     const git_commit *child, git_diff **ret_diff, struct error *err)
{
	_cleanup_(cleanup_git_tree) git_tree *from = NULL;
	_cleanup_(cleanup_git_tree) git_tree *to = NULL;
	git_diff_options options;

	(void)git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.max_size = PATCH_MAX_BYTES; /* what is larger counts as binary */
	options.flags = GIT_DIFF_IGNORE_SUBMODULES;
	if (git_commit_parentcount(child) < 1 ||
	    !git_oid_equal(git_commit_parent_id(child, 0), git_commit_id(parent)))
		return error_set(err, -EPERM, "the child is not the parent's next commit, so no one commit is to blame");
	if (git_commit_tree(&from, parent) < 0 || git_commit_tree(&to, child) < 0 ||
	    git_diff_tree_to_tree(ret_diff, repository, from, to, &options) < 0)
		return error_set(err, -EIO, "the commit cannot be read: %s", source_git_message());
	if (git_diff_num_deltas(*ret_diff) > FILES_MAX)
		return error_set(err, -EPERM, "the commit changes %zu files, more than anybody can be named for",
				 git_diff_num_deltas(*ret_diff));
	return 0;
}

static int write_diff(git_diff *diff, const char *path, struct error *err)
{
	git_buf patch = { 0 };
	int r;

	if (git_diff_to_buf(&patch, diff, GIT_DIFF_FORMAT_PATCH) < 0)
		return error_set(err, -EIO, "its patch cannot be made: %s", source_git_message());
	if (patch.size > PATCH_MAX_BYTES)
		r = error_set(err, -EPERM, "its patch is larger than %u MiB", PATCH_MAX_BYTES >> 20);
	else
		r = file_write_durable(path, patch.ptr ? patch.ptr : "", patch.size, 0600, err);
	git_buf_dispose(&patch);
	return r;
}

static int patch_in_child(void *context, json_t **ret_result, struct error *err)
{
	const struct patch_call *call = context;
	git_repository *repository = NULL;
	git_commit *parent = NULL, *child = NULL;
	_cleanup_(cleanup_git_diff) git_diff *diff = NULL;
	int r = source_git_start(err);

	if (r == 0)
		r = source_git_open(call->repository, &repository, err);
	if (r == 0)
		r = find_commit(repository, call->parent, &parent, err);
	if (r == 0)
		r = find_commit(repository, call->child, &child, err);
	if (r == 0)
		r = diff_make(repository, parent, child, &diff, err);
	if (r == 0)
		r = write_diff(diff, call->path, err);
	git_commit_free(parent);
	git_commit_free(child);
	git_repository_free(repository);
	*ret_result = r == 0 ? json_object() : NULL;
	return r;
}

int maintainers_write_patch(const char *repository, const char *parent, const char *child,
			    const char *path, struct error *err)
{
	struct patch_call call = { repository, parent, child, path };
	_cleanup_json_ json_t *nothing = NULL;

	return source_git_call(patch_in_child, &call, repository, CPU_LIMIT_S, &nothing, err);
}
