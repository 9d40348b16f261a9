// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the end of a build log. The log is text of the commit's choice: it is
 * bounded here, and made printable where it becomes part of a sentence.
 */
#include "orchestrator/work/build_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/text.h"

#define TAIL_MAX_BYTES 16384

char *build_log_tail(const char *path, size_t n_lines)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *text = calloc(1, TAIL_MAX_BYTES + 1);
	struct stat status;
	off_t from;
	ssize_t n;
	char *at;

	if (fd < 0 || !text || fstat(fd, &status) < 0)
		return text_duplicate("");
	from = status.st_size > TAIL_MAX_BYTES ? status.st_size - TAIL_MAX_BYTES : 0;
	n = pread(fd, text, TAIL_MAX_BYTES, from);
	if (n <= 0)
		return text_duplicate("");
	for (ssize_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)text[i];

		/* JSON and terminals get it: ASCII only. */
		if (byte != '\n' && (byte < 0x20 || byte >= 0x7f))
			text[i] = byte == '\t' ? ' ' : '?';
	}
	while (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	at = text + n;
	while (at > text && n_lines > 0) {
		at--;
		if (*at == '\n' && --n_lines == 0)
			at++;
		if (n_lines == 0)
			break;
	}
	return text_duplicate(at);
}

char *build_log_reason(const char *tail)
{
	static const char *const signs[] = { "error:", "undefined reference", "Error " };
	const char *error = NULL;
	const char *start;

	for (size_t i = 0; i < ARRAY_SIZE(signs) && !error; i++)
		error = strstr(tail, signs[i]);
	if (!error) {
		start = strrchr(tail, '\n');
		return text_duplicate(start ? start + 1 : tail);
	}
	start = error;
	while (start > tail && start[-1] != '\n')
		start--;
	return strndup(start, strcspn(start, "\n"));
}

int build_log_blame(const char *tail)
{
	if (strstr(tail, "No space left on device") || strstr(tail, "Disk quota exceeded"))
		return -ENOSPC;
	if (strstr(tail, "Killed signal terminated program") || strstr(tail, "virtual memory exhausted") ||
	    strstr(tail, "out of memory allocating") || strstr(tail, "Cannot allocate memory"))
		return -ENOMEM;
	return 0;
}
