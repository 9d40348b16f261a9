// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merges by libgit2: what came in by a parent, and trees that no commit ever had.
 */
#include "orchestrator/work/range_merge.h"

#include <errno.h>
#include <string.h>

#include "common/file.h"
#include "orchestrator/work/checkout_own.h"
#include "orchestrator/work/source_revision.h"

/* As for the points of a job: the daemon answers nobody meanwhile. */
#define MERGE_CPU_LIMIT_S 70

struct enter_call {
	const char *repository;
	const char *merge;
	unsigned number;
};

static int refuse_base(const struct enter_call *call, git_repository *repository, int code, struct error *err)
{
	if (code == GIT_ENOTFOUND && git_repository_is_shallow(repository))
		return error_set(err, -EINVAL,
				 "where the branch of '%s' began is not known, since %s is a shallow clone: run git -C %s fetch --unshallow",
				 call->merge, call->repository, call->repository);
	if (code == GIT_ENOTFOUND)
		return error_set(err, -EINVAL,
				 "parent %u of '%s' has no commit in common with the first parent: it has no beginning to search from",
				 call->number, call->merge);
	return error_set(err, source_git_errno(code),
			 "the history of '%s' cannot be read in %s (damaged? try git -C %s fsck): %s", call->merge,
			 call->repository, call->repository, source_git_message());
}

static int parents_check(const struct enter_call *call, unsigned n_parents, struct error *err)
{
	if (n_parents < 2)
		return error_set(err, -EINVAL, "'%s' is no merge: there is no branch to enter", call->merge);
	if (call->number < 2 || call->number > n_parents)
		return error_set(err, -ENOENT, "the merge '%s' has %u parents: there is no branch number %u",
				 call->merge, n_parents, call->number);
	return 0;
}

static int enter_in_child(void *context, struct json_t **ret_result, struct error *err)
{
	const struct enter_call *call = context;
	_cleanup_(cleanup_git_repository) git_repository *repository = NULL;
	_cleanup_(cleanup_git_commit) git_commit *merge = NULL;
	char first_hex[RANGE_ID_SIZE], base_hex[RANGE_ID_SIZE], tip_hex[RANGE_ID_SIZE];
	const git_oid *first, *tip;
	git_oid base;
	int r = source_git_start(err);

	if (r == 0)
		r = source_git_open(call->repository, &repository, err);
	if (r == 0)
		r = source_revision_find(repository, call->repository, call->merge, &merge, err);
	if (r == 0)
		r = parents_check(call, git_commit_parentcount(merge), err);
	if (r < 0)
		return r;
	first = git_commit_parent_id(merge, 0);
	tip = git_commit_parent_id(merge, call->number - 1);
	r = git_merge_base(&base, repository, first, tip);
	if (r < 0)
		return refuse_base(call, repository, r, err);
	git_oid_tostr(tip_hex, sizeof(tip_hex), tip);
	if (git_oid_equal(&base, tip))
		return error_set(err, -EINVAL,
				 "parent %u of '%s' (%.12s) was already in the first parent's history: it brought no commit",
				 call->number, call->merge, tip_hex);
	*ret_result = json_pack("{s:i,s:s,s:s,s:s}", "parents", (int)git_commit_parentcount(merge), "first",
				git_oid_tostr(first_hex, sizeof(first_hex), first), "base",
				git_oid_tostr(base_hex, sizeof(base_hex), &base), "tip", tip_hex);
	return 0;
}

static void id_take(const json_t *answer, const char *key, char ret_id[RANGE_ID_SIZE])
{
	const char *id = json_string_value(json_object_get(answer, key));

	memset(ret_id, 0, RANGE_ID_SIZE);
	if (id)
		(void)stpncpy(ret_id, id, RANGE_ID_SIZE - 1);
}

int range_merge_enter(const char *repository, const char *merge, unsigned number,
		      struct range_branch *ret_branch, struct error *err)
{
	struct enter_call call = { repository, merge, number };
	_cleanup_json_ json_t *answer = NULL;
	int r = source_git_call(enter_in_child, &call, repository, MERGE_CPU_LIMIT_S, &answer, err);

