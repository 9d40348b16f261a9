// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mails with patches: a file of one mail or of many (mboxrd, as public-inbox and git
 * format-patch write it), their headers and decoded bodies. Pure, and made for hostile
 * input. Which of the mails are the series is mbox_series.h's.
 * Formats: RFC 4155 (From_ lines), RFC 5322 (headers), RFC 2045 (encodings), RFC 2047 (subjects).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define MBOX_MAX_BYTES ((size_t)64 * 1024 * 1024)
#define MBOX_MESSAGES_MAX 4096

enum mbox_encoding {
	MBOX_ENCODING_PLAIN, /* 7bit, 8bit, binary */
	MBOX_ENCODING_QUOTED_PRINTABLE,
	MBOX_ENCODING_BASE64,
	MBOX_ENCODING_UNKNOWN,
};

struct mbox_message {
	char *subject;     /* decoded, valid UTF-8, without control characters; "" */
	char *message_id;  /* without <>; "" */
	char *type;        /* "text/plain"; "" */
	enum mbox_encoding encoding;
	const char *body;  /* borrowed from the data, still encoded */
	size_t body_size;
};

struct mbox {
	struct mbox_message *messages;
	size_t n_messages;
};

/* Does it begin as a mail or an mbox does, rather than as a diff? */
bool mbox_is_mail(const char *data, size_t size);

/*
 * Splits @data, which must outlive *ret_mbox. -EINVAL with a sentence beginning with @name.
 * A mail that is not made of plain text is no error before it is decoded.
 */
int mbox_parse(const char *data, size_t size, const char *name, struct mbox *ret_mbox,
	       struct error *err);
void mbox_done(struct mbox *mbox);

/*
 * The body as it was before it was encoded, CR LF made LF as git mailsplit does; the caller's, NUL-terminated.
 * -EINVAL for what is of several parts (an attachment), no text, damaged, or holds a NUL.
 */
int mbox_decode(const struct mbox_message *message, const char *name, char **ret_text,
		size_t *ret_size, struct error *err);

/* RFC 2047: UTF-8, US-ASCII and ISO-8859-1 words are decoded, others stay. The caller's. */
char *mbox_decode_words(const char *text);
