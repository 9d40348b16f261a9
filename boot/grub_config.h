// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * custom.cfg as data: somebody else's text before and after, and between two marker
 * lines our block: the code that consumes the one-shot, and one menu entry for each
 * test kernel. Pure; the block carries its own checksum, so an edited one is noticed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "boot/boot_loader.h"
#include "common/error.h"

#define GRUB_CONFIG_MAX_BYTES (1024UL * 1024)
#define GRUB_CONFIG_ENTRIES_MAX 256
#define GRUB_ENVIRONMENT_NAME "abbot.env"

struct grub_config_entry {
	char id[BOOT_ENTRY_SIZE];
	char *text; /* the menuentry, as it stands in the file */
};

struct grub_config {
	char *before;           /* not ours; never NULL once parsed */
	char *after;            /* not ours */
	char *default_options;  /* command line of the default entry, or NULL: not known */
	struct grub_config_entry *entries;
	size_t n_entries;
};

/*
 * Any bytes. -EBADMSG with a sentence when our markers are incomplete or doubled, or
 * the block between them is not as we wrote it.
 */
int grub_config_parse(const char *data, size_t size, struct grub_config *ret_config,
		      struct error *err);
void grub_config_done(struct grub_config *config);

/* The file's text, or (no entry left) just what is not ours. Caller frees. */
char *grub_config_write(const struct grub_config *config);

/* Is there an entry of ours with that id? */
bool grub_config_has(const struct grub_config *config, const char *id);
/* Adds or replaces; takes over @text. -E2BIG beyond GRUB_CONFIG_ENTRIES_MAX. */
int grub_config_set(struct grub_config *config, const char *id, char *text, struct error *err);
void grub_config_remove(struct grub_config *config, const char *id);

/* What a menu entry is made of; paths as GRUB names them. */
struct grub_menu_entry {
	const char *id;
	const char *title;
	const char *uuid;
	const char *kernel_path;
	const char *initrd_path; /* or NULL */
	const char *options;
};

/*
 * The menuentry's text, everything quoted for GRUB's shell (GRUB manual, "Quoting").
 * -EINVAL for options that GRUB would change on the way (it puts a backslash before
 * quotes and backslashes: grub-core/lib/cmdline.c).
 */
int grub_menu_entry_write(const struct grub_menu_entry *entry, char **ret_text,
			  struct error *err);
