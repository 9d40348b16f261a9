// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Abbot's own work tree of a user's repository: a git directory with the user's
 * objects as alternates, an index, and files that exactly match one tree. The
 * user's repository is only read. What is built there is build.c's business.
 */
#include "orchestrator/work/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "orchestrator/work/checkout_own.h"
#include "orchestrator/work/checkout_place.h"
#include "orchestrator/work/checkout_tree.h"
#include "orchestrator/work/source_git.h"

#define CHECKOUT_CPU_LIMIT_S (30 * 60)

struct checkout {
	const char *repository;
	const char *tree;
	const char *directory;
	char *git;     /* DIRECTORY/git */
	char *source;  /* DIRECTORY/src */
	char *marker;  /* DIRECTORY/checkout-in-progress */
};

static void checkout_done(struct checkout *checkout)
{
	free(checkout->git);
	free(checkout->source);
	free(checkout->marker);
}

static void count_steps(const char *path, size_t completed, size_t total, void *context)
{
	(void)path;
	(void)completed;
	*(size_t *)context = total;
}

/*
 * The target is its own baseline: then a file is rewritten if, and only if, it is
 * not what the target holds, whatever was checked out before. make trusts times.
 */
static int files_write(const struct checkout *checkout, git_repository *repository,
		       git_tree *tree, size_t *ret_changes, struct error *err)
{
	git_checkout_options options;
	int r = git_checkout_options_init(&options, GIT_CHECKOUT_OPTIONS_VERSION);

	options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_RECREATE_MISSING |
				    GIT_CHECKOUT_REMOVE_UNTRACKED | GIT_CHECKOUT_REMOVE_IGNORED;
	options.disable_filters = 1;
	options.dir_mode = 0755;
	options.baseline = tree;
	options.progress_cb = count_steps;
	options.progress_payload = ret_changes;
	if (r == 0)
		r = git_checkout_tree(repository, (const git_object *)tree, &options);
	if (r == 0)
		return 0;
	if (r == GIT_ENOTFOUND)
		return error_set(err, -ENOENT,
				 "%s lacks files of tree %s (shallow, partial, or damaged? try git -C %s fsck): %s",
				 checkout->repository, checkout->tree, checkout->repository,
				 source_git_message());
	return error_set(err, source_git_errno(r),
			 "tree %s of %s cannot be checked out into %s (no space, or a damaged repository?): %s",
			 checkout->tree, checkout->repository, checkout->source, source_git_message());
}

static int checkout_in_child(void *context, struct json_t **ret_result, struct error *err)
{
	const struct checkout *checkout = context;
	_cleanup_(cleanup_git_repository) git_repository *repository = NULL;
	_cleanup_(cleanup_git_tree) git_tree *tree = NULL;
	size_t n_changes = 0;
	git_oid id;
	int r;

	/* The build user reads what this process writes. */
	(void)umask(022);
	r = source_git_start(err);
	if (r == 0)
		r = checkout_own_open(checkout->repository, checkout->directory, &repository, err);
	if (r == 0 && git_repository_set_workdir(repository, checkout->source, 0) < 0)
		r = error_set(err, -EIO, "%s cannot be used (remove it and try again): %s", checkout->git,
			      source_git_message());
	if (r < 0)
		return r;
	r = git_oid_fromstr(&id, checkout->tree);
	if (r == 0)
		r = git_tree_lookup(&tree, repository, &id);
	if (r < 0)
		return error_set(err, source_git_errno(r),
				 "%s has no tree %s any more (was it pruned, or is it damaged?): %s",
				 checkout->repository, checkout->tree, source_git_message());
	r = checkout_tree_check(repository, tree, err);
	if (r == 0)
		r = checkout_place_clear(repository, tree, checkout->source, err);
	if (r == 0)
		r = files_write(checkout, repository, tree, &n_changes, err);
	if (r == 0)
		*ret_result = json_pack("{s:I}", "changes", (json_int_t)n_changes);
	return r;
}

/* What is on disk must be there before the marker goes: a power cut may not leave torn files. */
static int checkout_sync(const struct checkout *checkout, bool has_changes, struct error *err)
{
	_cleanup_close_ int fd = open(checkout->source, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || (has_changes && syncfs(fd) < 0))
		return error_set_errno(err, -errno, "%s cannot be flushed to the disk", checkout->source);
	if (unlink(checkout->marker) < 0 && errno != ENOENT)
		return error_set_errno(err, -errno, "%s cannot be removed", checkout->marker);
	return file_sync_directory(checkout->directory, err);
}

/*
 * A marker from an earlier run: files may be torn while the index calls them
 * clean. Without the index each file is compared by content.
 */
static int marker_set(const struct checkout *checkout, struct error *err)
{
	if (file_exists(checkout->marker)) {
		_cleanup_free_ char *index = path_join(checkout->git, "index");
		_cleanup_free_ char *lock = path_join(checkout->git, "index.lock");

		if ((unlink(index) < 0 && errno != ENOENT) || (unlink(lock) < 0 && errno != ENOENT))
			return error_set_errno(err, -errno, "%s cannot be removed", index);
		return 0;
	}
	return file_write_durable(checkout->marker, checkout->tree, strlen(checkout->tree), 0644, err);
}

int source_checkout(const char *repository, const char *tree, const char *directory,
		    struct error *err)
{
	_cleanup_free_ char *path = realpath(repository, NULL);
	_cleanup_(checkout_done) struct checkout checkout = {
		.repository = path ? path : repository,
		.tree = tree,
		.directory = directory,
		.git = path_join(directory, "git"),
		.source = path_join(directory, "src"),
		.marker = path_join(directory, "checkout-in-progress"),
	};
	_cleanup_json_ json_t *result = NULL;
	bool was_interrupted = file_exists(checkout.marker);
	int r;

	if (!path)
		return error_set(err, -ENOENT, "there is no repository at %s any more", repository);
	r = file_make_directories(checkout.source, 0755, err);
	if (r == 0)
		r = marker_set(&checkout, err);
	if (r == 0)
		r = source_git_call(checkout_in_child, &checkout, checkout.repository,
				    CHECKOUT_CPU_LIMIT_S, &result, err);
	if (r == 0)
		r = checkout_sync(&checkout, was_interrupted ||
				  json_integer_value(json_object_get(result, "changes")) > 0, err);
	return r;
}
