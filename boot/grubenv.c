// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GRUB's environment block: parsing, editing, and the in-place durable write. Which
 * variables mean what is for boot/grub.c.
 */
#include "boot/grubenv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"

#define GRUBENV_HEADER_SIZE (sizeof(GRUBENV_HEADER) - 1)

void grubenv_init(char ret_block[GRUBENV_SIZE])
{
	memset(ret_block, '#', GRUBENV_SIZE);
	memcpy(ret_block, GRUBENV_HEADER, GRUBENV_HEADER_SIZE);
}

/* -EBADMSG unless it begins with the header. */
static int grubenv_check(const char *data, size_t size, struct error *err)
{
	if (size < GRUBENV_HEADER_SIZE || memcmp(data, GRUBENV_HEADER, GRUBENV_HEADER_SIZE) != 0)
		return error_set(err, -EBADMSG,
				 "It is not a GRUB environment block (its first line is wrong).");
	return 0;
}

/* The end of the line at @at: of its newline (not escaped), or of the data. */
static size_t grubenv_line_end(const char *data, size_t size, size_t at)
{
	for (; at < size; at++) {
		if (data[at] == '\\')
			at++;
		else if (data[at] == '\n')
			return at;
	}
	return size;
}

/*
 * Finds NAME's line: *ret_value_at and *ret_value_end (at the newline). A line that
 * the data cut short is not one, and neither are comments.
 */
static bool grubenv_find(const char *data, size_t size, const char *name, size_t *ret_value_at,
			 size_t *ret_value_end)
{
	size_t length = strlen(name), at = GRUBENV_HEADER_SIZE;

	while (at < size) {
		size_t end = grubenv_line_end(data, size, at);

		if (end < size && data[at] != '#' && end - at > length && data[at + length] == '=' &&
		    memcmp(data + at, name, length) == 0) {
			*ret_value_at = at + length + 1;
			*ret_value_end = end;
			return true;
		}
		at = end + 1;
	}
	return false;
}

int grubenv_get(const char *data, size_t size, const char *name, char *ret_value,
		size_t value_size)
{
	size_t at, end, needed = 0, n = 0;

	if (grubenv_check(data, size, NULL) < 0)
		return -EBADMSG;
	if (!grubenv_find(data, size, name, &at, &end))
		return -ENOENT;
	for (size_t i = at; i < end; i++, needed++)
		if (data[i] == '\\' && i + 1 < end)
			i++;
	if (needed >= value_size)
		return -ENOSPC;
	for (size_t i = at; i < end; i++) {
		if (data[i] == '\\' && i + 1 < end)
			i++;
		ret_value[n++] = data[i];
	}
	ret_value[n] = '\0';
	return 0;
}

/* Where the padding begins: after the last newline that ends a line. */
static size_t grubenv_used(const char block[GRUBENV_SIZE])
{
	size_t at = GRUBENV_HEADER_SIZE;

	while (at < GRUBENV_SIZE) {
		size_t end = grubenv_line_end(block, GRUBENV_SIZE, at);

		if (end == GRUBENV_SIZE)
			break;
		at = end + 1;
	}
	return at;
}

/* Writes @value escaped to @to, which holds @room bytes; -ENOSPC when it does not fit. */
static int grubenv_escape(const char *value, char *to, size_t room, size_t *ret_size)
{
	size_t n = 0;

	for (; *value; value++) {
		if (*value == '\\' || *value == '\n') {
			if (n >= room)
				return -ENOSPC;
			to[n++] = '\\';
		}
		if (n >= room)
			return -ENOSPC;
		to[n++] = *value;
	}
	*ret_size = n;
	return 0;
}

static bool grubenv_is_name(const char *name)
{
	for (const char *at = name; *at; at++)
		if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' ||
		      (at > name && *at >= '0' && *at <= '9')))
			return false;
	return *name != '\0';
}

