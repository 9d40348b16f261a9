// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the daemon itself costs while a benchmark runs: kept with every measured process,
 * so that "the daemon slept" is evidence and not a promise.
 */
#pragma once

#include <jansson.h>

struct usage {
	long rss_anon_kib;  /* RssAnon of /proc/self/status; -1 unknown */
	long n_switches;    /* voluntary context switches: each is one sleep; -1 unknown */
};

/* The calling process's own figures so far. */
struct usage usage_read(void);

/*
 * {"rss_anon_kib", "wakeups"}: the larger of both memory figures, and how often the daemon
 * woke between @before and @after besides the wake-up that ended the wait. null where
 * unknown. New reference.
 */
json_t *usage_to_json(const struct usage *before, const struct usage *after);
