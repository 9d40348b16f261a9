// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The growing text buffer and small string helpers. libc only, because the
 * static benchmark links this file. Parsing of numbers is in text_parse.c.
 */
#include "common/text.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

static void text_buffer_reserve(struct text_buffer *buffer, size_t extra)
{
	size_t needed, capacity;
	char *text;

	if (__builtin_add_overflow(buffer->size, extra, &needed) ||
	    __builtin_add_overflow(needed, (size_t)1, &needed))
		abort();
	if (needed <= buffer->capacity)
		return;
	capacity = buffer->capacity > SIZE_MAX / 2 ? needed : buffer->capacity * 2;
	if (capacity < needed)
		capacity = needed;
	if (capacity < 64)
		capacity = 64;
	text = realloc(buffer->text, capacity);
	if (!text)
		abort();
	buffer->text = text;
	buffer->capacity = capacity;
}

void text_buffer_done(struct text_buffer *buffer)
{
	if (!buffer)
		return;
	free(buffer->text);
	*buffer = (struct text_buffer){ 0 };
}

void text_append_bytes(struct text_buffer *buffer, const char *bytes, size_t size)
{
	text_buffer_reserve(buffer, size);
	if (size)
		memcpy(buffer->text + buffer->size, bytes, size);
	buffer->size += size;
	buffer->text[buffer->size] = '\0';
}

void text_append(struct text_buffer *buffer, const char *text)
{
	text_append_bytes(buffer, text, strlen(text));
}

static char *text_format_arguments(const char *format, va_list arguments)
	__attribute__((format(printf, 1, 0)));

static char *text_format_arguments(const char *format, va_list arguments)
{
	char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0)
		abort();
	return text;
}

void text_printf(struct text_buffer *buffer, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = text_format_arguments(format, arguments);
	va_end(arguments);
	text_append(buffer, text);
}

char *text_buffer_take(struct text_buffer *buffer)
{
	char *text;

	text_buffer_reserve(buffer, 0);
	buffer->text[buffer->size] = '\0';
	text = buffer->text;
	*buffer = (struct text_buffer){ 0 };
	return text;
}

char *text_format(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_format_arguments(format, arguments);
	va_end(arguments);
	return text;
}

char *text_duplicate(const char *text)
{
	char *copy;

	if (!text)
		return NULL;
	copy = strdup(text);
	if (!copy)
		abort();
	return copy;
}

bool text_has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_has_suffix(const char *text, const char *suffix)
{
	size_t text_size = strlen(text), suffix_size = strlen(suffix);

	return text_size >= suffix_size &&
	       memcmp(text + text_size - suffix_size, suffix, suffix_size) == 0;
}

char *text_strip(char *text)
{
	size_t size;

	while (isspace((unsigned char)*text))
		text++;
	size = strlen(text);
	while (size > 0 && isspace((unsigned char)text[size - 1]))
		size--;
	text[size] = '\0';
	return text;
}

const char *text_duration(double seconds, char *buffer, size_t size)
{
	long long whole;

	/* Also catches NaN; a million hours is beyond any job. */
	if (!(seconds >= 0))
		seconds = 0;
	if (seconds > 3.6e9)
		seconds = 3.6e9;
	whole = llround(seconds);
	if (whole >= 3600) {
		whole = (whole + 30) / 60;
		(void)snprintf(buffer, size, "%lld h %02lld min", whole / 60, whole % 60);
	} else if (whole >= 60) {
		(void)snprintf(buffer, size, "%lld min %lld s", whole / 60, whole % 60);
	} else {
		(void)snprintf(buffer, size, "%lld s", whole);
	}
	return buffer;
}

bool text_is_utf8(const char *text)
{
	/* jansson is what will have to take it. */
	_cleanup_json_ json_t *value = json_string(text);

	return value;
}

int text_cut(const char *text, int max)
{
	int n = (int)strnlen(text, (size_t)max);

	/* A continuation byte next means that its character would be cut. */
	while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	return n;
}
