// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libgit2's global options, opening a repository, its errors as ours. What is
 * read from a repository is source_revision.c's and checkout.c's business.
 */
#include "orchestrator/work/source_git.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "common/file.h"
#include "common/subprocess.h"
#include "common/text.h"

/* Waiting for slow disks is no processor time, but some end there must be: twice as long. */
#define WALL_FACTOR 2

const char *source_git_message(void)
{
	const git_error *error = git_error_last();

	return error && error->message ? error->message : "no reason given";
}

int source_git_errno(int code)
{
	switch (code) {
	case GIT_ENOTFOUND:
		return -ENOENT;
	case GIT_EAMBIGUOUS:
	case GIT_EINVALIDSPEC:
	case GIT_EPEEL:
		return -EINVAL;
	case GIT_EEXISTS:
		return -EEXIST;
	case GIT_ELOCKED:
		return -EBUSY;
	default:
		return -EIO;
	}
}

const char *source_git_short(const git_oid *id, char buffer[SOURCE_SHORT_ID_SIZE])
{
	return git_oid_tostr(buffer, SOURCE_SHORT_ID_SIZE, id);
}

int source_git_start(struct error *err)
{
	/* These say where refs and objects may be missing or found, never what an object is. */
	static const char *extensions[] = { "worktreeconfig", "partialclone", "preciousobjects",
					    "relativeworktrees" };
	static const int levels[] = { GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_GLOBAL,
				      GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_PROGRAMDATA };
	int r = git_libgit2_init();

	if (r >= 0)
		r = git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	if (r >= 0)
		r = git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, ARRAY_SIZE(extensions));
	/* Nobody's ~/.gitconfig decides what a kernel is built from. */
	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(levels); i++)
		r = git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
	if (r < 0)
		return error_set(err, -EIO, "libgit2 does not start: %s", source_git_message());
	return 0;
}

int source_git_open(const char *path, git_repository **ret_repository, struct error *err)
{
	int r;

	if (!file_exists(path))
		return error_set(err, -ENOENT, "there is no repository at %s: give its path with --repository",
				 path);
	r = git_repository_open(ret_repository, path);
	if (r == GIT_ENOTFOUND)
		return error_set(err, -ENOENT,
				 "%s is not a git repository (no .git in it): give the path of a kernel clone",
				 path);
	if (r < 0)
		return error_set(err, -EIO, "the git repository %s cannot be opened: %s", path,
				 source_git_message());
	return 0;
}

struct git_call {
	int (*function)(void *context, struct json_t **ret_result, struct error *err);
	void *context;
	unsigned cpu_limit_s;
};

static int limited_call(void *context, struct json_t **ret_result, struct error *err)
{
	const struct git_call *call = context;
	struct rlimit limit;

	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur > call->cpu_limit_s) {
		limit.rlim_cur = call->cpu_limit_s;
		(void)setrlimit(RLIMIT_CPU, &limit);
	}
	return call->function(call->context, ret_result, err);
}

int source_git_call(int (*function)(void *context, struct json_t **ret_result, struct error *err),
		    void *context, const char *repository, unsigned cpu_limit_s,
		    struct json_t **ret_result, struct error *err)
{
	struct git_call call = { function, context, cpu_limit_s };
	struct error why = { 0 };
	struct rlimit limit;
	int r;

	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur < call.cpu_limit_s)
		call.cpu_limit_s = (unsigned)limit.rlim_cur;
	r = subprocess_call(limited_call, &call, call.cpu_limit_s * WALL_FACTOR * 1000ULL, ret_result,
			    &why);

	if (r >= 0)
		return r;
	/* The child's own sentences never begin like this; it was killed by the limit. */
	if (r == -ETIMEDOUT || text_has_prefix(why.text, "a helper process"))
		return error_set(err, -EIO,
				 "reading %s did not come to an end (a damaged repository? try git -C %s fsck)",
				 repository, repository);
	return error_set(err, r, "%s", why.text);
}
