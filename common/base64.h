// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Base64 (RFC 4648 section 4), for bytes within JSON and for the bodies of mails.
 */
#pragma once

#include <stddef.h>

#include "common/text.h"

/* Appends the encoding of @size bytes, padded, on one line. */
void base64_encode(const void *data, size_t size, struct text_buffer *text);

/*
 * Appends the bytes that @text (@size long) stands for; they may hold NULs. White space is
 * skipped, as mails break lines. -EINVAL for any other character, for a wrong length and
 * for padding that is not the end; then @bytes may have grown.
 */
int base64_decode(const char *text, size_t size, struct text_buffer *bytes);
