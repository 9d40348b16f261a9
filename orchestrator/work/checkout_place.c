// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks the tree and the directories together, by descriptor and never through a link.
 * Only root (or oneself) writes there, so that what was looked at stays.
 */
#include "orchestrator/work/checkout_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int directory_clear(git_repository *repository, const git_tree *tree, int fd);

static int subdirectory_clear(git_repository *repository, const git_tree_entry *entry, int parent)
{
	_cleanup_(cleanup_git_tree) git_tree *tree = NULL;
	_cleanup_close_ int fd = openat(parent, git_tree_entry_name(entry),
					O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (git_tree_lookup(&tree, repository, git_tree_entry_id(entry)) < 0)
		return 0; /* missing: for the checkout to say */
	return directory_clear(repository, tree, fd);
}

static int entry_clear(git_repository *repository, const git_tree_entry *entry, int parent)
{
	const char *name = git_tree_entry_name(entry);
	git_filemode_t mode = git_tree_entry_filemode(entry);
	mode_t expected = mode == GIT_FILEMODE_TREE || mode == GIT_FILEMODE_COMMIT ? S_IFDIR :
			  mode == GIT_FILEMODE_LINK ? S_IFLNK : S_IFREG;
	struct stat status;

	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	if ((status.st_mode & S_IFMT) == expected)
		return mode == GIT_FILEMODE_TREE ? subdirectory_clear(repository, entry, parent) : 0;
	/* A directory in the way of a file is no way out: the checkout removes it. */
	if (S_ISDIR(status.st_mode))
		return 0;
	return unlinkat(parent, name, 0) < 0 && errno != ENOENT ? -errno : 0;
}

static int directory_clear(git_repository *repository, const git_tree *tree, int fd)
{
	size_t n = git_tree_entrycount(tree);
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++)
		r = entry_clear(repository, git_tree_entry_byindex(tree, i), fd);
	return r;
}

int checkout_place_clear(git_repository *repository, const git_tree *tree, const char *source,
			 struct error *err)
{
	_cleanup_close_ int fd = open(source, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int r = fd < 0 ? -errno : directory_clear(repository, tree, fd);

	return r < 0 ? error_set_errno(err, r, "%s cannot be cleared", source) : 0;
}
