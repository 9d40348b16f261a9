// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of an entry, /boot/abbot/ID/{kernel,initrd}: checked, copied, read back.
 * Which entries there are is for boot/grub_entries.c.
 */
#include "boot/grub_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"

/* GRUB would find out at boot; better here. Documentation/arch/x86/boot.rst, "HdrS". */
int grub_check_image(const char *path, struct error *err)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned char header[0x210];
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return error_set_errno(err, -errno, "Cannot open the kernel %s", path);
	if (pread(fd, header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    header[0x1fe] != 0x55 || header[0x1ff] != 0xaa || memcmp(header + 0x202, "HdrS", 4) != 0)
		return error_set(err, -EBADMSG, "%s is no kernel image that GRUB could load (bzImage).", path);
#else
	(void)path;
	(void)err;
#endif
	return 0;
}

/* Copies unless the same bytes are there already, and reads back. */
static int grub_copy_file(const char *from, const char *to, struct error *err)
{
	char wanted[DIGEST_HEX_SIZE], actual[DIGEST_HEX_SIZE];
	_cleanup_close_ int fd = -1;
	int r;

	r = digest_file(from, wanted, err);
	if (r < 0)
		return r;
	if (file_exists(to) && digest_file(to, actual, NULL) == 0 && strcmp(wanted, actual) == 0)
		return 0;
	r = file_copy_durable(from, to, 0644, err);
	if (r < 0)
		return r;
	fd = open(to, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0) /* so that the disk is read, not the cache */
		(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	r = digest_file(to, actual, err);
	if (r < 0)
		return r;
	if (strcmp(wanted, actual) != 0)
		return error_set(err, -EIO, "%s does not hold what was just written: check the disk.", to);
	return 0;
}

char *grub_entry_directory(const struct grub_loader *grub, const char *id)
{
	return path_join(grub->kernels_path, id);
}

int grub_install_files(const struct grub_loader *grub, const struct boot_entry *entry,
			      struct error *err)
{
	_cleanup_free_ char *directory = grub_entry_directory(grub, entry->id);
	_cleanup_free_ char *kernel = path_join(directory, "kernel"), *initrd = path_join(directory, "initrd");
	int r;

	r = file_make_directories(directory, 0755, err);
	if (r < 0)
		return r;
	r = grub_copy_file(entry->kernel_path, kernel, err);
	if (r == 0 && entry->initrd_path)
		r = grub_copy_file(entry->initrd_path, initrd, err);
	if (r == 0 && !entry->initrd_path && unlink(initrd) < 0 && errno != ENOENT)
		r = error_set_errno(err, -errno, "Cannot remove %s", initrd);
	if (r == 0)
		r = file_sync_directory(directory, err);
	if (r == 0)
		r = file_sync_directory(grub->kernels_path, err);
	return r < 0 ? r : file_sync_directory(grub->boot_directory, err);
}
