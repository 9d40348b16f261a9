// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The EFI system partition as it is mounted: where kernels and entries for systemd-boot
 * and for the firmware itself are put.
 */
#pragma once

#include <stdbool.h>

#include "boot/boot_loader.h"
#include "boot/boot_mount.h"
#include "boot/efi_load_option.h"
#include "common/error.h"

struct esp {
	char *path;               /* the mount point, with paths->root in front; no links in it */
	struct boot_mount mount;
};

/*
 * The first of /efi, /boot and /boot/efi that is a FAT file system mounted read-write and
 * holds @file (a path in it that must exist: "loader"), or whatever it holds when NULL. An automount point is
 * mounted by looking. -ENOENT with a sentence: none is.
 */
int esp_find(const struct boot_paths *paths, const char *file, struct esp *ret_esp,
	     struct error *err);
void esp_done(struct esp *esp);

/*
 * The ESP as the firmware's device paths name it. -EOPNOTSUPP with a sentence: it is on no
 * GPT partition. Reads the disk.
 */
int esp_find_partition(const struct boot_paths *paths, const struct esp *esp,
		       struct efi_partition *ret_partition, struct error *err);

/*
 * An EFI application ("MZ", then "PE" where the header says), as a kernel with its EFI stub
 * is, and as long as its sections need. -EBADMSG with a sentence: firmware would refuse to
 * start it. Microsoft's PE format. What the bytes are is not looked at.
 */
int esp_check_image(const char *path, struct error *err);
/* The same of an open file; @path is for the sentence. */
int esp_check_image_fd(int fd, const char *path, struct error *err);

/*
 * Is the file a Linux kernel, alone (x86's or arm64's boot protocol) or in a unified image (a
 * PE section ".linux")? False as well when it cannot be read.
 */
bool esp_is_kernel(const char *path);
