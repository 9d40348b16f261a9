// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory that stands for / of a machine that systemd-boot or its firmware starts: a
 * directory of variables, an EFI system partition at /boot, and a kernel with an EFI stub.
 */
#pragma once

#include "boot/efi_load_option.h"
#include "boot/efi_variable.h"
#include "boot/tests/fake_root.h"

#define FAKE_VARIABLE(name, guid) EFI_VARIABLES_DIRECTORY "/" name "-" guid

static inline void fake_variable(const char *root, const char *path, const void *data, size_t size)
{
	unsigned char bytes[1024] = { 7 };

	assert_true(size + 4 <= sizeof(bytes));
	memcpy(bytes + 4, data, size);
	fake_write_bytes(root, path, bytes, size + 4);
}

static inline void fake_variable_text(const char *root, const char *path, const char *text)
{
	void *data = NULL;
	size_t size = 0;

	assert_int_equal(efi_text_make(text, &data, &size), 0);
	fake_variable(root, path, data, size);
	free(data);
}

/* What firmware would start: a PE file, and a bzImage as well. */
static inline void fake_write_efi_kernel(const char *root, const char *path, char filling)
{
	unsigned char image[8192];

	memset(image, filling, sizeof(image));
	memcpy(image, "MZ", 2);
	memcpy(image + 0x3c, "\x40\0\0\0", 4);
	memset(image + 0x40, 0, 24 + 40);
	memcpy(image + 0x40, "PE\0\0", 4);
	image[0x40 + 6] = 1;           /* one section, and no optional header: */
	image[0x58 + 16 + 1] = 0x1c;   /* 0x1c00 bytes ... */
	image[0x58 + 20 + 1] = 0x04;   /* ... from 0x400 to the end */
	image[0x1fe] = 0x55;
	image[0x1ff] = 0xaa;
	memcpy(image + 0x202, "HdrS", 4);
	fake_write_bytes(root, path, image, sizeof(image));
}

/* systemd-boot 252, its ESP at /boot, one entry of the distribution's. Caller frees. */
static inline char *fake_systemd_boot_new(void)
{
	char *root = fake_directory_new("sd");

	fake_variable_text(root, FAKE_VARIABLE("LoaderInfo", EFI_GUID_LOADER), "systemd-boot 252.39-1");
	fake_variable(root, FAKE_VARIABLE("LoaderFeatures", EFI_GUID_LOADER), "\x6f\0\0\0\0\0\0\0", 8);
	fake_write(root, "/boot/loader/loader.conf", "timeout 3\ndefault debian-*\n");
	fake_write(root, "/boot/loader/entries/debian-6.1.conf", "title Debian\nlinux /vmlinuz\noptions root=/dev/vda2 ro\n");
	fake_write(root, "/proc/cmdline", "initrd=\\initrd.img root=/dev/vda2 ro console=ttyS0\n");
	fake_write(root, "/proc/self/mountinfo",
		   "27 1 254:2 / / rw,relatime shared:1 - ext4 /dev/vda2 rw\n"
		   "28 27 254:1 / /boot rw,relatime shared:2 - vfat /dev/vda1 rw\n");
	fake_write(root, "/sys/dev/block/254:1/uevent", "DEVNAME=vda1\n");
	fake_write(root, "/sys/dev/block/254:2/uevent", "DEVNAME=vda2\n");
	fake_write_efi_kernel(root, "/store/bzImage", 'a');
	return root;
}

#define FAKE_OPTION(number) FAKE_VARIABLE("Boot" number, EFI_GUID_GLOBAL)
#define FAKE_ESP_GUID "ab5007ab-0002-4000-8000-000000000001"

/* As an efibootmgr would: the ESP is partition 1, blocks 2048 to 100351. */
static inline void fake_option(const char *root, const char *path, const char *file, const char *options)
{
	struct efi_partition partition = { .number = 1, .start = 2048, .size = 98304 };
	void *bytes = NULL;
	size_t size = 0;

	assert_true(efi_guid_parse(FAKE_ESP_GUID, partition.guid));
	assert_int_equal(efi_load_option_make("T", &partition, file, options, &bytes, &size), 0);
	fake_variable(root, path, bytes, size);
	free(bytes);
}

/* The disk's first 36 blocks of @block bytes: a GPT with the ESP as its partition 1. */
static inline void fake_gpt(const char *root, const char *path, size_t block)
{
	unsigned char *disk = calloc(36, block), *entry = disk + 2 * block;

	assert_non_null(disk);
	memcpy(disk + block, "EFI PART", 8);
	disk[block + 72] = 2;
	disk[block + 80] = 128;
	disk[block + 84] = 128;
	assert_true(efi_guid_parse(FAKE_ESP_GUID, entry + 16));
	memcpy(entry + 32, "\0\x08\0\0", 4);      /* 2048 */
	memcpy(entry + 40, "\xff\x87\x01\0", 4);  /* 100351 */
	fake_write_bytes(root, path, disk, 36 * block);
	free(disk);
}

/* Firmware that starts /boot's \vmlinuz by Boot0000 itself; no loader. Caller frees. */
static inline char *fake_uefi_new(void)
{
	char *root = fake_directory_new("uefi");

	fake_option(root, FAKE_OPTION("0000"), "\\vmlinuz", "root=/dev/vda2 ro");
	fake_option(root, FAKE_OPTION("0002"), "\\EFI\\other\\x.efi", "");
	fake_variable(root, FAKE_VARIABLE("BootOrder", EFI_GUID_GLOBAL), "\0\0\2\0", 4);
	fake_variable(root, FAKE_VARIABLE("BootCurrent", EFI_GUID_GLOBAL), "\0\0", 2);
	fake_write_efi_kernel(root, "/boot/vmlinuz", 'd');
	fake_write(root, "/proc/cmdline", "root=/dev/vda2 ro console=ttyS0 initrd=\\initrd.img\n");
	fake_write(root, "/proc/self/mountinfo",
		   "27 1 254:2 / / rw,relatime shared:1 - ext4 /dev/vda2 rw\n"
		   "28 27 254:1 / /boot rw,relatime shared:2 - vfat /dev/vda1 rw\n");
	fake_write(root, "/sys/devices/vda/uevent", "MAJOR=254\nMINOR=0\nDEVNAME=vda\nDEVTYPE=disk\n");
	fake_write(root, "/sys/devices/vda/queue/logical_block_size", "512\n");
	fake_write(root, "/sys/devices/vda/vda1/uevent", "DEVNAME=vda1\n");
	fake_write(root, "/sys/devices/vda/vda1/partition", "1\n");
	fake_write(root, "/sys/devices/vda/vda1/start", "2048\n");
	fake_write(root, "/sys/devices/vda/vda1/size", "98304\n");
	fake_write(root, "/sys/devices/vda/vda2/uevent", "DEVNAME=vda2\n");
	fake_link(root, "/sys/dev/block/254:1", "/sys/devices/vda/vda1");
	fake_link(root, "/sys/dev/block/254:2", "/sys/devices/vda/vda2");
	fake_gpt(root, "/dev/vda", 512);
	fake_write_efi_kernel(root, "/store/bzImage", 'a');
	return root;
}
