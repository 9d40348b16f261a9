// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UTF-8 as in RFC 3629, and which of its characters a terminal acts upon. libc only,
 * because the static benchmark links this file.
 */
#include "common/printable.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of the character at @text and its code; 0: not UTF-8. */
static size_t printable_decode(const unsigned char *text, uint32_t *ret_code)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = text[0] < 0x80 ? 1 : (text[0] & 0xe0) == 0xc0 ? 2 :
		      (text[0] & 0xf0) == 0xe0 ? 3 : (text[0] & 0xf8) == 0xf0 ? 4 : 0;
	uint32_t code = size == 1 ? text[0] : size ? text[0] & (0xffU >> (size + 1)) : 0;

	/* The NUL at the end is no continuation: nothing behind it is read. */
	for (size_t i = 1; i < size; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (size == 0 || code < smallest[size] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return size;
}

static bool printable_is_safe(uint32_t code, bool keeps_lines)
{
	if (code == '\n' || code == '\t')
		return keeps_lines;
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		return false;
	/* Unicode's bidirectional marks, embeddings, overrides and isolates; line separators. */
	return !(code == 0x61c || code == 0x200e || code == 0x200f ||
		 (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069));
}

void printable_clean(char *text, bool keeps_lines)
{
	while (*text) {
		uint32_t code = 0;
		size_t size = printable_decode((const unsigned char *)text, &code);

		if (size == 0 || !printable_is_safe(code, keeps_lines)) {
			size = size ? size : 1;
			memset(text, '?', size);
		}
		text += size;
	}
}
