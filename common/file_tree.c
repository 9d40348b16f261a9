// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Directories and trees: making, syncing, removing without following links,
 * and how much room is left. Contents of single files are in file.c.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/cleanup.h"
#include "common/file.h"

#define TREE_DEPTH_MAX 256

static void cleanup_closedir(DIR **directory)
{
	if (*directory)
		(void)closedir(*directory);
}

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

static int file_remove_at(int parent, const char *name, int depth);

static int file_remove_content(int parent, const char *name, int depth)
{
	_cleanup_(cleanup_closedir) DIR *directory = NULL;
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
		r = file_remove_at(dirfd(directory), entry->d_name, depth + 1);
		if (r < 0)
			return r;
	}
}

static int file_remove_at(int parent, const char *name, int depth)
{
	int r;

	if (depth > TREE_DEPTH_MAX)
		return -ELOOP;
	if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
		return 0;
	/* Linux says EISDIR, POSIX EPERM. */
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	r = file_remove_content(parent, name, depth);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	return -errno;
}

int file_remove_tree(const char *path, struct error *err)
{
	_cleanup_free_ char *copy = strdup(path);
	size_t size;
	int r;

	if (!copy)
		return error_set_errno(err, -ENOMEM, "cannot remove %s", path);
	/* "link/" would make unlinkat() look through the link. */
	for (size = strlen(copy); size > 1 && copy[size - 1] == '/'; size--)
		copy[size - 1] = '\0';
	r = file_remove_at(AT_FDCWD, copy, 0);
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
