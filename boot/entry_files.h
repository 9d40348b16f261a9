// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the backends share: names of entries and tokens, and the files of an entry,
 * BASE/ID/{kernel,initrd}, copied durably and read back. For boot/ only.
 */
#pragma once

#include <stddef.h>

#include "boot/boot_loader.h"
#include "common/error.h"
#include "common/text.h"

/* Kernels live in DIRECTORY/abbot/ID/{kernel,initrd}; nothing else is ever removed. */
#define ENTRY_FILES_NAME "abbot"

/* -EINVAL unless @id is "abbot-", then letters, digits and '-', and short enough. */
int entry_check_id(const char *id, struct error *err);
/* -EINVAL unless @token is 32 lower-case hex digits. */
int entry_check_token(const char *token, struct error *err);

/*
 * Fit for an entry whose kernel firmware starts: @entry's command line, one-line title and
 * owner, and a kernel with an EFI stub. -EINVAL, -EBADMSG with a sentence.
 */
int entry_check_efi(const struct boot_entry *entry, struct error *err);
/* The first line of an entry's own file, "# Abbot wrote this for ...". */
void entry_add_header(struct text_buffer *text, const struct boot_entry *entry);

/*
 * Copies kernel and initrd into @base/ID, durably, and compares what was written. The same
 * bytes again: nothing is written. Blocks.
 */
int entry_files_install(const char *base, const struct boot_entry *entry, struct error *err);

/*
 * The part of the running kernel's command line that another entry should inherit. -ENOENT
 * with a sentence while a test kernel runs: the default's is not known then. Caller frees.
 */
int entry_running_options(const char *root, char **ret_options, struct error *err);

/* A NULL-terminated array of ids that grows. */
struct entry_ids {
	char **ids;
	size_t n_ids;
};

/* Adds @id unless it is there. */
int entry_ids_add(struct entry_ids *ids, const char *id, struct error *err);
/* Adds the names of @base's directories that are ids; an absent @base has none. */
int entry_ids_add_directories(struct entry_ids *ids, const char *base, struct error *err);
/* The array, never NULL, now the caller's. */
char **entry_ids_take(struct entry_ids *ids);
void entry_ids_done(struct entry_ids *ids);
