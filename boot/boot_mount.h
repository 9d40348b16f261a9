// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which filesystem a file is on, as a boot loader sees it: type, UUID, block device,
 * and the path within it. Taken from mountinfo, sysfs and the superblock itself.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "boot/boot_loader.h"
#include "common/error.h"

#define BOOT_MOUNT_UUID_SIZE 37
#define BOOT_MOUNT_SUPERBLOCK_BYTES 4096

struct boot_mount {
	char device_numbers[32];   /* "254:2" */
	char device[64];           /* name under /dev: "vda2"; "" when it has none */
	char type[32];             /* "ext4" */
	char source[128];          /* as mounted: "/dev/vda2", "overlay" */
	char point[PATH_MAX];      /* mount point as the system sees it */
	char prefix[PATH_MAX];     /* directory of the filesystem that is mounted there */
};

/*
 * The mount that holds @path (absolute, no symbolic link in it, without paths->root).
 * Pure over mountinfo's text: Documentation/filesystems/proc.rst, 3.5. -ENOENT if none.
 */
int boot_mount_from_mountinfo(const char *mountinfo, const char *path,
			      struct boot_mount *ret_mount, struct error *err);
/* Reads mountinfo and the device's name in sysfs. */
int boot_mount_find(const struct boot_paths *paths, const char *path,
		    struct boot_mount *ret_mount, struct error *err);

/* The name under /dev in a block device's uevent file in sysfs; "" when it has none. */
void boot_mount_device_name(const char *uevent_path, char *name, size_t size);

/* @path as the boot loader names it, from the filesystem's own root. Caller frees. */
char *boot_mount_relative(const struct boot_mount *mount, const char *path);

/*
 * The UUID as GRUB's `search --fs-uuid` compares it: ext2/3/4, xfs
 * "8-4-4-4-12" in lower case, vfat "ABCD-1234". -EBADMSG: no such superblock.
 */
int boot_mount_parse_uuid(const char *type, const void *superblock, size_t size,
			  char ret_uuid[BOOT_MOUNT_UUID_SIZE]);
int boot_mount_read_uuid(const struct boot_paths *paths, const struct boot_mount *mount,
			 char ret_uuid[BOOT_MOUNT_UUID_SIZE], struct error *err);

/* Can GRUB clear a one-shot there? 0, or -EOPNOTSUPP with the reason. */
int boot_mount_check_grub(const struct boot_mount *mount, const char *path, struct error *err);

/*
 * Brings the filesystem to where a reader that replays no journal sees it: sync, then
 * ext4's journal checkpoint, or freeze and thaw where /boot is a mount of its own.
 * Best effort, since a loader that sees the old state boots the default. Does nothing
 * under another root than "".
 */
void boot_mount_settle(const struct boot_paths *paths, const struct boot_mount *mount);
