// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From JSON to the mail headers of a result. Whether they will do is the lint's business.
 */
#include "orchestrator/work/result_mail.h"

#include <errno.h>
#include <stdlib.h>

#include "common/text.h"

static int take_text(char **text, const json_t *mail, const char *key, struct error *err)
{
	const json_t *value = json_object_get(mail, key);

	if (!value)
		return 0;
	if (!json_is_string(value))
		return error_set(err, -EINVAL, "the mail's \"%s\" must be text", key);
	free(*text);
	*text = text_duplicate(json_string_value(value));
	return 0;
}

static int take_texts(struct result_texts *texts, const json_t *mail, const char *key,
		      struct error *err)
{
	const json_t *list = json_object_get(mail, key);
	const json_t *value;
	size_t i;

	if (list && !json_is_array(list))
		return error_set(err, -EINVAL, "the mail's \"%s\" must be a list", key);
	json_array_foreach(list, i, value) {
		if (!json_is_string(value))
			return error_set(err, -EINVAL, "the mail's \"%s\" must hold addresses", key);
		result_texts_add(texts, "%s", json_string_value(value));
	}
	return 0;
}

int result_mail_apply(struct result *result, const json_t *mail, struct error *err)
{
	int r;

	/* Who names recipients means these: those of the tree are left out. */
	if (json_object_get(mail, "to")) {
		result_texts_clear(&result->mail.to);
		result_texts_clear(&result->mail.cc);
	}
	r = take_text(&result->mail.subject_prefix, mail, "subject_prefix", err);

	if (r == 0)
		r = take_text(&result->mail.reply_to, mail, "reply_to", err);
	if (r == 0)
		r = take_texts(&result->mail.to, mail, "to", err);
	if (r == 0)
		r = take_texts(&result->mail.cc, mail, "cc", err);
	return r;
}
