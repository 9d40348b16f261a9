// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the mounted EFI system partition.
 */
#include "boot/esp.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/statvfs.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

/* 1: it is one; 0: it is not, which is no fault. */
static int esp_try(const struct boot_paths *paths, const char *directory, const char *file,
		   struct esp *ret_esp, struct error *err)
{
	_cleanup_free_ char *full = text_format("%s%s", paths->root, directory), *real = realpath(full, NULL);
	_cleanup_free_ char *wanted = path_join(full, file ? file : ".");
	struct boot_mount mount;
	struct statvfs fs;
	int r;

	if (!real || !text_has_prefix(real, paths->root) || !file_exists(wanted))
		return 0;
	r = boot_mount_find(paths, real + strlen(paths->root), &mount, err);
	if (r < 0)
		return r;
	if (strcmp(mount.type, "vfat") != 0 || strcmp(mount.point, real + strlen(paths->root)) != 0)
		return 0;
	if (!*paths->root && statvfs(real, &fs) == 0 && (fs.f_flag & ST_RDONLY))
		return error_set(err, -EROFS, "The EFI system partition at %s is mounted read-only: run mount -o remount,rw %s.",
				 directory, directory);
	ret_esp->path = TAKE_PTR(real);
	ret_esp->mount = mount;
	return 1;
}

int esp_find(const struct boot_paths *paths, const char *file, struct esp *ret_esp,
	     struct error *err)
{
	static const char *const directories[] = { "/efi", "/boot", "/boot/efi" };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(directories) && r == 0; i++)
		r = esp_try(paths, directories[i], file, ret_esp, err);
	if (r == 0)
		return error_set(err, -ENOENT, "No EFI system partition%s%s%s is mounted at /efi, /boot or /boot/efi: mount it there.",
				 file ? " with " : "", file ? file : "", file ? " on it" : "");
	return r < 0 ? r : 0;
}

void esp_done(struct esp *esp)
{
	free(esp->path);
	esp->path = NULL;
}
