// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bundle onto the disk: complete under its name, or not there at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/bundle.h"

#define ARCHIVE_SUFFIX ".tar.zst"

static int set_time(const char *path, int64_t at_s, struct error *err)
{
	const struct timespec times[2] = { { .tv_sec = at_s }, { .tv_sec = at_s } };

	if (utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) < 0)
		return error_set_errno(err, -errno, "cannot set the time of %s", path);
	return 0;
}

static int write_member(const struct bundle_file *file, const char *directory, int64_t at_s,
			struct error *err)
{
	_cleanup_free_ char *path = path_join(directory, file->name);
	_cleanup_free_ char *parent = text_format("%.*s", (int)(strrchr(path, '/') - path), path);
	mode_t mode = strcmp(file->name, "bench/abbot-bench") == 0 ? 0755 : 0644;
	_cleanup_close_ int fd = -1;
	int r = file_make_directories(parent, 0755, err);

	if (r < 0)
		return r;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return error_set_errno(err, -errno, "cannot create %s", path);
	r = file_write_fd(fd, file->data, file->size);
	if (r < 0 || fchmod(fd, mode) < 0)
		return error_set_errno(err, r < 0 ? r : -errno, "cannot write %s", path);
	return set_time(path, at_s, err);
}

/* Directories last: every file changes the time of its own. */
static int set_directory_times(const struct bundle *bundle, const char *directory, int64_t at_s,
			       struct error *err)
{
	for (size_t i = 0; i < bundle->n_files; i++) {
		_cleanup_free_ char *path = path_join(directory, bundle->files[i].name);

		for (char *slash = strrchr(path, '/'); (size_t)(slash - path) > strlen(directory);
		     slash = strrchr(path, '/')) {
			int r;

			*slash = '\0';
			r = set_time(path, at_s, err);
			if (r < 0)
				return r;
		}
	}
	return set_time(directory, at_s, err);
}

static int write_directory(const struct bundle *bundle, const char *directory, int64_t at_s,
			   struct error *err)
{
	int r = 0;

	if (mkdir(directory, 0755) < 0)
		return error_set_errno(err, -errno, "cannot create directory %s", directory);
	for (size_t i = 0; r == 0 && i < bundle->n_files; i++)
		r = write_member(&bundle->files[i], directory, at_s, err);
	return r < 0 ? r : set_directory_times(bundle, directory, at_s, err);
}

static int write_archive(const struct bundle *bundle, const char *path, const char *top,
			 int64_t at_s, struct error *err)
{
	_cleanup_free_ char *tar = NULL, *packed = NULL;
	size_t tar_size, packed_size;
	int r = bundle_tar_make(bundle, top, at_s, &tar, &tar_size, err);

	if (r == 0)
		r = bundle_zstd_pack(tar, tar_size, &packed, &packed_size, err);
	return r < 0 ? r : file_write_durable(path, packed, packed_size, 0644, err);
}

static int refuse_existing(const char *output, struct error *err)
{
	return error_set(err, -EEXIST, "%s is there already; give another name with --output",
			 output);
}

static int put_in_place(const char *temporary, const char *place, struct error *err)
{
	if (renameat2(AT_FDCWD, temporary, AT_FDCWD, place, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EEXIST)
		return refuse_existing(place, err);
	/* Some network filesystems cannot promise it; nothing was there a moment ago. */
	if (errno == EINVAL && rename(temporary, place) == 0)
		return 0;
	return error_set_errno(err, -errno, "cannot rename %s to %s", temporary, place);
}

int bundle_write(const struct bundle *bundle, const char *output, const char *top, int64_t at_s,
		 struct error *err)
{
	_cleanup_free_ char *place = text_duplicate(output), *temporary = NULL, *parent = NULL;
	struct stat status;
	char *slash;
	int r;

	while (strlen(place) > 1 && text_has_suffix(place, "/"))
		place[strlen(place) - 1] = '\0';
	if (lstat(place, &status) == 0)
		return refuse_existing(place, err);
	slash = strrchr(place, '/');
	parent = slash ? text_format("%.*s", slash == place ? 1 : (int)(slash - place), place)
		       : text_duplicate(".");
	temporary = text_format("%s/.%s.%d", parent, slash ? slash + 1 : place, (int)getpid());
	if (text_has_suffix(place, ARCHIVE_SUFFIX))
		r = write_archive(bundle, temporary, top, at_s, err);
	else
		r = write_directory(bundle, temporary, at_s, err);
	if (r == 0)
		r = put_in_place(temporary, place, err);
	if (r < 0) {
		(void)file_remove_tree(temporary, NULL);
		return r;
	}
	return file_sync_directory(parent, err);
}
