// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The GRUB backend: is GRUB in charge, and can it clear a one-shot here? Entries are
 * in boot/grub_entries.c, the one-shot in boot/grub_one_shot.c.
 */
#include "boot/grub_loader.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "boot/boot_options.h"
#include "boot/efi_variable.h"
#include "boot/entry_files.h"
#include "boot/grub_config.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define CMDLINE_MAX_BYTES (64UL * 1024)

static void grub_free(struct boot_loader *loader)
{
	struct grub_loader *grub = grub_loader_of(loader);

	free(grub->root);
	free(grub->directory);
	free(grub->boot_directory);
	free(grub->custom_path);
	free(grub->environment_path);
	free(grub->kernels_path);
	free(grub);
}

static void cleanup_grub(struct grub_loader **loader)
{
	if (*loader)
		grub_free(&(*loader)->base);
}

const char *grub_system_path(const struct grub_loader *loader, const char *path)
{
	return path + strlen(loader->root);
}

void grub_settle(const struct grub_loader *loader, const struct boot_mount *mount)
{
	const struct boot_paths paths = { .root = loader->root };

	boot_mount_settle(&paths, mount);
}

static bool grub_is_systemd_boot(const struct boot_paths *paths)
{
	char info[128];

	return efi_variable_read_text(paths, "LoaderInfo", EFI_GUID_LOADER, info, sizeof(info)) == 0 &&
	       text_has_prefix(info, "systemd-boot");
}

/* GRUB's linux command puts BOOT_IMAGE= first; 1 if it did, 0 if something else boots this machine. */
static int grub_check_booted_by(const char *root, struct error *err)
{
	_cleanup_free_ char *path = text_format("%s/proc/cmdline", root), *cmdline = NULL;
	int r;

	r = file_read(path, CMDLINE_MAX_BYTES, &cmdline, NULL, err);
	if (r < 0)
		return r;
	if (!boot_options_has(cmdline, "BOOT_IMAGE")) {
		(void)error_set(err, -ENODEV,
				"GRUB did not start this system (no BOOT_IMAGE= in /proc/cmdline): a one-shot set there would do nothing.");
		return 0;
	}
	return 1;
}

static int grub_find_mounts(const struct boot_paths *paths, struct grub_loader *grub,
			    struct error *err)
{
	const char *directory = grub_system_path(grub, grub->directory);
	const char *boot = grub_system_path(grub, grub->boot_directory);
	int r;

	r = boot_mount_find(paths, directory, &grub->directory_mount, err);
	if (r < 0)
		return r;
	r = boot_mount_check_grub(&grub->directory_mount, directory, err);
	if (r < 0)
		return r;
	r = boot_mount_find(paths, boot, &grub->boot_mount, err);
	if (r < 0)
		return r;
	return boot_mount_check_grub(&grub->boot_mount, boot, err);
}

/* @root without links and trailing slash, so that it can be cut off other real paths. */
static char *grub_real_root(const char *root)
{
	return *root ? realpath(root, NULL) : text_duplicate("");
}

static int grub_probe(const struct boot_paths *paths, struct boot_loader **ret_loader,
		      struct error *err)
{
	_cleanup_(cleanup_grub) struct grub_loader *grub = calloc(1, sizeof(*grub));
	_cleanup_free_ char *boot = NULL;
	int r;

	if (!grub)
		return error_set(err, -ENOMEM, "Out of memory.");
	grub->base.operations = &boot_loader_grub;
	grub->root = grub_real_root(paths->root);
	if (!grub->root)
		/* cppcheck-suppress memleak; the cleanup attribute frees it */
		return error_set_errno(err, -errno, "Cannot find %s", paths->root);
	if (grub_is_systemd_boot(paths)) {
		(void)error_set(err, -ENODEV, "GRUB did not start this system: systemd-boot did.");
		/* cppcheck-suppress memleak; the cleanup attribute frees it */
		return 0;
	}
	r = grub_find_directory(grub->root, &grub->directory, err);
	if (r <= 0)
		return r;
	boot = text_format("%s/boot", grub->root);
	grub->boot_directory = realpath(boot, NULL);
	if (!grub->boot_directory)
		return error_set_errno(err, -errno, "Cannot find %s", boot);
	if (!text_has_prefix(grub->directory, grub->root) ||
	    !text_has_prefix(grub->boot_directory, grub->root))
		return error_set(err, -EOPNOTSUPP, "%s leads out of %s.", boot, grub->root);
	grub->custom_path = path_join(grub->directory, "custom.cfg");
	grub->environment_path = path_join(grub->directory, GRUB_ENVIRONMENT_NAME);
	grub->kernels_path = path_join(grub->boot_directory, ENTRY_FILES_NAME);
	r = grub_check_booted_by(grub->root, err);
	if (r <= 0)
		return r;
	r = grub_find_mounts(paths, grub, err);
	if (r < 0)
		return r;
	r = grub_check_config(grub->root, grub->directory, err);
	if (r < 0)
		return r;
	*ret_loader = &TAKE_PTR(grub)->base;
	return 1;
}

const struct boot_loader_operations boot_loader_grub = {
	.name = "grub",
	.probe = grub_probe,
	.free = grub_free,
	.install_entry = grub_install_entry,
	.arm_once = grub_arm_once,
	.read_armed = grub_read_armed,
	.disarm = grub_disarm,
	.remove_entry = grub_remove_entry,
	.list_entries = grub_list_entries,
	.default_options = grub_default_options,
};
