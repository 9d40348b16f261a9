// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * custom.cfg as a file: read and written durably, read back. What is in it is for
 * boot/grub_config.c.
 */
#include "boot/grub_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"

int grub_read_custom(const struct grub_loader *grub, struct grub_config *ret_config,
		     mode_t *ret_mode, struct error *err)
{
	_cleanup_free_ char *data = NULL;
	struct stat st;
	size_t size = 0;
	int r;

	*ret_mode = 0644;
	if (lstat(grub->custom_path, &st) < 0)
		return errno == ENOENT ? grub_config_parse("", 0, ret_config, err) :
					 error_set_errno(err, -errno, "Cannot look at %s", grub->custom_path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EBADMSG,
				 "%s is not a plain file: Abbot writes only plain files there.",
				 grub->custom_path);
	*ret_mode = st.st_mode & 07777;
	r = file_read(grub->custom_path, GRUB_CONFIG_MAX_BYTES, &data, &size, err);
	if (r < 0)
		return r;
	r = grub_config_parse(data, size, ret_config, err);
	return r < 0 ? error_prefix(err, r, "%s", grub->custom_path) : 0;
}

int grub_write_custom(struct grub_loader *grub, const struct grub_config *config,
		      mode_t mode, struct error *err)
{
	_cleanup_free_ char *text = grub_config_write(config), *again = NULL;
	size_t length = strlen(text), size = 0;
	int r;

	if (length == 0) {
		if (unlink(grub->custom_path) < 0 && errno != ENOENT)
			return error_set_errno(err, -errno, "Cannot remove %s", grub->custom_path);
		return file_sync_directory(grub->directory, err);
	}
	if (length > GRUB_CONFIG_MAX_BYTES)
		return error_set(err, -EFBIG, "%s would become too long.", grub->custom_path);
	r = file_write_durable(grub->custom_path, text, length, mode, err);
	if (r < 0)
		return r;
	r = file_read(grub->custom_path, GRUB_CONFIG_MAX_BYTES, &again, &size, err);
	if (r < 0)
		return r;
	if (size != length || memcmp(again, text, length) != 0)
		return error_set(err, -EIO, "%s does not hold what was just written: check the disk.",
				 grub->custom_path);
	return 0;
}