	if (r < 0)
		return r;
	ret_branch->n_parents = (unsigned)json_integer_value(json_object_get(answer, "parents"));
	id_take(answer, "first", ret_branch->first);
	id_take(answer, "base", ret_branch->base);
	id_take(answer, "tip", ret_branch->tip);
	return 0;
}

struct tree_call {
	const char *repository;
	const char *directory;
	const char *first;
	const char *commit;
};

static int commit_find(git_repository *own, const struct tree_call *call, const char *id,
		       git_commit **ret_commit, struct error *err)
{
	git_oid oid;
	int r = git_oid_fromstr(&oid, id);

	if (r == 0)
		r = git_commit_lookup(ret_commit, own, &oid);
	if (r < 0)
		return error_set(err, source_git_errno(r),
				 "commit %s cannot be read in %s (was it pruned, or is it damaged?): %s", id,
				 call->repository, source_git_message());
	return 0;
}

/* RANGE_MERGE_CONFLICT, or 0 and the tree. New objects go to @own. */
static int merge_make(git_repository *own, const struct tree_call *call, git_oid *ret_tree, struct error *err)
{
	_cleanup_(cleanup_git_commit) git_commit *first = NULL;
	_cleanup_(cleanup_git_commit) git_commit *commit = NULL;
	git_merge_options options;
	git_index *index = NULL;
	int r = commit_find(own, call, call->first, &first, err);

	if (r == 0)
		r = commit_find(own, call, call->commit, &commit, err);
	if (r < 0)
		return r;
	r = git_merge_options_init(&options, GIT_MERGE_OPTIONS_VERSION);
	options.flags |= GIT_MERGE_FAIL_ON_CONFLICT | GIT_MERGE_SKIP_REUC;
	if (r == 0)
		r = git_merge_commits(&index, own, first, commit, &options);
	if (r == GIT_EMERGECONFLICT)
		return RANGE_MERGE_CONFLICT;
	if (r == 0)
		r = git_index_write_tree_to(ret_tree, index, own);
	git_index_free(index);
	if (r < 0)
		return error_set(err, source_git_errno(r),
				 "commit %.12s of %s cannot be merged onto %.12s (no space in %s, or a damaged repository?): %s",
				 call->commit, call->repository, call->first, call->directory,
				 source_git_message());
	return 0;
}

static int tree_in_child(void *context, struct json_t **ret_result, struct error *err)
{
	const struct tree_call *call = context;
	_cleanup_(cleanup_git_repository) git_repository *own = NULL;
	char hex[RANGE_ID_SIZE] = "";
	git_oid tree;
	int r = source_git_start(err);

	/* The tree is needed after a power cut too. */
	if (r == 0 && git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1) < 0)
		r = error_set(err, -EIO, "libgit2 does not start: %s", source_git_message());
	if (r == 0)
		r = checkout_own_open(call->repository, call->directory, &own, err);
	if (r == 0)
		r = merge_make(own, call, &tree, err);
	if (r < 0)
		return r;
	if (r == 0)
		git_oid_tostr(hex, sizeof(hex), &tree);
	*ret_result = json_pack("{s:s}", "tree", hex);
	return r;
}

int range_merge_tree(const char *repository, const char *directory, const char *first, const char *commit,
		     char ret_tree[RANGE_ID_SIZE], struct error *err)
{
	_cleanup_free_ char *path = realpath(repository, NULL);
	struct tree_call call = { path, directory, first, commit };
	_cleanup_json_ json_t *answer = NULL;
	int r;

	if (!path)
		return error_set(err, -ENOENT, "there is no repository at %s any more", repository);
	r = file_make_directories(directory, 0755, err);
	if (r == 0)
		r = source_git_call(tree_in_child, &call, path, MERGE_CPU_LIMIT_S, &answer, err);
	if (r == 0)
		id_take(answer, "tree", ret_tree);
	return r;
}
