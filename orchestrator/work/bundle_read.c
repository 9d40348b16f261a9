// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bundle from the disk, whoever made it: a directory of plain files, or an archive. Never
 * follows a link below the path that was given, never opens what is no plain file.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/bundle.h"

#define DEPTH_MAX 4

/* Reads what @fd, of @size bytes a moment ago, holds. */
static int read_member(int fd, const char *name, off_t size, struct bundle *bundle,
		       struct error *err)
{
	_cleanup_free_ char *data = NULL;
	size_t n = 0;

	if (size < 0 || (size_t)size > BUNDLE_FILE_MAX_BYTES)
		return error_set(err, -EINVAL, "%s has %lld bytes; %zu MiB are the most", name,
				 (long long)size, BUNDLE_FILE_MAX_BYTES >> 20);
	data = malloc((size_t)size + 1);
	if (!data)
		return error_set(err, -ENOMEM, "out of memory");
	while (n < (size_t)size) {
		ssize_t got = read(fd, data + n, (size_t)size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set_errno(err, -errno, "cannot read %s", name);
		if (got == 0)
			return error_set(err, -EINVAL, "%s became shorter while it was read", name);
		n += (size_t)got;
	}
	data[n] = '\0';
	return bundle_add(bundle, name, TAKE_PTR(data), n, err);
}

static int read_directory(int fd, const char *prefix, int depth, struct bundle *bundle,
			  struct error *err);

static int read_entry(int directory, const char *entry, const char *prefix, int depth,
		      struct bundle *bundle, struct error *err)
{
	_cleanup_free_ char *name = text_format("%s%s", prefix, entry);
	_cleanup_close_ int fd = -1;
	struct stat status;

	if (!bundle_name_is_good(name))
		return error_set(err, -EINVAL, "\"%.100s\" cannot be the name of a file of a bundle",
				 name);
	/* O_PATH opens nothing: a fifo would block, a device might act. */
	fd = openat(directory, entry, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) < 0)
		return error_set_errno(err, -errno, "cannot open %s", name);
	if (S_ISLNK(status.st_mode))
		return error_set(err, -EINVAL,
				 "%s is a symbolic link; a bundle holds plain files only", name);
	if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		return error_set(err, -EINVAL, "%s is no plain file; a bundle holds nothing else", name);
	(void)close(TAKE_FD(fd));
	fd = openat(directory, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) < 0)
		return error_set_errno(err, -errno, "cannot open %s", name);
	if (S_ISDIR(status.st_mode)) {
		_cleanup_free_ char *below = text_format("%s/", name);

		return read_directory(TAKE_FD(fd), below, depth + 1, bundle, err);
	}
	if (!S_ISREG(status.st_mode))
		return error_set(err, -EINVAL, "%s is no plain file; a bundle holds nothing else", name);
	return read_member(fd, name, status.st_size, bundle, err);
}

/* Takes @fd. */
static int read_directory(int fd, const char *prefix, int depth, struct bundle *bundle,
			  struct error *err)
{
	_cleanup_dir_ DIR *directory = fdopendir(fd);
	const struct dirent *entry;
	int r = 0;

	if (!directory) {
		(void)close(fd);
		return error_set(err, -ENOMEM, "cannot read the directory %s", prefix);
	}
	if (depth > DEPTH_MAX)
		return error_set(err, -EINVAL, "%s is too deep for a bundle", prefix);
	while (r == 0 && (errno = 0, entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			r = read_entry(dirfd(directory), entry->d_name, prefix, depth, bundle, err);
	if (r == 0 && errno)
		r = error_set_errno(err, -errno, "cannot read the directory %s", prefix);
	return r;
}

static int read_archive(const char *path, struct bundle *ret_bundle, struct error *err)
{
	_cleanup_free_ char *packed = NULL, *tar = NULL;
	size_t packed_size, tar_size;
	int r = file_read_regular(path, BUNDLE_MAX_BYTES, &packed, &packed_size, err);

	if (r < 0)
		return r;
	r = bundle_zstd_unpack(packed, packed_size, &tar, &tar_size, err);
	return r < 0 ? r : bundle_tar_parse(tar, tar_size, ret_bundle, err);
}

int bundle_read(const char *path, struct bundle *ret_bundle, struct error *err)
{
	_cleanup_bundle_ struct bundle bundle = { 0 };
	_cleanup_close_ int fd = -1;
	int r;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno != ENOTDIR)
		return error_set_errno(err, -errno, "cannot open %s", path);
	r = fd >= 0 ? read_directory(TAKE_FD(fd), "", 0, &bundle, err)
		    : read_archive(path, &bundle, err);
	if (r == 0)
		r = bundle_sort(&bundle, err);
	if (r == 0 && !bundle_find(&bundle, BUNDLE_SUMS))
		r = error_set(err, -EINVAL, "it has no " BUNDLE_SUMS);
	if (r < 0)
		return error_prefix(err, r, "%s is no bundle", path);
	*ret_bundle = bundle;
	bundle = (struct bundle){ 0 };
	return 0;
}
