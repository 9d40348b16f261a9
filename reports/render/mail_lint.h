// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a mail fit to be sent to the kernel's lists? What is asked for is what
 * Documentation/admin-guide/reporting-regressions.rst and reporting-issues.rst ask for.
 * Pure.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"

#define MAIL_COLUMNS 72
#define MAIL_REGRESSIONS_LIST "regressions@lists.linux.dev"

/*
 * Headers and body of the mail @text, lines ended by line feeds. -EINVAL with one sentence that
 * names all that is wrong or missing: subject with a subsystem prefix, recipients that are
 * addresses and no list that moved away, no line beyond 72 columns; with [REGRESSION] in
 * the subject also the regressions list and a paragraph "#regzbot introduced: COMMIT" of
 * its own.
 */
int mail_lint(const char *text, struct error *err);
