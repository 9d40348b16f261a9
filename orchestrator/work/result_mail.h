// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whom a report's mail goes to, as it comes with a request for one.
 */
#pragma once

#include <jansson.h>

#include "common/error.h"
#include "reports/render/result.h"

/*
 * @mail may be NULL, or has "subject_prefix" and "reply_to" (text), "to" and "cc" (lists of
 * text), all optional: "to" takes the place of the recipients that the tree names, "cc" is
 * added to them. -EINVAL for anything else in their places.
 */
int result_mail_apply(struct result *result, const json_t *mail, struct error *err);
