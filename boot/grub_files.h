// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside of the GRUB backend: its files on disk. For boot/grub*.c only.
 */
#pragma once

#include <sys/types.h>

#include "boot/grub_config.h"
#include "boot/grub_loader.h"

/* An absent custom.cfg is an empty one; a link is refused. *ret_mode: its mode, or 0644. */
int grub_read_custom(const struct grub_loader *grub, struct grub_config *ret_config,
		     mode_t *ret_mode, struct error *err);
/* Durable, and read back; an empty text removes the file. */
int grub_write_custom(struct grub_loader *grub, const struct grub_config *config, mode_t mode,
		      struct error *err);

/* -EBADMSG when GRUB could not load it (x86: no bzImage). */
int grub_check_image(const char *path, struct error *err);
/* /boot/abbot/ID, with root in front. Caller frees. */
char *grub_entry_directory(const struct grub_loader *grub, const char *id);
