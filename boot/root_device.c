// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The drivers under the root filesystem. Whether a kernel has them is judged by
 * boot/preflight_root.c. Layout: Documentation/admin-guide/sysfs-rules.rst.
 */
#include "boot/root_device.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot/boot_mount.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

/* Volumes on volumes: LVM on LUKS on RAID is three. */
#define DEPTH_MAX 8

static void add_driver(struct root_device *device, const char *name, const char *module)
{
	struct root_driver *driver;

	for (size_t i = 0; i < device->n_drivers; i++)
		if (strcmp(device->drivers[i].name, name) == 0)
			return;
	if (device->n_drivers >= ROOT_DEVICE_DRIVERS_MAX)
		return;
	driver = &device->drivers[device->n_drivers++];
	(void)snprintf(driver->name, sizeof(driver->name), "%s", name);
	(void)snprintf(driver->module, sizeof(driver->module), "%s", module);
}

/* The last part of where the link DIRECTORY/NAME leads; "" when there is none. */
static void link_name(const char *directory, const char *name, char *ret_name, size_t size)
{
	_cleanup_free_ char *path = path_join(directory, name), *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;

	(void)snprintf(ret_name, size, "%s", slash ? slash + 1 : "");
}

/* The drivers of @path, a directory of /sys/devices, and of all that it is plugged into. */
static void walk_up(struct root_device *device, const char *path, size_t root_length)
{
	_cleanup_free_ char *at = text_duplicate(path);

	for (char *slash; strlen(at) > root_length && (slash = strrchr(at, '/')); *slash = '\0') {
		_cleanup_free_ char *driver_path = path_join(at, "driver");
		char driver[64], module[64];

		link_name(at, "driver", driver, sizeof(driver));
		link_name(driver_path, "module", module, sizeof(module));
		if (*driver)
			add_driver(device, driver, module);
	}
}

static void note_stacked(struct root_device *device, const char *path)
{
	_cleanup_free_ char *uuid_path = path_join(path, "dm/uuid"), *uuid = NULL;
	_cleanup_free_ char *raid = path_join(path, "md");

	if (file_read(uuid_path, 4096, &uuid, NULL, NULL) == 0) {
		device->is_stacked = true;
		add_driver(device, "device-mapper", "");
		if (text_has_prefix(uuid, "CRYPT-")) {
			device->is_encrypted = true;
			add_driver(device, "dm-crypt", "");
		}
	}
	if (file_exists(raid)) {
		device->is_stacked = true;
		add_driver(device, "md", "");
	}
}

/* @path: a block device's directory in /sys/devices, a partition's or a disk's. */
static void walk_device(struct root_device *device, const char *path, size_t root_length, int depth)
{
	_cleanup_free_ char *slaves = path_join(path, "slaves");
	_cleanup_dir_ DIR *directory = opendir(slaves);
	const struct dirent *item;

	note_stacked(device, path);
	walk_up(device, path, root_length);
	while (directory && depth < DEPTH_MAX && (item = readdir(directory))) {
		_cleanup_free_ char *link = path_join(slaves, item->d_name), *real = NULL;

		if (item->d_name[0] == '.')
			continue;
		real = realpath(link, NULL);
		if (real)
			walk_device(device, real, root_length, depth + 1);
	}
}

int root_device_find(const struct boot_paths *paths, struct root_device *ret_device,
		     struct error *err)
{
	_cleanup_free_ char *link = NULL, *real = NULL, *root = NULL;
	struct root_device device = { 0 };
	struct boot_mount mount;
	int r = boot_mount_find(paths, "/", &mount, err);

	if (r < 0)
		return r;
	link = text_format("%s/sys/dev/block/%s", paths->root, mount.device_numbers);
	real = realpath(link, NULL);
	root = *paths->root ? realpath(paths->root, NULL) : text_duplicate("");
	if (!real || !root)
		return error_set(err, -ENOENT, "The root filesystem (%s) is on no block device.", mount.type);
	(void)snprintf(device.type, sizeof(device.type), "%s", mount.type);
	add_driver(&device, mount.type, "");
	walk_device(&device, real, strlen(root) + strlen("/sys/devices"), 0);
	*ret_device = device;
	return 0;
}

const char *root_driver_symbol(const char *driver)
{
	/* Names as drivers register them, which are not always those of their modules. */
	static const char *const symbols[][2] = {
		{ "ext4", "EXT4_FS" }, { "ext3", "EXT4_FS" }, { "ext2", "EXT4_FS" },
		{ "xfs", "XFS_FS" }, { "btrfs", "BTRFS_FS" }, { "f2fs", "F2FS_FS" },
		{ "virtio_blk", "VIRTIO_BLK" }, { "virtio-pci", "VIRTIO_PCI" },
		{ "virtio_scsi", "SCSI_VIRTIO" }, { "nvme", "BLK_DEV_NVME" }, { "sd", "BLK_DEV_SD" },
		{ "ahci", "SATA_AHCI" }, { "ata_piix", "ATA_PIIX" }, { "vmd", "VMD" },
		{ "megaraid_sas", "MEGARAID_SAS" }, { "mpt3sas", "SCSI_MPT3SAS" },
		{ "smartpqi", "SCSI_SMARTPQI" }, { "hpsa", "SCSI_HPSA" }, { "aacraid", "SCSI_AACRAID" },
		{ "mpi3mr", "SCSI_MPI3MR" }, { "vmw_pvscsi", "VMWARE_PVSCSI" }, { "mptspi", "FUSION_SPI" },
		{ "vbd", "XEN_BLKDEV_FRONTEND" }, { "hv_storvsc", "HYPERV_STORAGE" },
		{ "hv_pci", "PCI_HYPERV" }, { "mmcblk", "MMC_BLOCK" }, { "sdhci-pci", "MMC_SDHCI_PCI" },
		{ "xhci_hcd", "USB_XHCI_HCD" }, { "usb-storage", "USB_STORAGE" }, { "uas", "USB_UAS" },
		{ "device-mapper", "BLK_DEV_DM" }, { "dm-crypt", "DM_CRYPT" }, { "md", "BLK_DEV_MD" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (strcmp(symbols[i][0], driver) == 0)
			return symbols[i][1];
	return NULL;
}

char root_config_value(const char *data, size_t size, const char *symbol)
{
	_cleanup_free_ char *stem = text_format("CONFIG_%s=", symbol);
	size_t length = strlen(stem);
	char value = 'n';

	for (size_t at = 0; at < size;) {
		const char *newline = memchr(data + at, '\n', size - at);
		size_t end = newline ? (size_t)(newline - data) : size;

		if (end - at > length && memcmp(data + at, stem, length) == 0)
			value = data[at + length];
		at = end + 1;
	}
	return value == 'y' || value == 'm' ? value : 'n';
}
