// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files: bounded reads, durable writes, directories, trees. All calls block.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * Reads a whole regular or virtual (proc, sysfs) file of at most @max_bytes.
 * *ret_data is NUL-terminated beyond *ret_size (which may be NULL) and is the
 * caller's to free. -EFBIG if there is more, else the errno of the failing call.
 */
int file_read(const char *path, size_t max_bytes, char **ret_data, size_t *ret_size,
	      struct error *err);

/*
 * The same for a path that somebody else chose: only a plain file is opened at all. A fifo
 * would block, and opening some devices does something (a watchdog starts to run).
 */
int file_read_regular(const char *path, size_t max_bytes, char **ret_data, size_t *ret_size,
		      struct error *err);
/* The descriptor of such a file, for reading; the caller's to close. */
int file_open_regular(const char *path, struct error *err);

/*
 * Replaces @path atomically and durably: a temporary file beside it, fsync,
 * rename, fsync of the directory. After a crash the old or the new content is
 * there, never a mixture. Not for GRUB's environment block (see boot/grubenv.h).
 */
int file_write_durable(const char *path, const void *data, size_t size, mode_t mode,
		       struct error *err);

/* All @size bytes to a descriptor, however many writes it takes; 0 or negative errno. */
int file_write_fd(int fd, const void *data, size_t size);

/* Writes a short string to an existing sysfs or proc file: no creation, no fsync. */
int file_write_knob(const char *path, const char *value, struct error *err);

/* Copies a regular file durably (fsync of file and directory); refuses links. */
int file_copy_durable(const char *from, const char *to, mode_t mode, struct error *err);

/* mkdir -p. Existing directories are left as they are. */
int file_make_directories(const char *path, mode_t mode, struct error *err);

/* fsync of a directory, so that names created or removed in it last. */
int file_sync_directory(const char *path, struct error *err);

/* rm -rf that never follows a symbolic link; a missing path is success. */
int file_remove_tree(const char *path, struct error *err);

/* Follows links; what cannot be looked at is not there. */
bool file_exists(const char *path);

/* Bytes free for unprivileged users on the filesystem of @path; negative errno. */
long long file_free_bytes(const char *path);

/* "A/B", the caller's to free; NULL when out of memory. */
char *path_join(const char *directory, const char *name);
