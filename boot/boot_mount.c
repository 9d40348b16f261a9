// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which filesystem a file is on, and whether GRUB can clear a one-shot there. Reading
 * superblocks and settling is in boot_mount_disk.c.
 */
#include "boot/boot_mount.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define MOUNTINFO_MAX_BYTES (4UL * 1024 * 1024)
#define UEVENT_MAX_BYTES 4096

/* Copies a mountinfo field up to a space, with its \ooo escapes undone. False: too long. */
static bool mount_take_field(const char **cursor, char *to, size_t size)
{
	const char *at = *cursor;
	size_t n = 0;

	while (*at == ' ')
		at++;
	for (; *at && *at != ' ' && *at != '\n'; n++) {
		char c = *at++;

		if (c == '\\' && at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' &&
		    at[2] >= '0' && at[2] <= '7') {
			c = (char)((at[0] - '0') * 64 + (at[1] - '0') * 8 + (at[2] - '0'));
			at += 3;
		}
		if (n + 1 >= size)
			return false;
		to[n] = c;
	}
	to[n] = '\0';
	*cursor = at;
	return n > 0;
}

/* "27 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda rw": ids, device, root, point, ... */
static bool mount_parse_line(const char *line, struct boot_mount *ret_mount)
{
	char skipped[PATH_MAX];
	const char *at = line;

	memset(ret_mount, 0, sizeof(*ret_mount));
	for (int i = 0; i < 2; i++)
		if (!mount_take_field(&at, skipped, sizeof(skipped)))
			return false;
	if (!mount_take_field(&at, ret_mount->device_numbers, sizeof(ret_mount->device_numbers)) ||
	    !mount_take_field(&at, ret_mount->prefix, sizeof(ret_mount->prefix)) ||
	    !mount_take_field(&at, ret_mount->point, sizeof(ret_mount->point)))
		return false;
	do { /* mount options, then optional fields up to a lone "-" */
		if (!mount_take_field(&at, skipped, sizeof(skipped)))
			return false;
	} while (strcmp(skipped, "-") != 0);
	return mount_take_field(&at, ret_mount->type, sizeof(ret_mount->type)) &&
	       mount_take_field(&at, ret_mount->source, sizeof(ret_mount->source));
}

/* Is @path at or below @point? */
static bool mount_holds(const char *point, const char *path)
{
	size_t length = strlen(point);

	if (strcmp(point, "/") == 0)
		return *path == '/';
	return strncmp(point, path, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

int boot_mount_from_mountinfo(const char *mountinfo, const char *path,
			      struct boot_mount *ret_mount, struct error *err)
{
	struct boot_mount candidate;
	bool is_found = false;

	for (const char *line = mountinfo; line && *line;) {
		const char *next = strchr(line, '\n');

		/* The deepest mount point counts, and of equal ones the last: it covers the others. */
		if (mount_parse_line(line, &candidate) && mount_holds(candidate.point, path) &&
		    (!is_found || strlen(candidate.point) >= strlen(ret_mount->point))) {
			*ret_mount = candidate;
			is_found = true;
		}
		line = next ? next + 1 : NULL;
	}
	if (!is_found)
		return error_set(err, -ENOENT, "No mounted filesystem holds %s.", path);
	return 0;
}

/* DEVNAME of /sys/dev/block/MAJOR:MINOR/uevent: a name below /dev. */
void boot_mount_device_name(const char *uevent_path, char *name, size_t size)
{
	_cleanup_free_ char *uevent = NULL;
	const char *at;
	size_t length;

	name[0] = '\0';
	if (file_read(uevent_path, UEVENT_MAX_BYTES, &uevent, NULL, NULL) < 0)
		return;
	at = strstr(uevent, "DEVNAME=");
	if (!at || (at > uevent && at[-1] != '\n'))
		return;
	at += strlen("DEVNAME=");
	length = strcspn(at, "\n");
	if (length == 0 || length >= size)
		return;
	memcpy(name, at, length);
	name[length] = '\0';
}

int boot_mount_find(const struct boot_paths *paths, const char *path,
		    struct boot_mount *ret_mount, struct error *err)
{
	_cleanup_free_ char *mountinfo_path = NULL, *mountinfo = NULL, *uevent = NULL;
	struct boot_mount mount = { 0 };
	int r;

	mountinfo_path = text_format("%s/proc/self/mountinfo", paths->root);
	r = file_read(mountinfo_path, MOUNTINFO_MAX_BYTES, &mountinfo, NULL, err);
	if (r < 0)
		return r;
	r = boot_mount_from_mountinfo(mountinfo, path, &mount, err);
	if (r < 0)
		return r;
	uevent = text_format("%s/sys/dev/block/%s/uevent", paths->root, mount.device_numbers);
	boot_mount_device_name(uevent, mount.device, sizeof(mount.device));
	*ret_mount = mount;
	return 0;
}

char *boot_mount_relative(const struct boot_mount *mount, const char *path)
{
	const char *rest = strcmp(mount->point, "/") == 0 ? path : path + strlen(mount->point);
	const char *prefix = strcmp(mount->prefix, "/") == 0 ? "" : mount->prefix;

	return text_format("%s%s", prefix, *rest ? rest : "/");
}

/* A device that GRUB reads through a layer that it cannot write through, by its kernel name. */
static const char *mount_stacked_kind(const char *device)
{
	static const struct {
		const char *prefix, *kind;
	} kinds[] = {
		{ "dm-", "a device-mapper volume (LVM or LUKS)" },
		{ "mapper/", "a device-mapper volume (LVM or LUKS)" },
		{ "md", "a software RAID" },
		{ "bcache", "a bcache device" },
		{ "drbd", "a DRBD device" },
		{ "loop", "a loop device" },
		{ "nbd", "a network block device" },
		{ "rbd", "a network block device" },
		{ "zram", "memory" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (text_has_prefix(device, kinds[i].prefix))
			return kinds[i].kind;
	return NULL;
}

int boot_mount_check_grub(const struct boot_mount *mount, const char *path, struct error *err)
{
	static const char *const fit[] = { "ext2", "ext3", "ext4", "vfat", "xfs" };
	const char *kind = mount_stacked_kind(mount->device);
	bool is_fit = false;

	for (size_t i = 0; i < ARRAY_SIZE(fit); i++)
		is_fit |= strcmp(mount->type, fit[i]) == 0;
	if (!is_fit)
		return error_set(err, -EOPNOTSUPP,
				 "%s is on %s, where GRUB cannot clear a one-shot boot by itself: use a separate /boot with ext4.",
				 path, mount->type);
	if (kind)
		return error_set(err, -EOPNOTSUPP,
				 "%s is on %s (%s), where GRUB cannot clear a one-shot boot by itself: use a separate /boot on a plain partition.",
				 path, kind, mount->device);
	if (!*mount->device)
		return error_set(err, -EOPNOTSUPP,
				 "%s is on %s, which is no block device that GRUB could read.", path,
				 mount->source);
	return 0;
}
