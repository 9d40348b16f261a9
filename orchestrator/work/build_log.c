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
#define EXCERPT_MAX_BYTES (1 << 20) /* where an error may stand among other jobs' lines */

/* The last @max_bytes of the file as text for JSON and terminals: ASCII only. */
static char *end_read(const char *path, size_t max_bytes)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *text = calloc(1, max_bytes + 1);
	struct stat status;
	off_t from;
	ssize_t n;

	if (fd < 0 || !text || fstat(fd, &status) < 0)
		return text_duplicate("");
	from = status.st_size > (off_t)max_bytes ? status.st_size - (off_t)max_bytes : 0;
	n = pread(fd, text, max_bytes, from);
	if (n <= 0)
		return text_duplicate("");
	for (ssize_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte != '\n' && (byte < 0x20 || byte >= 0x7f))
			text[i] = byte == '\t' ? ' ' : '?';
	}
	return TAKE_PTR(text);
}

static char *last_lines(char *text, size_t n_lines)
{
	size_t n = strlen(text);
	char *at;

	while (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	for (at = text + n; at > text; at--)
		if (at[-1] == '\n' && --n_lines == 0)
			break;
	return text_duplicate(at);
}

char *build_log_tail(const char *path, size_t n_lines)
{
	_cleanup_free_ char *text = end_read(path, TAIL_MAX_BYTES);

	return last_lines(text, n_lines);
}

/* kbuild's "  CC      mm/mmap.o", and make's coming and going. */
static bool is_chatter(const char *line)
{
	if (line[0] == ' ' && line[1] == ' ' && line[2] >= 'A' && line[2] <= 'Z')
		return true;
	return text_has_prefix(line, "make") &&
	       (strstr(line, ": Entering directory") || strstr(line, ": Leaving directory"));
}

char *build_log_excerpt(const char *path, size_t n_lines)
{
	_cleanup_free_ char *text = end_read(path, EXCERPT_MAX_BYTES);
	_cleanup_text_ struct text_buffer kept = { 0 };
	_cleanup_free_ char *all = NULL;
	char *rest = text;

	for (char *line; (line = strsep(&rest, "\n"));)
		if (*line && !is_chatter(line))
			text_printf(&kept, "%.500s\n", line);
	all = text_buffer_take(&kept);
	return last_lines(all, n_lines);
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
