// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mail headers among a verb's options, as a request carries them
 * (orchestrator/work/result_mail.h).
 */
#pragma once

#include <jansson.h>

#include "orchestrator/cli/arguments.h"

/* Rows of an option table. */
#define CLI_MAIL_OPTIONS \
	{ "--subject-prefix", "NAME", "mail: the subsystem, as \"mm/mprotect\"; the child's title tells unless said" }, \
	{ "--to", "ADDRESS", "mail: a recipient in place of those that the tree names; may be given again" }, \
	{ "--cc", "ADDRESS", "mail: one more recipient; may be given again" }, \
	{ "--reply-to", "MSGID", "mail: answer the mail with this message id" }

/* NULL where none was given; else the caller's. */
json_t *cli_mail_request(const struct cli_arguments *arguments);
