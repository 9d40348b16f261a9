// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of the Boot Loader Specification as text. Where they are, and which of them is
 * booted, is for the backends.
 */
#include "boot/bls_entry.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

/* The value of the line [@at, @end) if its key is @key. */
static bool line_value(const char *at, const char *end, const char *key, const char **ret_start,
		       size_t *ret_size)
{
	size_t length = strlen(key);

	while (at < end && is_blank(*at))
		at++;
	if ((size_t)(end - at) <= length || memcmp(at, key, length) != 0 || !is_blank(at[length]))
		return false;
	at += length;
	while (at < end && is_blank(*at))
		at++;
	while (end > at && is_blank(end[-1]))
		end--;
	*ret_start = at;
	*ret_size = (size_t)(end - at);
	return true;
}

bool bls_entry_get(const char *data, size_t size, const char *key, char **ret_value)
{
	_cleanup_text_ struct text_buffer value = { 0 };
	const char *at = data, *end = data + size;
	bool is_found = false;

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		const char *start;
		size_t length;

		if (!line_end)
			line_end = end;
		if (line_value(at, line_end, key, &start, &length)) {
			if (value.size > 0 && length > 0)
				text_append(&value, " ");
			text_append_bytes(&value, start, length);
			is_found = true;
		}
		at = line_end + 1;
	}
	if (is_found)
		*ret_value = text_buffer_take(&value);
	return is_found;
}

void bls_entry_add(struct text_buffer *text, const char *key, const char *value)
{
	text_printf(text, "%-10s %s\n", key, value);
}
