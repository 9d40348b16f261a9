// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of get_maintainer.pl to recipients. Whether a list is still there is the mail
 * lint's business.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/printable.h"
#include "common/text.h"
#include "orchestrator/work/maintainers.h"

#define RECIPIENTS_MAX 60
#define ADDRESS_MAX 128
#define NAME_MAX_BYTES 80

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static bool is_made_of(const char *text, const char *characters)
{
	return text[0] && !text[strspn(text, characters)];
}

static bool is_address(const char *address)
{
	const char *at = strchr(address, '@');

	return strlen(address) <= ADDRESS_MAX && at && at != address && !strchr(at + 1, '@') &&
	       strchr(at + 1, '.') && is_made_of(address, LETTERS DIGITS "@._+-=");
}

/* "A. Name" as a mail's header has it: in quotes; what needs more than that is left out. */
static char *recipient_of(char *name, const char *address)
{
	size_t size = strlen(name);

	if (size > 1 && name[0] == '"' && name[size - 1] == '"') {
		name[size - 1] = '\0';
		name++;
	}
	if (strlen(name) > NAME_MAX_BYTES || !is_made_of(name, LETTERS DIGITS " .'-"))
		return text_duplicate(address);
	return strchr(name, '.') ? text_format("\"%s\" <%s>", name, address)
				 : text_format("%s <%s>", name, address);
}

static int refuse(const char *line, struct error *err)
{
	_cleanup_free_ char *clean = text_format("%.60s", line);

	printable_clean(clean, false);
	return error_set(err, -EBADMSG, "it printed what is no recipient: \"%s\"", clean);
}

/* Who cares for the code is asked, who reads along is told. */
static bool is_maintainer(const char *role)
{
	return text_has_prefix(role, "maintainer") || text_has_prefix(role, "supporter") ||
	       text_has_prefix(role, "odd fixer");
}

static bool has_recipient(const json_t *list, const char *recipient)
{
	const json_t *value;
	size_t i;

	json_array_foreach(list, i, value) {
		if (strcmp(json_string_value(value), recipient) == 0)
			return true;
	}
	return false;
}

static int take_line(char *line, json_t *to, json_t *cc, struct error *err)
{
	_cleanup_free_ char *copy = text_duplicate(line);
	_cleanup_free_ char *recipient = NULL;
	char *role = strstr(copy, " (");
	char *open, *address;

	if (!role || !text_has_suffix(role, ")"))
		return refuse(line, err);
	*role = '\0';
	role += 2;
	open = strrchr(copy, '<');
	address = text_strip(open ? open + 1 : copy);
	if (open) {
		size_t size = strlen(address);

		if (!size || address[size - 1] != '>')
			return refuse(line, err);
		address[size - 1] = '\0';
		*open = '\0';
	}
	if (!is_address(address))
		return refuse(line, err);
	recipient = open ? recipient_of(text_strip(copy), address) : text_duplicate(address);
	if (has_recipient(to, recipient) || has_recipient(cc, recipient))
		return 0;
	(void)json_array_append_new(is_maintainer(role) ? to : cc, json_string(recipient));
	return 0;
}

int maintainers_parse(const char *data, size_t size, json_t **ret_recipients, struct error *err)
{
	_cleanup_free_ char *text = strndup(size ? data : "", size);
	_cleanup_json_ json_t *recipients = json_pack("{s:[], s:[]}", "to", "cc");
	json_t *to = json_object_get(recipients, "to");
	json_t *cc = json_object_get(recipients, "cc");

	if (!text || !recipients)
		return error_set(err, -ENOMEM, "out of memory");
	if (strlen(text) != size)
		return error_set(err, -EBADMSG, "it printed a NUL byte");
	for (char *next = text; next;) {
		char *line = text_strip(strsep(&next, "\n"));
		int r = line[0] ? take_line(line, to, cc, err) : 0;

		if (r < 0)
			return r;
		if (json_array_size(to) + json_array_size(cc) > RECIPIENTS_MAX)
			return error_set(err, -EBADMSG, "it named more than %d recipients",
					 RECIPIENTS_MAX);
	}
	if (!json_array_size(to) && !json_array_size(cc))
		return error_set(err, -EBADMSG, "it named nobody");
	*ret_recipients = TAKE_PTR(recipients);
	return 0;
}
