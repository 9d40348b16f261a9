// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Error sentences: formatting, prefixing, and making them safe to print. libc
 * only, because the static benchmark links this file. Printing is the programs' job.
 */
#include "common/error.h"

#include <stdio.h>
#include <string.h>

#include "common/printable.h"

/* Appends as much of ": TAIL" as fits. */
static void error_text_append(char text[sizeof(struct error)], const char *tail)
{
	const size_t size = sizeof(struct error);
	size_t length = strlen(text);

	for (const char *from = ": "; *from && length < size - 1; from++)
		text[length++] = *from;
	for (; *tail && length < size - 1; tail++)
		text[length++] = *tail;
	text[length] = '\0';
}

static void __attribute__((format(printf, 2, 0)))
error_text_format(char text[sizeof(struct error)], const char *format, va_list arguments)
{
	if (vsnprintf(text, sizeof(struct error), format, arguments) < 0)
		text[0] = '\0';
}

static int error_finish(struct error *err, int code, char text[sizeof(struct error)])
{
	printable_clean(text, false); /* input chosen by others may be in it */
	memcpy(err->text, text, sizeof(err->text));
	return code;
}

int error_set(struct error *err, int code, const char *format, ...)
{
	/* Built apart: an argument may be err->text itself. */
	char text[sizeof(err->text)];
	va_list arguments;

	if (!err)
		return code;
	va_start(arguments, format);
	error_text_format(text, format, arguments);
	va_end(arguments);
	return error_finish(err, code, text);
}

int error_set_errno(struct error *err, int code, const char *format, ...)
{
	char text[sizeof(err->text)];
	char reason[128];
	va_list arguments;

	if (!err)
		return code;
	va_start(arguments, format);
	error_text_format(text, format, arguments);
	va_end(arguments);
	/* The GNU strerror_r() returns the text; it need not be in the buffer. */
	error_text_append(text, strerror_r(-code, reason, sizeof(reason)));
	return error_finish(err, code, text);
}

int error_prefix(struct error *err, int code, const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list arguments;

	if (!err)
		return code;
	va_start(arguments, format);
	error_text_format(text, format, arguments);
	va_end(arguments);
	error_text_append(text, err->text);
	return error_finish(err, code, text);
}
