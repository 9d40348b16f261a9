// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whom to tell of a job's child, asked while its tree is at hand: the report's mail is made
 * later, and perhaps elsewhere. Part of the "configure" port.
 */
#pragma once

#include <jansson.h>

#include "orchestrator/work/build_site.h"
#include "queue/job.h"

/*
 * "recipients" of @result, as maintainers.h has them; nothing for a sweep, of which no one
 * commit is to blame. Negative only where the tree cannot be checked out. Blocks while the
 * tree's script runs.
 */
int build_recipients_add(const struct build_site *site, const struct job *job, json_t *result,
			 struct error *err);
