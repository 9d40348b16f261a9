// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GRUB's environment block, as grub-core/lib/envblk.c reads and writes it: exactly
 * 1024 bytes, "# GRUB Environment Block\n", then "name=value\n" with '\\' and newline
 * escaped by a backslash, padded with '#'. Parsers take any bytes.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"

#define GRUBENV_SIZE 1024
#define GRUBENV_HEADER "# GRUB Environment Block\n"
/* GRUB reads blocks of other sizes too; we only look into those. */
#define GRUBENV_MAX_BYTES (64UL * 1024)

/* An empty block. */
void grubenv_init(char ret_block[GRUBENV_SIZE]);

/*
 * The value, unescaped. -ENOENT: not there; -EBADMSG: no environment block;
 * -ENOSPC: longer than @value_size holds. *ret_value is untouched on failure.
 */
int grubenv_get(const char *data, size_t size, const char *name, char *ret_value,
		size_t value_size);

/*
 * Sets NAME; all other variables stay as they are. @name: letters, digits, '_'.
 * -ENOSPC when it does not fit; the block is then unchanged.
 */
int grubenv_set(char block[GRUBENV_SIZE], const char *name, const char *value,
		struct error *err);

/* Reads a block to be edited: a regular file (no link), 1024 bytes, good header. */
int grubenv_read_file(const char *path, char ret_block[GRUBENV_SIZE], struct error *err);

/*
 * Overwrites the 1024 bytes in place: no truncation, no rename, since GRUB replays no
 * journal and would go on reading the old blocks after a crash. Then fsync, reopen
 * and compare. -EIO when what is there afterwards is not what was written.
 */
int grubenv_write_file(const char *path, const char block[GRUBENV_SIZE], struct error *err);
