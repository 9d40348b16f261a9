// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside of the systemd-boot backend: what its files share. For boot/systemd_boot*.c only.
 */
#pragma once

#include "boot/boot_loader.h"
#include "boot/esp.h"
#include "common/error.h"

struct systemd_boot {
	struct boot_loader base;
	char *root;
	struct boot_paths paths;  /* root is the one above */
	struct esp esp;
	char *entries_path;       /* ESP/loader/entries */
	char *kernels_path;       /* ESP/abbot */
};

static inline struct systemd_boot *systemd_boot_of(struct boot_loader *loader)
{
	return (struct systemd_boot *)loader; /* base comes first */
}

/* -EINVAL unless entry_check_id() takes it and it is all lower case: systemd-boot's ids are. */
int systemd_boot_check_id(const char *id, struct error *err);
/* ENTRIES/ID.conf; caller frees. */
char *systemd_boot_entry_path(const struct systemd_boot *sd, const char *id);
/* The entry's text with @token, or none when NULL, on its command line: durable. */
int systemd_boot_write_token(struct systemd_boot *sd, const char *id, const char *token,
			     struct error *err);

int systemd_boot_install_entry(struct boot_loader *loader, const struct boot_entry *entry,
			       struct error *err);
int systemd_boot_remove_entry(struct boot_loader *loader, const char *id, struct error *err);
int systemd_boot_list_entries(struct boot_loader *loader, char ***ret_ids, struct error *err);
int systemd_boot_default_options(struct boot_loader *loader, char **ret_options, struct error *err);
/* 0 when @id has an entry and a kernel that firmware would start; else a sentence. */
int systemd_boot_check_installed(struct systemd_boot *sd, const char *id, struct error *err);

int systemd_boot_arm_once(struct boot_loader *loader, const char *id, const char *token,
			  struct error *err);
int systemd_boot_read_armed(struct boot_loader *loader, struct boot_one_shot *ret_one_shot,
			    struct error *err);
int systemd_boot_disarm(struct boot_loader *loader, struct error *err);

/*
 * Would systemd-boot go on booting what it boots now with one more entry "abbot-..." in its
 * menu, and without waiting for a key? 0, or -EOPNOTSUPP with what to change.
 */
int systemd_boot_check_default(const struct systemd_boot *sd, struct error *err);
