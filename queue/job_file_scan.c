// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at a job file's raw text, line by line, before libgit2 parses it: includes
 * must never reach that parser, and sections without keys never leave it.
 */
#include "queue/job_file_scan.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job_file.h"
#include "queue/job_key.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_section_char(char c)
{
	return strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", c) && c;
}

int job_file_unknown_section(const char *where, const char *section, struct error *err)
{
	const char *nearest = text_nearest(section, job_sections);

	if (nearest)
		return error_set(err, -EINVAL, "%s: unknown section [%.100s], did you mean [%s]?",
				 where, section, nearest);
	return error_set(err, -EINVAL,
			 "%s: unknown section [%.100s], known are job, point, build, boot, measure and bench",
			 where, section);
}

/*
 * An include must be refused before libgit2 opens the file that it names. libgit2
 * may begin a section anywhere on a line but in a comment, so that is where
 * "[include" is looked for: too often rather than too seldom.
 */
static int refuse_include(const char *line, size_t length, const char *where, struct error *err)
{
	for (size_t i = 0; i < length; i++) {
		size_t k = i + 1;

		if (line[i] != '[')
			continue;
		while (k < length && is_blank(line[k]))
			k++;
		if (length - k >= strlen("include") &&
		    strncasecmp(line + k, "include", strlen("include")) == 0)
			return error_set(err, -EPERM,
					 "%s: a job file cannot include other files, write their lines here",
					 where);
	}
	return 0;
}

/* A section without keys never shows up among the entries; its name is checked here. */
static int check_section_name(const char *line, size_t length, const char *where,
			      struct error *err)
{
	char section[64];
	size_t n = 0;

	while (n + 1 < length && n + 1 < sizeof(section) && is_section_char(line[n + 1])) {
		section[n] = line[n + 1];
		n++;
	}
	section[n] = '\0';
	for (size_t i = 0; job_sections[i]; i++)
		if (strcasecmp(job_sections[i], section) == 0)
			return 0;
	return job_file_unknown_section(where, section, err);
}

/*
 * git-config begins a comment at any ';' or '#' outside quotes. Glued to a value, as in
 * "cmdline = a;b", it is almost surely meant to belong to it, and would be lost in silence.
 */
static int refuse_glued_comment(const char *line, size_t length, const char *where,
				struct error *err)
{
	bool is_quoted = false;

	for (size_t i = 0; i < length; i++) {
		if (line[i] == '\\') {
			i++;
		} else if (line[i] == '"') {
			is_quoted = !is_quoted;
		} else if (!is_quoted && (line[i] == ';' || line[i] == '#')) {
			if (i == 0 || is_blank(line[i - 1]))
				return 0;
			return error_set(err, -EINVAL,
					 "%s: '%c' begins a comment in the middle of a value, put the value in double quotes",
					 where, line[i]);
		}
	}
	return 0;
}

int job_file_scan(const char *data, size_t size, const char *name, struct error *err)
{
	bool is_continued = false;
	unsigned int line_number = 1;

	if (size > JOB_FILE_MAX_BYTES)
		return error_set(err, -EFBIG, "%s: a job file has at most %d bytes, this one %zu",
				 name, JOB_FILE_MAX_BYTES, size);
	if (size > 0 && memchr(data, '\0', size))
		return error_set(err, -EINVAL, "%s: not a text file, it holds a NUL byte", name);
	for (size_t start = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; start < size;
	     line_number++) {
		const char *line = data + start;
		const char *end = memchr(line, '\n', size - start);
		size_t length = end ? (size_t)(end - line) : size - start;
		_cleanup_free_ char *where = text_format("%s:%u", name, line_number);
		bool was_continued = is_continued;
		int r = 0;

		start += length + 1;
		is_continued = length > 0 && line[length - 1] == '\\';
		while (length > 0 && is_blank(*line)) {
			line++;
			length--;
		}
		if (length == 0 || *line == '#' || *line == ';')
			continue;
		r = refuse_include(line, length, where, err);
		if (r == 0 && *line == '[' && !was_continued)
			r = check_section_name(line, length, where, err);
		else if (r == 0 && !was_continued) /* a continued line may begin within quotes */
			r = refuse_glued_comment(line, length, where, err);
		if (r < 0)
			return r;
	}
	return 0;
}
