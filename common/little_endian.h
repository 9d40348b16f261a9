// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers in the bytes of file formats that keep the lowest byte first, aligned or not.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The number in @n bytes, 8 at most. */
static inline uint64_t little_endian_get(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	uint64_t value = 0;

	while (n-- > 0)
		value = value << 8 | at[n];
	return value;
}

/* The lowest @n bytes of @value. */
static inline void little_endian_put(void *bytes, uint64_t value, size_t n)
{
	uint8_t *at = bytes;

	for (size_t i = 0; i < n; i++, value >>= 8)
		at[i] = (uint8_t)value;
}
