// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading, writing and removing UEFI variables. What they mean is for the backends.
 */
#include "boot/efi_variable.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

/* EFI_VARIABLE_NON_VOLATILE, _BOOTSERVICE_ACCESS, _RUNTIME_ACCESS: UEFI 2.10, 8.2. */
#define EFI_VARIABLE_LASTING 0x07

static char *variable_path(const struct boot_paths *paths, const char *name, const char *guid)
{
	return text_format("%s" EFI_VARIABLES_DIRECTORY "/%s-%s", paths->root, name, guid);
}

int efi_variable_read(const struct boot_paths *paths, const char *name, const char *guid,
		      void **ret_data, size_t *ret_size, struct error *err)
{
	_cleanup_free_ char *path = variable_path(paths, name, guid), *data = NULL;
	size_t size = 0;
	int r;

	r = file_read(path, EFI_VARIABLE_MAX_BYTES, &data, &size, err);
	if (r < 0)
		return r;
	if (size < EFI_VARIABLE_ATTRIBUTES_BYTES)
		return error_set(err, -EBADMSG, "The UEFI variable %s is damaged: %s is %zu bytes long.",
				 name, path, size);
	size -= EFI_VARIABLE_ATTRIBUTES_BYTES;
	memmove(data, data + EFI_VARIABLE_ATTRIBUTES_BYTES, size + 1);
	*ret_data = TAKE_PTR(data);
	*ret_size = size;
	return 0;
}

/* efivarfs guards most variables with the immutable flag. A file system without flags is no fault. */
static void variable_unlock(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int flags = 0;

	if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0 || !(flags & FS_IMMUTABLE_FL))
		return;
	flags &= ~FS_IMMUTABLE_FL;
	(void)ioctl(fd, FS_IOC_SETFLAGS, &flags); /* if not, the write says so */
}

static int variable_refused(const char *name, int code, struct error *err)
{
	switch (-code) {
	case EROFS:
		return error_set(err, code, "The UEFI variable %s cannot be set: %s is mounted read-only; run mount -o remount,rw on it.",
				 name, EFI_VARIABLES_DIRECTORY);
	case ENOSPC:
		return error_set(err, code, "The UEFI variable %s cannot be set: the firmware has no room left for variables; remove unused boot entries (efibootmgr) or crash dumps (dump-* there).",
				 name);
	case EPERM:
	case EACCES:
		return error_set(err, code, "The UEFI variable %s cannot be set: the firmware or the kernel protects it (immutable file, lockdown, or not root).",
				 name);
	case EINVAL:
		return error_set(err, code, "The UEFI variable %s cannot be set: the firmware does not accept the value.",
				 name);
	default:
		return error_set_errno(err, code, "The UEFI variable %s cannot be set", name);
	}
}

/* One write for all. In a directory that stands for efivarfs the rest of an older value is cut off. */
static int variable_put(const char *path, const unsigned char *bytes, size_t size)
{
	bool is_new = access(path, F_OK) < 0;
	_cleanup_close_ int fd = -1;
	struct statfs fs;
	int code;

	variable_unlock(path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0644);
	if (fd < 0)
		return -errno;
	if (write(fd, bytes, size) == (ssize_t)size) {
		if (fstatfs(fd, &fs) == 0 && fs.f_type != EFIVARFS_MAGIC &&
		    ftruncate(fd, (off_t)size) < 0)
			return -errno;
		return 0;
	}
	code = errno ? -errno : -EIO;
	if (is_new) /* efivarfs keeps the empty file of a variable that was never made */
		(void)unlink(path);
	return code;
}

static bool variable_holds(const struct boot_paths *paths, const char *name, const char *guid,
			   const void *data, size_t size)
{
	_cleanup_free_ void *now = NULL;
	size_t now_size = 0;

	return efi_variable_read(paths, name, guid, &now, &now_size, NULL) == 0 &&
	       now_size == size && memcmp(now, data, size) == 0;
}

int efi_variable_write(const struct boot_paths *paths, const char *name, const char *guid,
		       const void *data, size_t size, struct error *err)
{
	_cleanup_free_ char *path = variable_path(paths, name, guid);
	_cleanup_free_ unsigned char *bytes = NULL;
	int r;

	if (variable_holds(paths, name, guid, data, size))
		return 0;
	bytes = calloc(1, size + EFI_VARIABLE_ATTRIBUTES_BYTES);
	if (!bytes)
		return error_set(err, -ENOMEM, "Out of memory.");
	bytes[0] = EFI_VARIABLE_LASTING;
	memcpy(bytes + EFI_VARIABLE_ATTRIBUTES_BYTES, data, size);
	r = variable_put(path, bytes, size + EFI_VARIABLE_ATTRIBUTES_BYTES);
	if (r < 0)
		return variable_refused(name, r, err);
	if (!variable_holds(paths, name, guid, data, size))
		return error_set(err, -EIO, "The UEFI variable %s does not hold what was just written: this firmware cannot be trusted with a one-shot boot.",
				 name);
	return 0;
}

int efi_variable_remove(const struct boot_paths *paths, const char *name, const char *guid,
			struct error *err)
{
	_cleanup_free_ char *path = variable_path(paths, name, guid);

	variable_unlock(path);
	if (unlink(path) < 0 && errno != ENOENT)
		return variable_refused(name, -errno, err);
	if (access(path, F_OK) == 0)
		return error_set(err, -EIO, "The UEFI variable %s cannot be removed: the firmware keeps it.", name);
	return 0;
}

int efi_variable_read_text(const struct boot_paths *paths, const char *name, const char *guid,
			   char *text, size_t text_size)
{
	_cleanup_free_ void *data = NULL;
	size_t size = 0;
	int r = efi_variable_read(paths, name, guid, &data, &size, NULL);

	return r < 0 ? r : efi_text_read(data, size, text, text_size);
}
