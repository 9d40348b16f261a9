// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bounded reads below /proc and /sys, and finding one number in them.
 */
#include "bench/proc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

char *proc_file_read(const char *path, size_t max_bytes, size_t *ret_size)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *data = NULL;
	size_t size = 0;
	size_t capacity = 0;

	if (fd < 0)
		return NULL;
	for (;;) {
		if (capacity - size < 4096) {
			size_t larger = capacity ? capacity * 2 : 8192;
			char *grown = realloc(data, larger + 1);

			if (!grown)
				return NULL;
			data = grown;
			capacity = larger;
		}

		ssize_t n = read(fd, data + size, capacity - size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return NULL;
		if (n == 0)
			break;
		size += (size_t)n;
		if (size > max_bytes)
			return NULL;
	}
	data[size] = '\0';
	if (ret_size)
		*ret_size = size;
	return TAKE_PTR(data);
}

char *proc_file_read_line(const char *path)
{
	char *text = proc_file_read(path, 65536, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

int proc_file_find_number(const char *text, const char *name, uint64_t *ret_value)
{
	size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		if (*line == '\n')
			line++;
		if (strncmp(line, name, length) != 0)
			continue;

		const char *place = line + length;
		char *end;

		/* /proc/PID/sched pads the name, the others do not. */
		place += strspn(place, " \t");
		if (*place != ':')
			continue;
		place++;
		place += strspn(place, " \t");
		if (*place < '0' || *place > '9')
			return -ENOENT;
		errno = 0;
		unsigned long long value = strtoull(place, &end, 10);

		if (errno != 0)
			return -ENOENT;
		*ret_value = value;
		return 0;
	}
	return -ENOENT;
}