int grubenv_set(char block[GRUBENV_SIZE], const char *name, const char *value, struct error *err)
{
	char escaped[GRUBENV_SIZE], edited[GRUBENV_SIZE];
	size_t escaped_size, used, at, end, new_used, tail;
	bool is_there;
	int r;

	if (!grubenv_is_name(name))
		return error_set(err, -EINVAL, "'%s' is no name for a GRUB variable.", name);
	r = grubenv_check(block, GRUBENV_SIZE, err);
	if (r < 0)
		return r;
	used = grubenv_used(block);
	is_there = grubenv_find(block, GRUBENV_SIZE, name, &at, &end);
	if (!is_there) {
		at = used + strlen(name) + 1;
		end = used;
	}
	tail = is_there ? used - end : 0; /* from the old newline on */
	if (at >= GRUBENV_SIZE || grubenv_escape(value, escaped, sizeof(escaped), &escaped_size) < 0 ||
	    at + escaped_size + (is_there ? tail : 1) > GRUBENV_SIZE)
		return error_set(err, -ENOSPC, "The GRUB environment block has no room for %s.", name);
	memset(edited, '#', sizeof(edited));
	if (is_there) {
		memcpy(edited, block, at);
	} else {
		memcpy(edited, block, used);
		for (size_t i = 0; name[i]; i++)
			edited[used + i] = name[i];
		edited[at - 1] = '=';
	}
	memcpy(edited + at, escaped, escaped_size);
	new_used = at + escaped_size;
	if (is_there)
		memcpy(edited + new_used, block + end, tail);
	else
		edited[new_used] = '\n';
	memcpy(block, edited, sizeof(edited));
	return 0;
}

/* Opens our own regular file of exactly 1024 bytes. */
static int grubenv_open(const char *path, int flags, struct error *err)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
	if (fd < 0)
		return error_set_errno(err, -errno, "Cannot open %s", path);
	if (fstat(fd, &st) < 0)
		return error_set_errno(err, -errno, "Cannot look at %s", path);
	if (!S_ISREG(st.st_mode) || st.st_size != GRUBENV_SIZE || st.st_nlink != 1)
		return error_set(err, -EBADMSG,
				 "%s is not a plain file of %d bytes with one name: remove it, and it will be made anew.",
				 path, GRUBENV_SIZE);
	return TAKE_FD(fd);
}

/* As much as is there, up to the whole block; negative errno. */
static int grubenv_read_fd(int fd, char block[GRUBENV_SIZE])
{
	size_t done = 0;

	while (done < GRUBENV_SIZE) {
		ssize_t n = pread(fd, block + done, GRUBENV_SIZE - done, (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EBADMSG;
		done += (size_t)n;
	}
	return 0;
}

int grubenv_read_file(const char *path, char ret_block[GRUBENV_SIZE], struct error *err)
{
	char block[GRUBENV_SIZE];
	_cleanup_close_ int fd = -1;
	int r;

	fd = grubenv_open(path, O_RDONLY, err);
	if (fd < 0)
		return fd;
	r = grubenv_read_fd(fd, block);
	if (r < 0)
		return error_set_errno(err, r, "Cannot read %s", path);
	r = grubenv_check(block, sizeof(block), err);
	if (r < 0)
		return error_prefix(err, r, "%s", path);
	memcpy(ret_block, block, GRUBENV_SIZE);
	return 0;
}

static int grubenv_write_fd(int fd, const char block[GRUBENV_SIZE])
{
	size_t done = 0;

	while (done < GRUBENV_SIZE) {
		ssize_t n = pwrite(fd, block + done, GRUBENV_SIZE - done, (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	return fsync(fd) < 0 ? -errno : 0;
}

int grubenv_write_file(const char *path, const char block[GRUBENV_SIZE], struct error *err)
{
	char again[GRUBENV_SIZE];
	_cleanup_close_ int fd = -1, reader = -1;
	int r;

	r = grubenv_check(block, GRUBENV_SIZE, err);
	if (r < 0)
		return r;
	fd = grubenv_open(path, O_RDWR, err);
	if (fd < 0)
		return fd;
	r = grubenv_write_fd(fd, block);
	if (r < 0)
		return error_set_errno(err, r, "Cannot write %s", path);
	/* Clean pages are dropped, so that the comparison reads the disk and not the cache. */
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	reader = grubenv_open(path, O_RDONLY, err);
	if (reader < 0)
		return reader;
	r = grubenv_read_fd(reader, again);
	if (r < 0)
		return error_set_errno(err, r, "Cannot read back %s", path);
	if (memcmp(again, block, GRUBENV_SIZE) != 0)
		return error_set(err, -EIO, "%s does not hold what was just written: check the disk.", path);
	return 0;
}
