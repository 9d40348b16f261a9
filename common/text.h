// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text: a growing buffer, strict number parsing, nearest known word.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Zero-initialise; text_buffer_done() releases. Out of memory aborts the process. */
struct text_buffer {
	char *text;  /* NUL-terminated once anything was added, else NULL */
	size_t size;
	size_t capacity;
};

/* Frees the text; the others append to it and keep it NUL-terminated. */
void text_buffer_done(struct text_buffer *buffer);
void text_append(struct text_buffer *buffer, const char *text);
void text_append_bytes(struct text_buffer *buffer, const char *bytes, size_t size);
void text_printf(struct text_buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The text (never NULL), now the caller's; the buffer is empty again. */
char *text_buffer_take(struct text_buffer *buffer);

/* malloc'd printf; aborts when out of memory, never returns NULL. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_duplicate(const char *text); /* NULL in, NULL out */
/* Is it UTF-8 throughout, as JSON must be? */
bool text_is_utf8(const char *text);
/* How many of @text's first @max bytes to take so that no UTF-8 character is cut: for "%.*s". */
int text_cut(const char *text, int max);

/* Whole-string parsers: 0, or -EINVAL / -ERANGE. Outputs untouched on failure. */
int text_parse_i64(const char *text, int64_t minimum, int64_t maximum, int64_t *ret_value);
int text_parse_double(const char *text, double *ret_value); /* finite only, '.' always */
/* "90", "90s", "15min", "2h": seconds. As systemd.time(7) spells them. */
int text_parse_duration(const char *text, int64_t *ret_seconds);
/*
 * "2026-01-31T20:00:00Z", "2026-01-31T20:00:00+01:00": seconds since 1970, from then on.
 * RFC 3339 with whole seconds; a leap second is the one after it.
 */
int text_parse_time(const char *text, int64_t *ret_seconds);
/* "64M", "8MiB", "4096": bytes, powers of 1024. */
int text_parse_size(const char *text, uint64_t *ret_bytes);

/* The member of @words (NULL-terminated) nearest to @word, or NULL if none is near. */
const char *text_nearest(const char *word, const char *const *words);

/* By bytes; an empty prefix or suffix is always there. */
bool text_has_prefix(const char *text, const char *prefix);
bool text_has_suffix(const char *text, const char *suffix);
/* Removes leading and trailing white space in place; returns @text or a place within. */
char *text_strip(char *text);
/* "2 h 05 min", "3 min 20 s", "12 s": into @buffer. */
const char *text_duration(double seconds, char *buffer, size_t size);

#define _cleanup_text_ __attribute__((cleanup(text_buffer_done)))
