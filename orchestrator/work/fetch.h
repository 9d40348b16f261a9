// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One file from an HTTPS server, by libcurl: whole or not at all. Proxies are those of the
 * environment (https_proxy, no_proxy). What is in the file is the caller's business.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct fetch_options {
	const char *url;
	size_t max_bytes;
	long timeout_s;          /* for each try */
	int tries;               /* at least 1; only what may be over soon is tried again */
	long pause_ms;           /* before the second try; doubled for each further one */
	const char *authorities; /* file with certificates to trust instead of the system's, or NULL */
	bool may_be_plain;       /* http, too: the caller has a checksum */
};

/*
 * The body; the caller's to free, NUL-terminated beyond *ret_size. -ENOENT: not there (404, 410);
 * -EPERM: plain http, or a certificate that does not hold; -EFBIG; -EIO for the rest, one sentence each.
 * Blocks. Not for the daemon's own thread.
 */
int fetch_get(const struct fetch_options *options, char **ret_data, size_t *ret_size,
	      struct error *err);
