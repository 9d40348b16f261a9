// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Error sentences: formatting, prefixing, and making them safe to print. libc
 * only, because the static benchmark links this file. Printing is the programs' job.
 */
#include "common/error.h"

#include <stdio.h>
#include <string.h>

/* Input chosen by others must not reach a terminal or a log as control characters. */
static void error_text_clean(char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < 0x20 || byte == 0x7f)
			*text = '?';
	}
}

int error_set(struct error *err, int code, const char *format, ...)
{
	/* Built apart: an argument may be err->text itself. */
	char text[sizeof(err->text)];
	va_list arguments;

	if (!err)
		return code;
	va_start(arguments, format);
	if (vsnprintf(text, sizeof(text), format, arguments) < 0)
		text[0] = '\0';
	va_end(arguments);
	error_text_clean(text);
	memcpy(err->text, text, sizeof(text));
	return code;
}

int error_set_errno(struct error *err, int code, const char *format, ...)
{
	char text[sizeof(err->text)];
	char reason[128];
	va_list arguments;
	size_t length;

	if (!err)
		return code;
	va_start(arguments, format);
	if (vsnprintf(text, sizeof(text), format, arguments) < 0)
		text[0] = '\0';
	va_end(arguments);
	/* The GNU strerror_r() returns the text; it need not be in the buffer. */
	length = strlen(text);
	(void)snprintf(text + length, sizeof(text) - length, ": %s",
		       strerror_r(-code, reason, sizeof(reason)));
	error_text_clean(text);
	memcpy(err->text, text, sizeof(text));
	return code;
}

int error_prefix(struct error *err, int code, const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list arguments;
	size_t length;

	if (!err)
		return code;
	va_start(arguments, format);
	if (vsnprintf(text, sizeof(text), format, arguments) < 0)
		text[0] = '\0';
	va_end(arguments);
	length = strlen(text);
	(void)snprintf(text + length, sizeof(text) - length, ": %s", err->text);
	error_text_clean(text);
	memcpy(err->text, text, sizeof(text));
	return code;
}
