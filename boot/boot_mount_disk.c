// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A filesystem below its files: the UUID in its superblock, and settling what was
 * written so that a boot loader, which replays no journal, sees it.
 */
#include "boot/boot_mount.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/text.h"

/* fs/ext4/ext4.h; not in the exported headers of older systems. Linux 5.15 and later. */
#define BOOT_EXT4_IOC_CHECKPOINT _IOW('f', 43, uint32_t)

static void mount_format_uuid(const unsigned char *u, char ret_uuid[BOOT_MOUNT_UUID_SIZE])
{
	(void)snprintf(ret_uuid, BOOT_MOUNT_UUID_SIZE,
		       "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		       u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11],
		       u[12], u[13], u[14], u[15]);
}

/* FAT's serial number: at 0x43 in FAT32, 0x27 in FAT12/16, by the type's name beside it. */
static int mount_parse_vfat(const unsigned char *bytes, char ret_uuid[BOOT_MOUNT_UUID_SIZE])
{
	const unsigned char *serial;

	if (bytes[510] != 0x55 || bytes[511] != 0xaa)
		return -EBADMSG;
	if (memcmp(bytes + 0x52, "FAT32", 5) == 0)
		serial = bytes + 0x43;
	else if (memcmp(bytes + 0x36, "FAT", 3) == 0)
		serial = bytes + 0x27;
	else
		return -EBADMSG;
	(void)snprintf(ret_uuid, BOOT_MOUNT_UUID_SIZE, "%02X%02X-%02X%02X", serial[3], serial[2],
		       serial[1], serial[0]);
	return 0;
}

int boot_mount_parse_uuid(const char *type, const void *superblock, size_t size,
			  char ret_uuid[BOOT_MOUNT_UUID_SIZE])
{
	const unsigned char *bytes = superblock;

	if (size < 2048)
		return -EBADMSG;
	if (text_has_prefix(type, "ext")) { /* at 1024: magic at 0x38, UUID at 0x68 */
		if (bytes[1024 + 0x38] != 0x53 || bytes[1024 + 0x39] != 0xef)
			return -EBADMSG;
		mount_format_uuid(bytes + 1024 + 0x68, ret_uuid);
		return 0;
	}
	if (strcmp(type, "xfs") == 0) {
		if (memcmp(bytes, "XFSB", 4) != 0)
			return -EBADMSG;
		mount_format_uuid(bytes + 32, ret_uuid);
		return 0;
	}
	if (strcmp(type, "vfat") == 0)
		return mount_parse_vfat(bytes, ret_uuid);
	return -EBADMSG;
}

int boot_mount_read_uuid(const struct boot_paths *paths, const struct boot_mount *mount,
			 char ret_uuid[BOOT_MOUNT_UUID_SIZE], struct error *err)
{
	unsigned char superblock[BOOT_MOUNT_SUPERBLOCK_BYTES];
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = -1;
	ssize_t n;

	path = text_format("%s/dev/%s", paths->root, mount->device);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return error_set_errno(err, -errno, "Cannot open %s, where %s is", path, mount->point);
	n = pread(fd, superblock, sizeof(superblock), 0);
	if (n < 0)
		return error_set_errno(err, -errno, "Cannot read %s, where %s is", path, mount->point);
	if (boot_mount_parse_uuid(mount->type, superblock, (size_t)n, ret_uuid) < 0)
		return error_set(err, -EBADMSG, "%s has no %s superblock with a UUID.", path, mount->type);
	return 0;
}

/* Freezing writes the whole log back. No signal may leave the filesystem frozen. */
static void mount_freeze_and_thaw(int fd)
{
	sigset_t all, before;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
	if (ioctl(fd, FIFREEZE, 0) == 0)
		while (ioctl(fd, FITHAW, 0) < 0 && errno == EINTR)
			;
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Never "/", by whatever name: whoever thaws must still be able to run. */
static bool mount_may_freeze(const struct boot_mount *mount, int fd)
{
	struct stat st, root;

	return text_has_prefix(mount->point, "/boot") && strcmp(mount->type, "vfat") != 0 &&
	       fstat(fd, &st) == 0 && stat("/", &root) == 0 && st.st_dev != root.st_dev;
}

void boot_mount_settle(const struct boot_paths *paths, const struct boot_mount *mount)
{
	_cleanup_close_ int fd = -1;
	uint32_t flags = 0;

	if (*paths->root) /* a directory that stands for a machine has no such mount */
		return;
	fd = open(mount->point, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	if (fd < 0)
		return;
	(void)syncfs(fd);
	if (strcmp(mount->type, "ext4") == 0 && ioctl(fd, BOOT_EXT4_IOC_CHECKPOINT, &flags) == 0)
		return;
	if (mount_may_freeze(mount, fd))
		mount_freeze_and_thaw(fd);
}
