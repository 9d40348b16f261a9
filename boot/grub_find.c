// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which grub.cfg GRUB reads on this distribution, and whether it does what one-shots need. What
 * a grub.cfg says is boot/grub_scan.c's.
 */
#include "boot/grub_loader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boot/grub_scan.h"
#include "boot/os_release.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define OS_RELEASE_MAX_BYTES 65536

int grub_find_directory(const char *root, char **ret_directory, struct error *err)
{
	/* The last is Fedora's and RHEL's link: on EFI machines up to RHEL 8 it leads to the ESP. */
	static const char *const names[] = { "/boot/grub/grub.cfg", "/boot/grub2/grub.cfg", "/etc/grub2-efi.cfg" };
	_cleanup_free_ char *found = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *path = text_format("%s%s", root, names[i]);
		_cleanup_free_ char *real = realpath(path, NULL);
		char *slash = real ? strrchr(real, '/') : NULL;

		if (!slash)
			continue;
		*slash = '\0';
		if (found && strcmp(found, real) != 0)
			return error_set(err, -EOPNOTSUPP,
					 "There are two GRUB configurations, in %s and %s: remove the one that does not boot this machine.",
					 found, real);
		free(found);
		found = TAKE_PTR(real);
	}
	if (!found) {
		(void)error_set(err, -ENODEV, "There is no GRUB configuration in %s/boot/grub or %s/boot/grub2.",
				root, root);
		return 0;
	}
	*ret_directory = TAKE_PTR(found);
	return 1;
}

static struct os_commands commands_of(const char *root)
{
	_cleanup_free_ char *path = text_format("%s/etc/os-release", root), *data = NULL;
	size_t size = 0;

	(void)file_read(path, OS_RELEASE_MAX_BYTES, &data, &size, NULL);
	return os_commands_of(data, size);
}

int grub_check_config(const char *root, const char *directory, struct error *err)
{
	_cleanup_free_ char *path = path_join(directory, "grub.cfg"), *data = NULL;
	struct os_commands commands = commands_of(root);
	struct grub_scan scan;
	size_t size = 0;
	int r;

	r = file_read(path, GRUB_SCAN_MAX_BYTES, &data, &size, err);
	if (r < 0)
		return r;
	scan = grub_scan_config(data, size);
	if (!scan.sources_custom)
		return error_set(err, -EOPNOTSUPP,
				 "%s does not source custom.cfg: restore /etc/grub.d/41_custom (make it executable) and run %s.",
				 path, commands.make_grub_config);
	if (scan.sets_default_after)
		return error_set(err, -EOPNOTSUPP,
				 "%s sets the default entry after custom.cfg, which would override the one-shot: move that script in /etc/grub.d before 41_custom and run %s.",
				 path, commands.make_grub_config);
	if (scan.waits_for_ever)
		return error_set(err, -EOPNOTSUPP,
				 "%s can wait for a key for ever (timeout=-1): set GRUB_TIMEOUT and GRUB_RECORDFAIL_TIMEOUT to a few seconds in /etc/default/grub and run %s.",
				 path, commands.make_grub_config);
	return 0;
}
