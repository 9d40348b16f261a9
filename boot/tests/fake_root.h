// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory that stands for / of a machine with GRUB, for tests: real files, a made-up
 * /proc and /sys, and a "block device" that holds nothing but an ext4 superblock.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define FAKE_UUID "01234567-89ab-cdef-0123-456789abcdef"
#define FAKE_CMDLINE "BOOT_IMAGE=/vmlinuz root=/dev/vda2 ro console=ttyS0\n"
#define FAKE_BOOT_ID "11111111-2222-3333-4444-555555555555"

/* As Debian's grub-mkconfig writes it, shortened. */
#define FAKE_GRUB_CFG                                                        \
	"set default=\"0\"\n"                                                \
	"if [ x$feature_timeout_style = xy ] ; then\n  set timeout=5\nfi\n"  \
	"menuentry 'Debian' --id 'gnulinux-simple' {\n\tlinux /vmlinuz\n}\n" \
	"### BEGIN /etc/grub.d/41_custom ###\n"                              \
	"if [ -f  ${config_directory}/custom.cfg ]; then\n"                  \
	"  source ${config_directory}/custom.cfg\n"                          \
	"elif [ -z \"${config_directory}\" -a -f  $prefix/custom.cfg ]; then\n" \
	"  source $prefix/custom.cfg\n"                                      \
	"fi\n"                                                               \
	"### END /etc/grub.d/41_custom ###\n"

/* An empty directory of its own, its name without links. Caller frees. */
static inline char *fake_directory_new(const char *name)
{
	const char *tmp = getenv("TMPDIR");
	_cleanup_free_ char *template = text_format("%s/abbot-%s-XXXXXX", tmp ? tmp : "/tmp", name);

	assert_non_null(mkdtemp(template));
	return realpath(template, NULL);
}

static inline void fake_write_bytes(const char *root, const char *path, const void *data,
				    size_t size)
{
	_cleanup_free_ char *full = text_format("%s%s", root, path);
	_cleanup_free_ char *directory = text_duplicate(full);
	FILE *file;

	*strrchr(directory, '/') = '\0';
	assert_int_equal(file_make_directories(directory, 0755, NULL), 0);
	file = fopen(full, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static inline void fake_write(const char *root, const char *path, const char *text)
{
	fake_write_bytes(root, path, text, strlen(text));
}

/* A symbolic link at @path; @target is relative to it, or absolute and then below @root. */
static inline void fake_link(const char *root, const char *path, const char *target)
{
	_cleanup_free_ char *full = text_format("%s%s", root, path);
	_cleanup_free_ char *to = text_format("%s%s", *target == '/' ? root : "", target);
	_cleanup_free_ char *directory = text_duplicate(full);

	*strrchr(directory, '/') = '\0';
	assert_int_equal(file_make_directories(directory, 0755, NULL), 0);
	(void)unlink(full);
	assert_int_equal(symlink(to, full), 0);
}

static inline void fake_directory(const char *root, const char *path)
{
	_cleanup_free_ char *full = text_format("%s%s", root, path);

	assert_int_equal(file_make_directories(full, 0755, NULL), 0);
}

static inline char *fake_read(const char *root, const char *path)
{
	_cleanup_free_ char *full = text_format("%s%s", root, path);
	char *text = NULL;

	if (file_read(full, 1 << 20, &text, NULL, NULL) < 0)
		return NULL;
	return text;
}

static inline void fake_write_superblock(const char *root, const char *path)
{
	unsigned char block[4096] = { 0 };

	block[1024 + 0x38] = 0x53;
	block[1024 + 0x39] = 0xef;
	for (size_t i = 0; i < 16; i++)
		block[1024 + 0x68 + i] = (unsigned char)((i % 8) * 0x22 + 1);
	fake_write_bytes(root, path, block, sizeof(block));
}

/* A file that GRUB would take for a bzImage. */
static inline void fake_write_kernel(const char *root, const char *path, char filling)
{
	unsigned char image[8192];

	memset(image, filling, sizeof(image));
	image[0x1fe] = 0x55;
	image[0x1ff] = 0xaa;
	memcpy(image + 0x202, "HdrS", 4);
	fake_write_bytes(root, path, image, sizeof(image));
}

/* Separate /boot on vda1 (ext4), / on vda2. Caller frees the path. */
static inline char *fake_root_new(void)
{
	char *root = fake_directory_new("boot");

	fake_write(root, "/boot/grub/grub.cfg", FAKE_GRUB_CFG);
	fake_write(root, "/proc/cmdline", FAKE_CMDLINE);
	fake_write(root, "/proc/self/mountinfo",
		   "27 1 254:2 / / rw,relatime shared:1 - ext4 /dev/vda2 rw\n"
		   "28 27 254:1 / /boot rw,relatime shared:2 - ext4 /dev/vda1 rw\n");
	fake_write(root, "/proc/sys/kernel/random/boot_id", FAKE_BOOT_ID "\n");
	fake_write(root, "/sys/dev/block/254:1/uevent", "MAJOR=254\nMINOR=1\nDEVNAME=vda1\n");
	fake_write(root, "/sys/dev/block/254:2/uevent", "MAJOR=254\nMINOR=2\nDEVNAME=vda2\n");
	fake_write_superblock(root, "/dev/vda1");
	fake_write_superblock(root, "/dev/vda2");
	return root;
}

static inline void fake_root_free(char *root)
{
	(void)file_remove_tree(root, NULL);
	free(root);
}
