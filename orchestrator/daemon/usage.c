// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads /proc/self/status, see proc(5).
 */
#include "orchestrator/daemon/usage.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"

#define STATUS_MAX_BYTES 16384

static long field(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	return at ? strtol(at + strlen(name), NULL, 10) : -1;
}

struct usage usage_read(void)
{
	_cleanup_free_ char *status = NULL;

	if (file_read("/proc/self/status", STATUS_MAX_BYTES, &status, NULL, NULL) < 0)
		return (struct usage){ .rss_anon_kib = -1, .n_switches = -1 };
	return (struct usage){
		.rss_anon_kib = field(status, "\nRssAnon:"),
		.n_switches = field(status, "\nvoluntary_ctxt_switches:"),
	};
}

static json_t *number_or_null(long value)
{
	return value < 0 ? json_null() : json_integer(value);
}

json_t *usage_to_json(const struct usage *before, const struct usage *after)
{
	long memory = before->rss_anon_kib > after->rss_anon_kib ? before->rss_anon_kib
								 : after->rss_anon_kib;
	bool is_known = before->n_switches >= 0 && after->n_switches > before->n_switches;

	return json_pack("{s:o, s:o}", "rss_anon_kib", number_or_null(memory), "wakeups",
			 number_or_null(is_known ? after->n_switches - before->n_switches - 1 : -1));
}
