// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Base64 both ways. Whether the bytes are what they should be is the caller's.
 */
#include "common/base64.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(const void *data, size_t size, struct text_buffer *text)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size; i += 3) {
		size_t n = size - i < 3 ? size - i : 3;
		uint32_t group = (uint32_t)bytes[i] << 16;
		char out[4];

		if (n > 1)
			group |= (uint32_t)bytes[i + 1] << 8;
		if (n > 2)
			group |= bytes[i + 2];
		for (size_t k = 0; k < 4; k++)
			out[k] = k <= n ? digits[group >> (18 - 6 * k) & 63] : '=';
		text_append_bytes(text, out, sizeof(out));
	}
}

static int decode_group(const uint8_t *group, size_t n, struct text_buffer *bytes)
{
	char out[3];

	/* Six bits alone are no byte. */
	if (n == 1)
		return -EINVAL;
	out[0] = (char)(group[0] << 2 | group[1] >> 4);
	out[1] = (char)(group[1] << 4 | group[2] >> 2);
	out[2] = (char)(group[2] << 6 | group[3]);
	if (n > 1)
		text_append_bytes(bytes, out, n - 1);
	return 0;
}

int base64_decode(const char *text, size_t size, struct text_buffer *bytes)
{
	uint8_t group[4] = { 0 };
	size_t n = 0, n_padding = 0;

	for (size_t i = 0; i < size; i++) {
		const char *digit;

		if (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n')
			continue;
		if (text[i] == '=') {
			n_padding++;
			continue;
		}
		digit = text[i] ? strchr(digits, text[i]) : NULL;
		if (!digit || n_padding)
			return -EINVAL;
		group[n++] = (uint8_t)(digit - digits);
		if (n == 4) {
			(void)decode_group(group, n, bytes);
			memset(group, 0, sizeof(group));
			n = 0;
		}
	}
	if (n_padding != (n ? 4 - n : 0))
		return -EINVAL;
	return n ? decode_group(group, n, bytes) : 0;
}
