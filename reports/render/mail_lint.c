// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checks of a mail's headers and body. Making one is left to render_mail.c.
 */
#include "reports/render/mail_lint.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

#define REGRESSION_TAG "[REGRESSION]"
#define COMMIT_DIGITS_MIN 12

struct mail {
	char *subject;
	char *recipients;        /* To and Cc, joined by commas */
	const char *body;
};

static void complain(struct text_buffer *complaints, const char *words)
{
	text_printf(complaints, "%s%s", complaints->size ? "; " : "", words);
}

static void take_header(struct mail *mail, const char *name, char *value)
{
	char *joined;

	if (strcasecmp(name, "Subject") == 0 && !mail->subject) {
		mail->subject = text_duplicate(text_strip(value));
	} else if (strcasecmp(name, "To") == 0 || strcasecmp(name, "Cc") == 0) {
		joined = text_format("%s%s%s", mail->recipients ? mail->recipients : "",
				     mail->recipients ? "," : "", text_strip(value));
		free(mail->recipients);
		mail->recipients = joined;
	}
}

/* Unfolds the headers; what follows the first empty line is the body. */
static void split(const char *text, struct mail *mail)
{
	const char *end = strstr(text, "\n\n");
	_cleanup_free_ char *headers = strndup(text, end ? (size_t)(end - text) : strlen(text));

	if (!headers)
		abort();
	mail->body = end ? end + 1 : ""; /* from the empty line on */
	for (char *c = headers; *c; c++) {
		if (c[0] == '\n' && (c[1] == ' ' || c[1] == '\t'))
			c[0] = ' ';
	}
	for (char *next = headers; next;) {
		char *line = strsep(&next, "\n");
		char *colon = strchr(line, ':');

		if (!colon)
			continue;
		*colon = '\0';
		take_header(mail, line, colon + 1);
	}
}

static void check_subject(const char *subject, struct text_buffer *complaints)
{
	const char *prefix = subject ? subject : "";
	const char *colon;

	while (*prefix == '[') {
		prefix += strcspn(prefix, "]");
		prefix += *prefix == ']';
		prefix += strspn(prefix, " ");
	}
	if (text_has_prefix(prefix, "Re: "))
		prefix += strlen("Re: ");
	colon = strstr(prefix, ": ");
	if (!subject || !colon || colon == prefix || !colon[2])
		complain(complaints, "the subject has no subsystem prefix (such as \"mm/mprotect: \")");
}

/* Lists that moved; mail to them is lost or refused. */
static bool is_stale(const char *address)
{
	static const char *const domains[] = {
		"@lists.linux-foundation.org", "@lists.01.org", "@lists.osdl.org",
		"@vger.rutgers.edu", NULL,
	};

	for (size_t i = 0; domains[i]; i++) {
		if (text_has_suffix(address, domains[i]))
			return true;
	}
	return false;
}

static bool is_address(const char *address)
{
	const char *at = strchr(address, '@');

	if (!at || at == address || strchr(at + 1, '@') || !strchr(at + 1, '.'))
		return false;
	for (const char *c = address; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("@.-_+=/'~#", *c))
			return false;
	}
	return !text_has_suffix(address, "@example.com") && !text_has_suffix(address, ".invalid");
}

static void check_recipient(char *recipient, struct text_buffer *complaints)
{
	char *open = strrchr(recipient, '<');
	char *address = text_strip(open ? open + 1 : recipient);
	_cleanup_free_ char *sentence = NULL;

	address[strcspn(address, ">")] = '\0';
	if (!is_address(address))
		sentence = text_format("\"%.60s\" is no mail address", address);
	else if (is_stale(address))
		sentence = text_format("the list %.80s is no more; look its new address up with scripts/get_maintainer.pl",
				       address);
	if (sentence)
		complain(complaints, sentence);
}

static void check_recipients(const struct mail *mail, bool is_regression,
			     struct text_buffer *complaints)
{
	_cleanup_free_ char *copy = text_duplicate(mail->recipients ? mail->recipients : "");
	size_t n_others = 0;
	bool has_regressions = false;

	for (char *next = copy; next;) {
		char *recipient = text_strip(strsep(&next, ","));

		if (!*recipient)
			continue;
		if (strstr(recipient, MAIL_REGRESSIONS_LIST))
			has_regressions = true;
		else
			n_others++;
		check_recipient(recipient, complaints);
	}
	if (is_regression && !has_regressions)
		complain(complaints, MAIL_REGRESSIONS_LIST " is no recipient");
	if (!n_others)
		complain(complaints, "no maintainer and no list of the subsystem is a recipient (scripts/get_maintainer.pl names them)");
}

/* "#regzbot introduced: COMMIT" between empty lines; a range A..B where only that is known. */
static bool has_regzbot(const char *body)
{
	static const char command[] = "\n\n#regzbot introduced: ";
	const char *found = strstr(body, command);
	size_t size = strlen(command);
	size_t digits;

	if (!found)
		return false;
	digits = strspn(found + size, "0123456789abcdef");
	if (digits < COMMIT_DIGITS_MIN)
		return false;
	found += size + digits;
	if (text_has_prefix(found, ".."))
		found += 2 + strspn(found + 2, "0123456789abcdef");
	return text_has_prefix(found, "\n\n") || strcmp(found, "\n") == 0;
}

static size_t longest_line(const char *text)
{
	size_t longest = 0;

	while (*text) {
		size_t size = strcspn(text, "\n");
		size_t columns = 0;

		/* Continuation bytes of UTF-8 take no column; a link cannot be broken. */
		for (size_t i = 0; i < size; i++)
			columns += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (columns > longest && !memmem(text, size, "://", 3))
			longest = columns;
		text += size + (text[size] == '\n');
	}
	return longest;
}

int mail_lint(const char *text, struct error *err)
{
	struct text_buffer complaints _cleanup_text_ = { 0 };
	struct mail mail = { 0 };
	bool is_regression;

	split(text, &mail);
	is_regression = mail.subject && strstr(mail.subject, REGRESSION_TAG);
	check_subject(mail.subject, &complaints);
	check_recipients(&mail, is_regression, &complaints);
	if (is_regression && !has_regzbot(mail.body))
		complain(&complaints, "\"#regzbot introduced: COMMIT\" is no paragraph of its own");
	if (strspn(mail.body, "\n") == strlen(mail.body))
		complain(&complaints, "the body is empty");
	if (longest_line(mail.body) > MAIL_COLUMNS)
		complain(&complaints, "a line has more than 72 columns");
	free(mail.subject);
	free(mail.recipients);
	if (!complaints.size)
		return 0;
	return error_set(err, -EINVAL, "the mail is not fit to be sent: %s", complaints.text);
}
