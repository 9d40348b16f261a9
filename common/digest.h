// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SHA-256 (FIPS 180-4) through libcrypto, for content keys and evidence sums.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"

#define DIGEST_HEX_SIZE 65 /* 64 lower-case hex digits and NUL */

struct digest;
/* NULL when libcrypto refuses (out of memory). */
struct digest *digest_new(void);
void digest_add(struct digest *digest, const void *data, size_t size);
/* Adds the text and its terminating NUL, so that ("ab","c") differs from ("a","bc"). */
void digest_add_text(struct digest *digest, const char *text);
/* Writes the digest and frees the object. */
void digest_finish(struct digest *digest, char ret_hex[DIGEST_HEX_SIZE]);

/* Of @size bytes at once, in hex. */
void digest_bytes(const void *data, size_t size, char ret_hex[DIGEST_HEX_SIZE]);
/* Reads the file in pieces; blocks. */
int digest_file(const char *path, char ret_hex[DIGEST_HEX_SIZE], struct error *err);
