// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside of the GRUB backend: what its files share. For boot/grub*.c only.
 */
#pragma once

#include "boot/boot_loader.h"
#include "boot/boot_mount.h"
#include "common/error.h"

struct grub_loader {
	struct boot_loader base;
	char *root;              /* of struct boot_paths; "" on a machine */
	char *directory;         /* where grub.cfg is, with root in front; no links in it */
	char *boot_directory;    /* /boot, likewise */
	char *custom_path;       /* custom.cfg */
	char *environment_path;  /* abbot.env */
	char *kernels_path;      /* /boot/abbot */
	struct boot_mount directory_mount;
	struct boot_mount boot_mount;
};

static inline struct grub_loader *grub_loader_of(struct boot_loader *loader)
{
	return (struct grub_loader *)loader; /* base comes first */
}

/*
 * 1 and where the configuration is that GRUB reads, without links: /boot/grub, /boot/grub2, or
 * on the ESP where /etc/grub2-efi.cfg leads; 0 with a sentence: nowhere. *ret_directory is the
 * caller's. (boot/grub_find.c)
 */
int grub_find_directory(const char *root, char **ret_directory, struct error *err);
/* Does grub.cfg in @directory read custom.cfg, and leave what is set there alone? */
int grub_check_config(const char *root, const char *directory, struct error *err);

/* Without paths->root: as the system, and mountinfo, name it. */
const char *grub_system_path(const struct grub_loader *loader, const char *path);

/* See boot_mount_settle(). */
void grub_settle(const struct grub_loader *loader, const struct boot_mount *mount);

int grub_install_entry(struct boot_loader *loader, const struct boot_entry *entry,
		       struct error *err);
int grub_remove_entry(struct boot_loader *loader, const char *id, struct error *err);
int grub_list_entries(struct boot_loader *loader, char ***ret_ids, struct error *err);
int grub_default_options(struct boot_loader *loader, char **ret_options, struct error *err);
/* 0 when @id has an entry and its kernel file; -ENOENT with a sentence. */
int grub_check_installed(struct grub_loader *grub, const char *id, struct error *err);

int grub_arm_once(struct boot_loader *loader, const char *id, const char *token,
		  struct error *err);
int grub_read_armed(struct boot_loader *loader, struct boot_one_shot *ret_one_shot,
		    struct error *err);
int grub_disarm(struct boot_loader *loader, struct error *err);
/* Makes sure that there is an environment block; an armed one stays armed. */
int grub_prepare_environment(struct grub_loader *loader, struct error *err);
/* Removes it; disarms thereby. Absent is success. */
int grub_remove_environment(struct grub_loader *loader, struct error *err);
