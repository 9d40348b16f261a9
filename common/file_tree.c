// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Directories and trees: making, syncing, removing without following links,
 * and how much room is left. Contents of single files are in file.c.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/cleanup.h"
#include "common/file.h"

#define TREE_DEPTH_MAX 256
#define MOVE_TRIES_MAX 10000

bool file_exists(const char *path)
{
	return faccessat(AT_FDCWD, path, F_OK, AT_EACCESS) == 0;
}

static int file_make_directory(const char *path, mode_t mode)
{
	struct stat status;
	int r;

	if (mkdir(path, mode) == 0)
		return 0;
	r = -errno;
	/* A read-only parent answers EROFS or EACCES even where the directory exists. */
	if (stat(path, &status) == 0)
		return S_ISDIR(status.st_mode) ? 0 : -ENOTDIR;
	return r;
}

int file_make_directories(const char *path, mode_t mode, struct error *err)
{
	_cleanup_free_ char *copy = strdup(path);
	int r;

	if (!copy)
		return error_set_errno(err, -ENOMEM, "cannot create directory %s", path);
	for (char *slash = copy; *slash && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		r = file_make_directory(copy, mode);
		if (r < 0)
			return error_set_errno(err, r, "cannot create directory %s", copy);
		*slash = '/';
	}
	r = file_make_directory(copy, mode);
	if (r < 0)
		return error_set_errno(err, r, "cannot create directory %s", path);
	return 0;
}

int file_sync_directory(const char *path, struct error *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot open directory %s", path);
	/* EINVAL: a filesystem without fsync for directories (vfat on old kernels). */
	if (fsync(fd) < 0 && errno != EINVAL)
		return error_set_errno(err, -errno, "cannot sync directory %s", path);
	return 0;
}

/* What is too deep is moved up here, so that neither stack nor descriptors run out. */
struct removal {
	int top;             /* the tree's own directory; -1: it is none */
	unsigned int n_moved;
};

static int file_remove_at(struct removal *removal, int parent, const char *name, int depth);

static int file_remove_content(struct removal *removal, int parent, const char *name, int depth)
{
	_cleanup_dir_ DIR *directory = NULL;
	_cleanup_close_ int fd =
		openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *entry;

	if (fd < 0)
		return -errno;
	directory = fdopendir(fd);
	if (!directory)
		return -errno;
	(void)TAKE_FD(fd);
	for (;;) {
		int r;

		errno = 0;
		entry = readdir(directory);
		if (!entry)
			return -errno;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		r = file_remove_at(removal, dirfd(directory), entry->d_name, depth + 1);
		if (r < 0)
			return r;
	}
}

/* Its new name is a number; whoever fills the tree may have taken some already. */
static int file_remove_later(struct removal *removal, int parent, const char *name)
{
	char number[16];

	for (int i = 0; i < MOVE_TRIES_MAX; i++) {
		(void)snprintf(number, sizeof(number), "%u", removal->n_moved++);
		if (renameat2(parent, name, removal->top, number, RENAME_NOREPLACE) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return -ELOOP;
}

static int file_remove_at(struct removal *removal, int parent, const char *name, int depth)
{
	int r;

	if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
		return 0;
	/* Linux says EISDIR, POSIX EPERM. */
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	if (depth > TREE_DEPTH_MAX)
		return file_remove_later(removal, parent, name);
	r = file_remove_content(removal, parent, name, depth);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	return -errno;
}

int file_remove_tree(const char *path, struct error *err)
{
	_cleanup_free_ char *copy = strdup(path);
	_cleanup_close_ int top = -1;
	struct removal removal;
	unsigned int n_moved;
	size_t size;
	int r;

	if (!copy)
		return error_set_errno(err, -ENOMEM, "cannot remove %s", path);
	/* "link/" would make unlinkat() look through the link. */
	for (size = strlen(copy); size > 1 && copy[size - 1] == '/'; size--)
		copy[size - 1] = '\0';
	top = open(copy, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	removal = (struct removal){ .top = top };
	do {
		n_moved = removal.n_moved;
		r = file_remove_at(&removal, AT_FDCWD, copy, 0);
	} while (r == -ENOTEMPTY && removal.n_moved > n_moved);
	if (r < 0)
		return error_set_errno(err, r, "cannot remove %s", path);
	return 0;
}

long long file_free_bytes(const char *path)
{
	struct statvfs status;
	unsigned long long bytes;

	if (statvfs(path, &status) < 0)
		return -errno;
	if (__builtin_mul_overflow((unsigned long long)status.f_bavail,
				   (unsigned long long)status.f_frsize, &bytes) ||
	    bytes > LLONG_MAX)
		return LLONG_MAX;
	return (long long)bytes;
}
