// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Abbot's own repository, whose objects are the user's by way of alternates.
 */
#include "orchestrator/work/checkout_own.h"

#include <errno.h>
#include <string.h>

#include "common/file.h"
#include "common/text.h"

#define ALTERNATES_DEPTH_MAX 5 /* git's own limit */
#define ALTERNATES_MAX_BYTES 65536

/*
 * @objects and, flattened, the alternates it names itself: libgit2 ignores relative
 * ones in a repository that is itself an alternate. Lines as in gitrepository-layout(5).
 */
static int alternates_collect(const char *objects, int depth, struct text_buffer *lines,
			      struct error *err)
{
	_cleanup_free_ char *path = path_join(objects, "info/alternates");
	_cleanup_free_ char *data = NULL;
	char *position = NULL;
	int r = 0;

	if (strchr(objects, '\n'))
		return error_set(err, -EINVAL, "the path %s holds a line break: rename it", objects);
	text_printf(lines, "%s\n", objects);
	if (depth >= ALTERNATES_DEPTH_MAX || file_read(path, ALTERNATES_MAX_BYTES, &data, NULL, NULL) < 0)
		return 0;
	for (char *line = strtok_r(data, "\n", &position); line && r == 0;
	     line = strtok_r(NULL, "\n", &position)) {
		_cleanup_free_ char *absolute = *line == '/' ? text_duplicate(line) : path_join(objects, line);

		if (*line != '#')
			r = alternates_collect(absolute, depth + 1, lines, err);
	}
	return r;
}

/* Written anew each time: the user's repository may have moved its objects. */
static int alternates_write(const char *user_repository, const char *git, struct error *err)
{
	_cleanup_(cleanup_git_repository) git_repository *repository = NULL;
	_cleanup_text_ struct text_buffer lines = { 0 };
	_cleanup_free_ char *objects = NULL;
	_cleanup_free_ char *path = NULL;
	int r = source_git_open(user_repository, &repository, err);

	if (r < 0)
		return r;
	/* The common directory: a linked worktree has no objects of its own. */
	objects = text_format("%sobjects", git_repository_commondir(repository));
	r = alternates_collect(objects, 0, &lines, err);
	if (r < 0)
		return r;
	path = path_join(git, "objects/info/alternates");
	return file_write_durable(path, lines.text, lines.size, 0644, err);
}

int checkout_own_open(const char *user_repository, const char *directory, git_repository **ret_repository,
		      struct error *err)
{
	_cleanup_free_ char *git = path_join(directory, "git");
	git_repository *repository = NULL;
	int r;

	/* Also repairs one whose creation was interrupted: an existing one is kept. */
	r = git_repository_init(&repository, git, 1);
	git_repository_free(repository);
	repository = NULL;
	if (r < 0)
		return error_set(err, -EIO, "%s cannot be made: %s", git, source_git_message());
	r = alternates_write(user_repository, git, err);
	if (r < 0)
		return r;
	/* Opened after the alternates were written, so that it reads them. */
	if (git_repository_open(&repository, git) < 0)
		return error_set(err, -EIO, "%s cannot be used (remove it and try again): %s", git,
				 source_git_message());
	*ret_repository = repository;
	return 0;
}
