// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel of an entry as GRUB sees it, and where it is. Copying is in
 * boot/entry_files.c; which entries there are is for boot/grub_entries.c.
 */
#include "boot/grub_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
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

char *grub_entry_directory(const struct grub_loader *grub, const char *id)
{
	return path_join(grub->kernels_path, id);
}
