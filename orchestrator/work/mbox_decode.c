// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Transfer encodings of a mail's body and encoded words of its subject. A patch keeps its
 * bytes: only the way they travelled is undone, as git mailinfo does.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base64.h"
#include "common/cleanup.h"
#include "orchestrator/work/mbox.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* RFC 2045 section 6.7; with @is_word RFC 2047's, where '_' is a blank. */
static int quoted_printable(const char *text, size_t size, bool is_word,
			    struct text_buffer *bytes)
{
	for (size_t i = 0; i < size; i++) {
		char c = text[i];

		if (is_word && c == '_')
			c = ' ';
		if (c == '=') {
			size_t end = i + 1;

			/* A soft line break: blanks and the line's end. */
			while (!is_word && end < size && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r'))
				end++;
			if (!is_word && (end == size || text[end] == '\n')) {
				i = end;
				continue;
			}
			if (i + 2 >= size || hex_digit(text[i + 1]) < 0 || hex_digit(text[i + 2]) < 0)
				return -EINVAL;
			c = (char)(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]));
			i += 2;
		}
		text_append_bytes(bytes, &c, 1);
	}
	return 0;
}

/* CR LF becomes LF, as mails travel with it. */
static void drop_returns(const char *text, size_t size, struct text_buffer *out)
{
	for (size_t i = 0; i < size;) {
		const char *found = memchr(text + i, '\r', size - i);
		size_t n = found ? (size_t)(found - (text + i)) : size - i;

		text_append_bytes(out, text + i, n);
		i += n;
		if (i < size) {
			if (i + 1 == size || text[i + 1] != '\n')
				text_append_bytes(out, text + i, 1);
			i++;
		}
	}
}

static int refuse_kind(const struct mbox_message *message, const char *name, struct error *err)
{
	if (strncasecmp(message->type, "multipart/", strlen("multipart/")) == 0)
		return error_set(err, -EINVAL,
				 "%s: the mail \"%.200s\" has several parts (%.60s): save its patch as a file and give that",
				 name, message->subject, message->type);
	if (message->type[0] && strncasecmp(message->type, "text/", strlen("text/")) != 0)
		return error_set(err, -EINVAL, "%s: the mail \"%.200s\" is no text but %.60s", name,
				 message->subject, message->type);
	if (message->encoding == MBOX_ENCODING_UNKNOWN)
		return error_set(err, -EINVAL,
				 "%s: the mail \"%.200s\" is encoded in an unknown way", name,
				 message->subject);
	return 0;
}

int mbox_decode(const struct mbox_message *message, const char *name, char **ret_text,
		size_t *ret_size, struct error *err)
{
	_cleanup_text_ struct text_buffer raw = { 0 };
	_cleanup_text_ struct text_buffer text = { 0 };
	int r = refuse_kind(message, name, err);

	if (r < 0)
		return r;
	switch (message->encoding) {
	case MBOX_ENCODING_QUOTED_PRINTABLE:
		r = quoted_printable(message->body, message->body_size, false, &raw);
		break;
	case MBOX_ENCODING_BASE64:
		r = base64_decode(message->body, message->body_size, &raw);
		break;
	case MBOX_ENCODING_PLAIN:
	case MBOX_ENCODING_UNKNOWN:
		text_append_bytes(&raw, message->body, message->body_size);
		break;
	}
	if (r < 0)
		return error_set(err, -EINVAL, "%s: the mail \"%.200s\" is damaged: its body is no valid %s", name,
				 message->subject,
				 message->encoding == MBOX_ENCODING_BASE64 ? "base64" : "quoted-printable");
	if (raw.size && memchr(raw.text, '\0', raw.size))
		return error_set(err, -EINVAL, "%s: the mail \"%.200s\" is no text, it holds a NUL byte",
				 name, message->subject);
	text_append(&text, "");
	drop_returns(raw.size ? raw.text : "", raw.size, &text);
	*ret_size = text.size;
	*ret_text = text_buffer_take(&text);
	return 0;
}

static void append_latin1(struct text_buffer *out, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];
		char two[2] = { (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) };

		if (c < 0x80)
			text_append_bytes(out, text + i, 1);
		else
			text_append_bytes(out, two, 2);
	}
}

/* "=?CHARSET?Q?TEXT?=" at @at: its length, decoded into @out, or 0. */
static size_t decode_word(const char *at, struct text_buffer *out)
{
	static const char *const charsets[] = { "utf-8", "us-ascii", "iso-8859-1" };
	_cleanup_text_ struct text_buffer bytes = { 0 };
	size_t charset = 0;
	const char *kind, *text, *end;
	int r;

	while (charset < ARRAY_SIZE(charsets) &&
	       (strncasecmp(at + 2, charsets[charset], strlen(charsets[charset])) != 0 ||
		at[2 + strlen(charsets[charset])] != '?'))
		charset++;
	if (charset == ARRAY_SIZE(charsets))
		return 0;
	kind = at + 2 + strlen(charsets[charset]) + 1;
	text = kind[0] && kind[1] == '?' ? kind + 2 : "";
	end = strstr(text, "?=");
	if (!end || !strchr("qQbB", *kind))
		return 0;
	if (tolower((unsigned char)*kind) == 'q')
		r = quoted_printable(text, (size_t)(end - text), true, &bytes);
	else
		r = base64_decode(text, (size_t)(end - text), &bytes);
	if (r < 0 || (bytes.size && memchr(bytes.text, '\0', bytes.size)))
		return 0;
	if (charset == 2)
		append_latin1(out, bytes.size ? bytes.text : "", bytes.size);
	else
		text_append_bytes(out, bytes.size ? bytes.text : "", bytes.size);
	return (size_t)(end + 2 - at);
}

char *mbox_decode_words(const char *text)
{
	struct text_buffer out = { 0 };

	text_append(&out, "");
	for (const char *at = text; *at;) {
		size_t n = at[0] == '=' && at[1] == '?' ? decode_word(at, &out) : 0;
		size_t blanks = n ? strspn(at + n, " \t") : 0;

		if (n == 0) {
			text_append_bytes(&out, at++, 1);
			continue;
		}
		at += n;
		/* Blanks between two such words belong to neither. */
		if (blanks && at[blanks] == '=' && at[blanks + 1] == '?')
			at += blanks;
	}
	return text_buffer_take(&out);
}
