// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mail options to JSON. What they must be is said by the renderer's lint.
 */
#include "orchestrator/cli/mail_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

static const struct {
	const char *option;
	const char *key;
	bool is_list;
} mail_members[] = {
	{ "--subject-prefix", "subject_prefix", false },
	{ "--reply-to", "reply_to", false },
	{ "--to", "to", true },
	{ "--cc", "cc", true },
};

static void add(json_t *mail, size_t member, const char *value)
{
	const char *key = mail_members[member].key;

	if (!mail_members[member].is_list) {
		(void)json_object_set_new(mail, key, json_string(value));
		return;
	}
	if (!json_object_get(mail, key))
		(void)json_object_set_new(mail, key, json_array());
	(void)json_array_append_new(json_object_get(mail, key), json_string(value));
}

json_t *cli_mail_request(const struct cli_arguments *arguments)
{
	json_t *mail = json_object();

	for (size_t i = 0; i < arguments->n_options; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(mail_members); j++) {
			if (strcmp(arguments->options[i].name, mail_members[j].option) == 0)
				add(mail, j, arguments->options[i].value);
		}
	}
	if (json_object_size(mail))
		return mail;
	json_decref(mail);
	return NULL;
}
