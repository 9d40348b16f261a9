// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Splits an mbox at its From_ lines and reads the few headers that matter. Bodies and
 * encoded words are mbox_decode.c's.
 */
#include "orchestrator/work/mbox.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cleanup.h"
#include "common/printable.h"
#include "common/text.h"

#define HEADER_MAX_BYTES 8192

/* Bytes that are read from the front. */
struct input {
	const char *at;
	const char *end;
};

static size_t line_size(const struct input *input)
{
	const char *feed = memchr(input->at, '\n', (size_t)(input->end - input->at));

	return (size_t)((feed ? feed + 1 : input->end) - input->at);
}

static bool begins_with(const char *line, size_t size, const char *word)
{
	return size >= strlen(word) && strncasecmp(line, word, strlen(word)) == 0;
}

/* "From NAME ... HH:MM:SS YYYY", as git mailsplit demands: prose may begin with "From ". */
static bool is_from_line(const char *line, size_t size)
{
	size_t end = size;

	if (size < 20 || memcmp(line, "From ", 5) != 0)
		return false;
	while (end > 5 && isspace((unsigned char)line[end - 1]))
		end--;
	for (size_t i = 0; i < 4; i++)
		if (end < 10 || !isdigit((unsigned char)line[end - 1 - i]))
			return false;
	for (size_t i = 7; i + 3 <= end; i++)
		if (line[i] == ':' && isdigit((unsigned char)line[i - 1]) &&
		    isdigit((unsigned char)line[i + 1]) && isdigit((unsigned char)line[i + 2]))
			return true;
	return false;
}

/* The length of NAME in "NAME: value", or 0. */
static size_t header_name_size(const char *line, size_t size)
{
	size_t n = 0;

	while (n < size && line[n] > ' ' && line[n] < 0x7f && line[n] != ':')
		n++;
	return n && n < size && line[n] == ':' ? n : 0;
}

bool mbox_is_mail(const char *data, size_t size)
{
	struct input input = { data, data + size };
	size_t n = size ? line_size(&input) : 0;

	return n && (is_from_line(data, n) || header_name_size(data, n) > 0);
}

static enum mbox_encoding encoding_of(const char *value)
{
	static const char *const plain[] = { "", "7bit", "8bit", "binary" };

	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (strcasecmp(value, plain[i]) == 0)
			return MBOX_ENCODING_PLAIN;
	if (strcasecmp(value, "quoted-printable") == 0)
		return MBOX_ENCODING_QUOTED_PRINTABLE;
	return strcasecmp(value, "base64") == 0 ? MBOX_ENCODING_BASE64 : MBOX_ENCODING_UNKNOWN;
}

static void replace(char **text, char *value)
{
	free(*text);
	*text = value;
}

/* One unfolded header. The first of each name counts. */
static void take_header(struct mbox_message *message, char *header)
{
	char *value = strchr(header, ':');

	if (!value) /* a name so long that it was cut */
		return;
	*value++ = '\0';
	value = text_strip(value);
	if (strcasecmp(header, "Subject") == 0 && !message->subject[0]) {
		replace(&message->subject, mbox_decode_words(value));
		printable_clean(message->subject, false);
	} else if (strcasecmp(header, "Message-ID") == 0 && !message->message_id[0]) {
		value += *value == '<';
		value[strcspn(value, "> \t")] = '\0';
		replace(&message->message_id, text_duplicate(value));
		printable_clean(message->message_id, false);
	} else if (strcasecmp(header, "Content-Type") == 0 && !message->type[0]) {
		value[strcspn(value, "; \t")] = '\0';
		replace(&message->type, text_duplicate(value));
		printable_clean(message->type, false);
	} else if (strcasecmp(header, "Content-Transfer-Encoding") == 0) {
		message->encoding = encoding_of(value);
	}
}

/* A header and its folded lines, without line ends; too long a one is cut. */
static char *header_unfold(struct input *input)
{
	struct text_buffer text = { 0 };

	do {
		size_t size = line_size(input), n = size;

		while (n && (input->at[n - 1] == '\n' || input->at[n - 1] == '\r'))
			n--;
		if (n > HEADER_MAX_BYTES - text.size)
			n = HEADER_MAX_BYTES - text.size;
		for (size_t i = 0; i < n; i++)
			text_append_bytes(&text, input->at[i] ? input->at + i : "?", 1);
		input->at += size;
	} while (input->at < input->end && (*input->at == ' ' || *input->at == '\t'));
	return text_buffer_take(&text);
}

static int read_headers(struct input *input, const char *name, struct mbox_message *message,
			struct error *err)
{
	while (input->at < input->end) {
		size_t size = line_size(input);
		_cleanup_free_ char *header = NULL;

		if (size == 1 || (size == 2 && *input->at == '\r')) {
			input->at += size;
			return 0;
		}
		if (!header_name_size(input->at, size)) {
			/* What some programs write again at the top; git skips it too. */
			if (begins_with(input->at, size, ">From ")) {
				input->at += size;
				continue;
			}
			return error_set(err, -EINVAL,
					 "%s: no mail and no patch: a line among a mail's headers is none", name);
		}
		header = header_unfold(input);
		take_header(message, header);
	}
	return 0;
}

/* To the next From_ line that follows an empty line. */
static size_t body_length(const struct input *input)
{
	struct input rest = *input;
	bool is_after_blank = true;

	while (rest.at < rest.end) {
		size_t size = line_size(&rest);

		if (is_after_blank && is_from_line(rest.at, size))
			break;
		is_after_blank = size == 1 || (size == 2 && *rest.at == '\r');
		rest.at += size;
	}
	return (size_t)(rest.at - input->at);
}

static struct mbox_message *message_add(struct mbox *mbox)
{
	struct mbox_message *grown =
		reallocarray(mbox->messages, mbox->n_messages + 1, sizeof(*grown));

	if (!grown)
		abort();
	mbox->messages = grown;
	grown += mbox->n_messages++;
	*grown = (struct mbox_message){ .subject = text_duplicate(""),
					.message_id = text_duplicate(""),
					.type = text_duplicate("") };
	return grown;
}

void mbox_done(struct mbox *mbox)
{
	for (size_t i = 0; i < mbox->n_messages; i++) {
		free(mbox->messages[i].subject);
		free(mbox->messages[i].message_id);
		free(mbox->messages[i].type);
	}
	free(mbox->messages);
	*mbox = (struct mbox){ 0 };
}

int mbox_parse(const char *data, size_t size, const char *name, struct mbox *ret_mbox,
	       struct error *err)
{
	_cleanup_(mbox_done) struct mbox mbox = { 0 };
	struct input input = { data, data + size };

	if (size > MBOX_MAX_BYTES)
		return error_set(err, -EFBIG, "%s has more than %zu MiB", name, MBOX_MAX_BYTES >> 20);
	while (input.at < input.end) {
		struct mbox_message *message;
		size_t n = line_size(&input);
		int r;

		if (n == 1 || (n == 2 && *input.at == '\r')) {
			input.at += n;
			continue;
		}
		if (mbox.n_messages >= MBOX_MESSAGES_MAX)
			return error_set(err, -E2BIG, "%s holds more than %d mails", name,
					 MBOX_MESSAGES_MAX);
		if (is_from_line(input.at, n))
			input.at += n;
		message = message_add(&mbox);
		r = read_headers(&input, name, message, err);
		if (r < 0)
			return r;
		message->body = input.at;
		message->body_size = body_length(&input);
		input.at += message->body_size;
	}
	*ret_mbox = mbox;
	mbox = (struct mbox){ 0 };
	return 0;
}
