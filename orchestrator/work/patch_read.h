// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patches and replacement files as a user names them, read into a point's changes: each
 * patch of a series is a change of its own, its bytes are kept beside by their SHA-256.
 * Whether they apply is change.h's.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "common/error.h"
#include "common/text.h"
#include "queue/job_change.h"

struct patch_sink {
	struct job_changes *changes;   /* grows */
	json_t *files;                 /* grows: {SHA-256: base64} */
	struct text_buffer *notes;     /* grows: a line for what the user should know */
};

/*
 * A diff, a mail, an mbox, or a directory of them (*.patch and *.diff by name, without cover
 * letters); in an mbox the newest revision of the series. -ENOENT, -EINVAL, -EFBIG with a sentence.
 */
int patch_read_path(const char *path, struct patch_sink *sink, struct error *err);

/* The same for bytes at hand; @message_id as in mbox_series_select(). */
int patch_read_bytes(const char *data, size_t size, const char *name, const char *message_id,
		     struct patch_sink *sink, struct error *err);

/* Sets @change->content and keeps the bytes. -E2BIG beyond JOB_CHANGES_MAX_BYTES in all. */
int patch_sink_keep(struct patch_sink *sink, struct job_change *change, const char *data,
		    size_t size, struct error *err);
