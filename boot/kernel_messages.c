// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each read(2) gives one record; EPIPE says that some were overwritten meanwhile, EAGAIN that
 * there are no more.
 */
#include "boot/kernel_messages.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

/* Longer than any record: CONSOLE_EXT_LOG_MAX is 8192, PRINTKRB_RECORD_MAX less. */
#define RECORD_MAX_BYTES 16384
/* Who writes to the log as fast as it is read does not hold us up. */
#define RECORDS_MAX 200000

/* "\x1b" stands for the byte; a backslash itself is "\x5c". */
static void add_text(struct text_buffer *text, const char *at, const char *end)
{
	while (at < end) {
		if (end - at >= 4 && at[0] == '\\' && at[1] == 'x' && isxdigit((unsigned char)at[2]) &&
		    isxdigit((unsigned char)at[3])) {
			const char digits[3] = { at[2], at[3], '\0' };
			char byte = (char)strtoul(digits, NULL, 16);

			text_append_bytes(text, byte ? &byte : "?", 1);
			at += 4;
		} else {
			text_append_bytes(text, at++, 1);
		}
	}
	text_append(text, "\n");
}

static void add_record(struct text_buffer *text, const char *line, const char *end)
{
	const char *body = memchr(line, ';', (size_t)(end - line));
	const char *at = line;
	unsigned long long us;
	char *rest;

	/* The third number: microseconds since the boot. */
	for (int commas = 0; body && commas < 2; commas++) {
		at = memchr(at, ',', (size_t)(body - at));
		if (!at)
			return;
		at++;
	}
	if (!body || !isdigit((unsigned char)*at))
		return;
	us = strtoull(at, &rest, 10);
	text_printf(text, "[%5llu.%06llu] ", us / 1000000, us % 1000000);
	add_text(text, body + 1, end);
}

void kernel_messages_add(struct text_buffer *text, const char *records, size_t size)
{
	const char *end = records + size;

	for (const char *line = records; line < end;) {
		const char *feed = memchr(line, '\n', (size_t)(end - line));
		const char *line_end = feed ? feed : end;

		if (isdigit((unsigned char)*line))
			add_record(text, line, line_end);
		line = feed ? feed + 1 : end;
	}
}

/* Whole lines from the front, so that the newest stay. */
static void cut(struct text_buffer *text, size_t max_bytes)
{
	const char *from;

	if (text->size <= max_bytes)
		return;
	from = memchr(text->text + (text->size - max_bytes), '\n', max_bytes);
	from = from ? from + 1 : text->text + text->size;
	text->size = (size_t)(text->text + text->size - from);
	memmove(text->text, from, text->size);
	text->text[text->size] = '\0';
}

int kernel_messages_read(const char *root, size_t max_bytes, struct text_buffer *text,
			 struct error *err)
{
	_cleanup_free_ char *path = text_format("%s/dev/kmsg", root);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char record[RECORD_MAX_BYTES];

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot read the kernel's log from %s", path);
	for (int i = 0; i < RECORDS_MAX; i++) {
		ssize_t n = read(fd, record, sizeof(record));

		if (n == 0 || (n < 0 && errno == EAGAIN))
			break;
		if (n < 0 && errno != EPIPE && errno != EINTR)
			return error_set_errno(err, -errno, "cannot read the kernel's log from %s", path);
		if (n > 0)
			kernel_messages_add(text, record, (size_t)n);
		if (text->size > 2 * max_bytes)
			cut(text, max_bytes);
	}
	cut(text, max_bytes);
	return 0;
}
