// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Single files: bounded reads, atomic and durable replacement, knobs, copies.
 * Directories and trees are in file_tree.c.
 */
#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/text.h"

char *path_join(const char *directory, const char *name)
{
	size_t size = strlen(directory);
	char *path = NULL;

	while (size > 1 && directory[size - 1] == '/')
		size--;
	if (asprintf(&path, "%.*s%s%s", (int)size, directory,
		     size == 1 && *directory == '/' ? "" : "/", name) < 0)
		return NULL;
	return path;
}

static int file_read_fd(int fd, const char *path, size_t max_bytes, char **ret_data,
			size_t *ret_size, struct error *err)
{
	_cleanup_free_ char *data = NULL;
	size_t size = 0, capacity = 4096;

	/* st_size of proc and sysfs files is no use: read until the end. */
	for (;;) {
		size_t wanted;
		ssize_t n;
		char *grown;

		if (!data || size + 1 >= capacity) {
			capacity = data ? capacity * 2 : capacity;
			grown = realloc(data, capacity);
			if (!grown)
				return error_set_errno(err, -ENOMEM, "cannot read %s", path);
			data = grown;
		}
		wanted = capacity - 1 - size;
		/* One byte more than allowed, to tell "exactly" from "more". */
		if (wanted > max_bytes - size && max_bytes - size < SIZE_MAX)
			wanted = max_bytes - size + 1;
		n = read(fd, data + size, wanted);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set_errno(err, -errno, "cannot read %s", path);
		if (n == 0)
			break;
		size += (size_t)n;
		if (size > max_bytes)
			return error_set(err, -EFBIG, "%s is larger than %zu bytes", path,
					 max_bytes);
	}
	data[size] = '\0';
	*ret_data = TAKE_PTR(data);
	if (ret_size)
		*ret_size = size;
	return 0;
}

int file_read(const char *path, size_t max_bytes, char **ret_data, size_t *ret_size,
	      struct error *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot open %s", path);
	return file_read_fd(fd, path, max_bytes, ret_data, ret_size, err);
}

int file_open_regular(const char *path, struct error *err)
{
	/* A handle that opens nothing, judged, and only then opened: no time between. */
	_cleanup_close_ int handle = open(path, O_PATH | O_CLOEXEC);
	char itself[32];
	struct stat status;
	int fd;

	if (handle < 0 || fstat(handle, &status) < 0)
		return error_set_errno(err, -errno, "cannot open %s", path);
	if (!S_ISREG(status.st_mode))
		return error_set(err, -EINVAL, "cannot read %s: not a regular file", path);
	(void)snprintf(itself, sizeof(itself), "/proc/self/fd/%d", handle);
	fd = open(itself, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? error_set_errno(err, -errno, "cannot open %s", path) : fd;
}

int file_read_regular(const char *path, size_t max_bytes, char **ret_data, size_t *ret_size,
		      struct error *err)
{
	_cleanup_close_ int fd = file_open_regular(path, err);

	return fd < 0 ? fd : file_read_fd(fd, path, max_bytes, ret_data, ret_size, err);
}

int file_write_fd(int fd, const void *data, size_t size)
{
	const char *from = data;

	while (size > 0) {
		ssize_t n = write(fd, from, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		from += n;
		size -= (size_t)n;
	}
	return 0;
}

static int file_copy_bytes(int from, int to)
{
	char piece[65536];

	for (;;) {
		ssize_t n = read(from, piece, sizeof(piece));
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		r = file_write_fd(to, piece, (size_t)n);
		if (r < 0)
			return r;
	}
}

/* The directory part, the caller's to free: "." when there is none. */
static char *file_directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Makes the finished temporary file @fd the file @path, for good. */
static int file_commit(int fd, const char *temporary, const char *path, mode_t mode)
{
	_cleanup_free_ char *directory = file_directory_of(path);

	if (!directory)
		return -ENOMEM;
	/* fchmod(): the mode that was asked for, whatever the umask. */
	if (fchmod(fd, mode) < 0 || fsync(fd) < 0)
		return -errno;
	if (rename(temporary, path) < 0)
		return -errno;
	return file_sync_directory(directory, NULL);
}

static int file_open_temporary(const char *path, char **ret_name)
{
	_cleanup_free_ char *name = NULL;
	int fd;

	if (asprintf(&name, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	*ret_name = TAKE_PTR(name);
	return fd;
}

int file_write_durable(const char *path, const void *data, size_t size, mode_t mode,
		       struct error *err)
{
	_cleanup_free_ char *temporary = NULL;
	_cleanup_close_ int fd = file_open_temporary(path, &temporary);
	int r;

	if (fd < 0 || !temporary)
		return error_set_errno(err, fd, "cannot create a file beside %s", path);
	r = file_write_fd(fd, data, size);
	if (r == 0)
		r = file_commit(fd, temporary, path, mode);
	if (r < 0) {
		(void)unlink(temporary);
		return error_set_errno(err, r, "cannot write %s", path);
	}
	return 0;
}

int file_copy_durable(const char *from, const char *to, mode_t mode, struct error *err)
{
	/* O_NONBLOCK: opening a fifo must not hang; no effect on regular files. */
	_cleanup_close_ int source =
		open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	_cleanup_free_ char *temporary = NULL;
	_cleanup_close_ int target = -1;
	struct stat status;
	int r;

	if (source < 0)
		return error_set_errno(err, -errno, "cannot open %s", from);
	if (fstat(source, &status) < 0)
		return error_set_errno(err, -errno, "cannot stat %s", from);
	if (!S_ISREG(status.st_mode))
		return error_set(err, -EINVAL, "cannot copy %s: not a regular file", from);
	target = file_open_temporary(to, &temporary);
	if (target < 0 || !temporary)
		return error_set_errno(err, target, "cannot create a file beside %s", to);
	r = file_copy_bytes(source, target);
	if (r == 0)
		r = file_commit(target, temporary, to, mode);
	if (r < 0) {
		(void)unlink(temporary);
		return error_set_errno(err, r, "cannot copy %s to %s", from, to);
	}
	return 0;
}

int file_write_knob(const char *path, const char *value, struct error *err)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_TRUNC);
	size_t size = strlen(value);
	ssize_t n;

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot open %s", path);
	/* One write: a knob takes its value whole. */
	do
		n = write(fd, value, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_set_errno(err, -errno, "cannot write '%s' to %s", value, path);
	if ((size_t)n != size)
		return error_set(err, -EIO, "%s took only a part of '%s'", path, value);
	return 0;
}
