// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory that stands for / of a machine that systemd-boot or its firmware starts: a
 * directory of variables, an EFI system partition at /boot, and a kernel with an EFI stub.
 */
#pragma once

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
	const char *tmp = getenv("TMPDIR");
	char *template = text_format("%s/abbot-sd-XXXXXX", tmp ? tmp : "/tmp");
	char *root;

	assert_non_null(mkdtemp(template));
	root = realpath(template, NULL);
	free(template);
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
