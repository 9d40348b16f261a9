// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What crashing kernels wrote to storage that outlives a reset (EFI variables, ramoops,
 * ERST): records in /sys/fs/pstore, or where systemd-pstore.service has moved them to.
 * Format: Documentation/admin-guide/abi-testing (pstore); fs/pstore/platform.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/text.h"

struct pstore_record {
	char *path;
	char *data;       /* "Panic#1 Part2\n", then a piece of the log */
	size_t size;
	unsigned long crash, part; /* of that first line */
	bool is_in_store; /* in /sys/fs/pstore itself, where it takes up room */
};

struct pstore {
	struct pstore_record *records; /* as the log was written: the highest part first */
	size_t n_records;
};

/*
 * The records of crashes since @since_s (seconds since 1970), when the boot was decided on: an older
 * one is somebody else's, or an earlier attempt's. None, or no pstore at all, is success. Bounded in number and size. @root stands for /. Release
 * with pstore_done().
 */
int pstore_read(const char *root, int64_t since_s, struct pstore *ret_pstore, struct error *err);
void pstore_done(struct pstore *pstore);

/* The log that the records hold, with their first lines. */
void pstore_text(const struct pstore *pstore, struct text_buffer *text);

/*
 * Removes those records from the store, so that the next crash has room: only after what they
 * say has been written down durably. What systemd has moved stays. Negative errno of the last failure.
 */
int pstore_clear(const struct pstore *pstore, struct error *err);
