// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the mounted EFI system partition, and looks at what firmware would start.
 */
#include "boot/esp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define PE_OFFSET_MAX (1U << 20)
#define PE_HEADER_BYTES 24 /* the signature and the COFF file header */
#define PE_SECTION_BYTES 40

/* 1: it is one; 0: it is not, which is no fault. */
static int esp_try(const struct boot_paths *paths, const char *directory, const char *file,
		   struct esp *ret_esp, struct error *err)
{
	_cleanup_free_ char *full = text_format("%s%s", paths->root, directory), *real = realpath(full, NULL);
	_cleanup_free_ char *wanted = path_join(full, file);
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
		return error_set(err, -ENOENT, "No EFI system partition with %s on it is mounted at /efi, /boot or /boot/efi: mount it there.",
				 file);
	return r < 0 ? r : 0;
}

void esp_done(struct esp *esp)
{
	free(esp->path);
	esp->path = NULL;
}

static uint32_t read_le(const unsigned char *at, int bytes)
{
	uint32_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | at[bytes];
	return value;
}

static bool read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
	return pread(fd, bytes, size, (off_t)offset) == (ssize_t)size;
}

/*
 * Where the last byte that the sections of the PE file have in it ends; 0: it is none. A
 * bzImage's sections reach up to its end.
 */
static uint64_t image_end(int fd)
{
	unsigned char header[64], coff[PE_HEADER_BYTES], section[PE_SECTION_BYTES];
	uint64_t at, end = 0;

	if (!read_at(fd, header, sizeof(header), 0) || header[0] != 'M' || header[1] != 'Z')
		return 0;
	at = read_le(header + 0x3c, 4);
	if (at >= PE_OFFSET_MAX || !read_at(fd, coff, sizeof(coff), at) || memcmp(coff, "PE\0\0", 4) != 0)
		return 0;
	at += sizeof(coff) + read_le(coff + 20, 2);
	for (uint32_t left = read_le(coff + 6, 2); left > 0; left--, at += sizeof(section)) {
		uint64_t section_end;

		/* A table that is not all there: more is missing than that. */
		if (!read_at(fd, section, sizeof(section), at))
			return at + (uint64_t)left * sizeof(section);
		section_end = (uint64_t)read_le(section + 16, 4) + read_le(section + 20, 4);
		end = section_end > end ? section_end : end;
	}
	return end > at ? end : at;
}

int esp_check_image_fd(int fd, const char *path, struct error *err)
{
	uint64_t end = image_end(fd);
	struct stat status;

	if (end == 0)
		return error_set(err, -EBADMSG, "%s is no kernel that firmware could start: it lacks the EFI stub (build it with CONFIG_EFI_STUB=y).",
				 path);
	if (fstat(fd, &status) < 0)
		return error_set_errno(err, -errno, "Cannot look at the kernel %s", path);
	if ((uint64_t)status.st_size < end)
		return error_set(err, -EBADMSG, "The kernel %s is cut off, and firmware would not start it: it should have at least %llu bytes and has %lld; queue the job again.",
				 path, (unsigned long long)end, (long long)status.st_size);
	return 0;
}

int esp_check_image(const char *path, struct error *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);

	if (fd < 0)
		return error_set_errno(err, -errno, "Cannot open the kernel %s", path);
	return esp_check_image_fd(fd, path, err);
}
