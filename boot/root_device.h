// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is under the root filesystem: the block devices and the drivers of everything between
 * them and the CPU, from mountinfo and sysfs; and which CONFIG_ symbols those drivers are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "boot/boot_loader.h"
#include "common/error.h"

#define ROOT_DEVICE_DRIVERS_MAX 32

struct root_driver {
	char name[32];   /* as in /sys/bus: "nvme"; of the filesystem: its type */
	char module[64]; /* "" when it is built in */
};

struct root_device {
	char type[32];           /* of the filesystem */
	bool is_encrypted;       /* a dm-crypt volume is under it */
	bool is_stacked;         /* device mapper or software RAID: an initrd assembles it */
	struct root_driver drivers[ROOT_DEVICE_DRIVERS_MAX]; /* the filesystem first */
	size_t n_drivers;
};

/* -ENOENT when / is on no block device that sysfs knows (an overlay, NFS). */
int root_device_find(const struct boot_paths *paths, struct root_device *ret_device,
		     struct error *err);

/* The symbol without CONFIG_ of a driver's or filesystem's name; NULL when it is not known. */
const char *root_driver_symbol(const char *driver);

/*
 * The value of CONFIG_@symbol in the text of a .config: 'y', 'm', or 'n' for all else. Pure.
 */
char root_config_value(const char *data, size_t size, const char *symbol);
