// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What happened, in words: one line for each event, for `abbot log`, the daemon's
 * progress lines and `abbot status`.
 */
#pragma once

#include "queue/event.h"
#include "queue/job.h"

/*
 * "boot 2 of 3 (child): process 3 of 5: 113.4 ns/page". Never NULL; one line, printable;
 * the caller's to free.
 */
char *describe_event(const struct job *job, const struct event *event);

/* "parent", or "point 3" when the job has no such point: into @buffer, which is returned. */
const char *describe_point(const struct job *job, int point, char *buffer, size_t size);

/* First 12 hex digits of an object id, for people: into @buffer, which is returned. */
const char *describe_commit(const char *commit, char buffer[13]);
