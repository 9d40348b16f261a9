// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The EFI system partition as it is mounted: where kernels and entries for systemd-boot
 * and for the firmware itself are put.
 */
#pragma once

#include "boot/boot_loader.h"
#include "boot/boot_mount.h"
#include "common/error.h"

struct esp {
	char *path;               /* the mount point, with paths->root in front; no links in it */
	struct boot_mount mount;
};

/*
 * The first of /efi, /boot and /boot/efi that is a FAT file system mounted read-write and
 * holds @file (a path in it that must exist: "loader", "EFI"). An automount point is
 * mounted by looking. -ENOENT with a sentence: none is.
 */
int esp_find(const struct boot_paths *paths, const char *file, struct esp *ret_esp,
	     struct error *err);
void esp_done(struct esp *esp);

/*
 * An EFI application ("MZ", then "PE" where the header says), as a kernel with its EFI stub
 * is, and as long as its sections need. -EBADMSG with a sentence: firmware would refuse to
 * start it. Microsoft's PE format. What the bytes are is not looked at.
 */
int esp_check_image(const char *path, struct error *err);
/* The same of an open file; @path is for the sentence. */
int esp_check_image_fd(int fd, const char *path, struct error *err);
