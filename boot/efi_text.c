// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UEFI's text, UTF-16LE, to and from UTF-8. Pure. RFC 2781, RFC 3629.
 */
#include "boot/efi_variable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One character at @at; its bytes, 0 at the end or a NUL, or -EBADMSG. */
static int take_utf16(const unsigned char *at, size_t size, uint32_t *ret_character)
{
	uint32_t high, low;

	if (size == 0)
		return 0;
	if (size < 2)
		return -EBADMSG;
	high = at[0] | (uint32_t)at[1] << 8;
	if (high == 0)
		return 0;
	if (high < 0xd800 || high > 0xdfff) {
		*ret_character = high;
		return 2;
	}
	if (high > 0xdbff || size < 4)
		return -EBADMSG;
	low = at[2] | (uint32_t)at[3] << 8;
	if (low < 0xdc00 || low > 0xdfff)
		return -EBADMSG;
	*ret_character = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
	return 4;
}

static size_t put_utf8(uint32_t c, char to[4])
{
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(first[n] | c);
	return n;
}

int efi_text_read(const void *data, size_t size, char *text, size_t text_size)
{
	const unsigned char *at = data;
	size_t n = 0;

	text[0] = '\0';
	for (;;) {
		uint32_t character = 0;
		int used = take_utf16(at, size, &character);
		char bytes[4];
		size_t n_bytes;

		if (used <= 0) {
			text[used < 0 ? 0 : n] = '\0';
			return used;
		}
		n_bytes = put_utf8(character, bytes);
		if (n + n_bytes >= text_size) {
			text[0] = '\0';
			return -ENOSPC;
		}
		memcpy(text + n, bytes, n_bytes);
		n += n_bytes;
		at += used;
		size -= (size_t)used;
	}
}

/* One character of @text; its bytes, 0 at the end, or -EINVAL. */
static int take_utf8(const unsigned char *text, uint32_t *ret_character)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t c = text[0];
	int n = c < 0x80 ? 1 : (c & 0xe0) == 0xc0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : (c & 0xf8) == 0xf0 ? 4 : 0;

	if (n == 0)
		return -EINVAL;
	if (n > 1)
		c &= 0x7fU >> n;
	for (int i = 1; i < n; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return -EINVAL;
		c = c << 6 | (text[i] & 0x3f);
	}
	if (c < smallest[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return -EINVAL;
	*ret_character = c;
	return text[0] ? n : 0;
}

static void put_unit(unsigned char *to, size_t *n, uint32_t unit)
{
	to[(*n)++] = (unsigned char)unit;
	to[(*n)++] = (unsigned char)(unit >> 8);
}

int efi_text_make(const char *text, void **ret_data, size_t *ret_size)
{
	const unsigned char *at = (const unsigned char *)text;
	unsigned char *data = calloc(strlen(text) + 1, 2); /* no byte needs more than one unit */
	size_t n = 0;
	int used;

	if (!data)
		return -ENOMEM;
	for (uint32_t c = 0; (used = take_utf8(at, &c)) > 0; at += used) {
		if (c < 0x10000) {
			put_unit(data, &n, c);
		} else {
			put_unit(data, &n, 0xd800 + ((c - 0x10000) >> 10));
			put_unit(data, &n, 0xdc00 + ((c - 0x10000) & 0x3ff));
		}
	}
	if (used < 0) {
		free(data);
		return used;
	}
	put_unit(data, &n, 0);
	*ret_data = data;
	*ret_size = n;
	return 0;
}
