// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patches by URL or by message id, from a list's archive as public-inbox serves it
 * (https://public-inbox.org: ID/t.mbox.gz is the thread, ID/raw one mail).
 */
#pragma once

#include "orchestrator/work/patch_read.h"

#define PATCH_ARCHIVE "https://lore.kernel.org/all"

struct patch_fetch {
	const char *archive;      /* base URL for message ids; NULL: PATCH_ARCHIVE */
	const char *cache;        /* directory; NULL: none. What cannot be fetched is taken from it, and said */
	const char *authorities;  /* as in fetch.h */
	long pause_ms;            /* as in fetch.h */
};

/* A URL, or a message id (it has an '@' and no '/')? */
bool patch_fetch_is_remote(const char *what);

/*
 * Fetches and reads: a URL, which may end in #sha256=HEX, that of an archive's page of a mail
 * included; or MESSAGE-ID, with or without <>. As patch_read_bytes(); blocks.
 */
int patch_fetch(const char *what, const struct patch_fetch *how, struct patch_sink *sink,
		struct error *err);
