// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of the GRUB backend: kernels under /boot/abbot, and our block in custom.cfg.
 * Kernel first and entry last when installing, the other way round when removing, so
 * that no entry ever names a missing file.
 */
#include "boot/grub_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "boot/boot_options.h"
#include "boot/entry_files.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

static int grub_write_menu_entry(struct grub_loader *grub, const struct boot_entry *entry,
				 char **ret_text, struct error *err)
{
	_cleanup_free_ char *directory = grub_entry_directory(grub, entry->id);
	_cleanup_free_ char *kernel = path_join(directory, "kernel"), *initrd = path_join(directory, "initrd");
	_cleanup_free_ char *grub_kernel = boot_mount_relative(&grub->boot_mount, grub_system_path(grub, kernel));
	_cleanup_free_ char *grub_initrd = boot_mount_relative(&grub->boot_mount, grub_system_path(grub, initrd));
	const struct boot_paths paths = { .root = grub->root };
	char uuid[BOOT_MOUNT_UUID_SIZE];
	struct grub_menu_entry menu = {
		.id = entry->id,
		.title = entry->title,
		.uuid = uuid,
		.kernel_path = grub_kernel,
		.initrd_path = entry->initrd_path ? grub_initrd : NULL,
		.options = entry->options,
	};
	int r;

	r = boot_mount_read_uuid(&paths, &grub->boot_mount, uuid, err);
	return r < 0 ? r : grub_menu_entry_write(&menu, ret_text, err);
}

int grub_default_options(struct boot_loader *loader, char **ret_options, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	struct grub_loader *grub = grub_loader_of(loader);
	mode_t mode;
	int r;

	r = entry_running_options(grub->root, ret_options, err);
	if (r != -ENOENT)
		return r;
	if (grub_read_custom(grub, &config, &mode, NULL) < 0 || !config.default_options)
		return r;
	*ret_options = TAKE_PTR(config.default_options);
	return 0;
}

int grub_install_entry(struct boot_loader *loader, const struct boot_entry *entry, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	struct grub_loader *grub = grub_loader_of(loader);
	_cleanup_free_ char *text = NULL, *options = NULL;
	mode_t mode;
	int r;

	r = entry_check_id(entry->id, err);
	if (r < 0)
		return r;
	r = boot_options_check(entry->options, err);
	if (r < 0)
		return r;
	r = grub_check_image(entry->kernel_path, err);
	if (r < 0)
		return r;
	r = grub_read_custom(grub, &config, &mode, err);
	if (r < 0)
		return r;
	r = grub_write_menu_entry(grub, entry, &text, err);
	if (r < 0)
		return r;
	if (entry_running_options(grub->root, &options, NULL) == 0) {
		free(config.default_options);
		config.default_options = TAKE_PTR(options);
	}
	r = grub_prepare_environment(grub, err);
	if (r < 0)
		return r;
	r = entry_files_install(grub->kernels_path, entry, err);
	if (r < 0) { /* a half-copied kernel must not fill /boot */
		if (!grub_config_has(&config, entry->id))
			(void)grub_remove_entry(loader, entry->id, NULL);
		return r;
	}
	r = grub_config_set(&config, entry->id, TAKE_PTR(text), err);
	if (r < 0)
		return r;
	r = grub_write_custom(grub, &config, mode, err);
	if (r < 0)
		return r;
	grub_settle(grub, &grub->boot_mount);
	grub_settle(grub, &grub->directory_mount);
	return 0;
}

int grub_check_installed(struct grub_loader *grub, const char *id, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	_cleanup_free_ char *directory = grub_entry_directory(grub, id), *kernel = path_join(directory, "kernel");
	mode_t mode;
	int r;

	r = grub_read_custom(grub, &config, &mode, err);
	if (r < 0)
		return r;
	if (!grub_config_has(&config, id))
		return error_set(err, -ENOENT, "There is no boot entry %s in %s.", id, grub->custom_path);
	return grub_check_image(kernel, err);
}

static int grub_disarm_if(struct boot_loader *loader, const char *id, struct error *err)
{
	struct boot_one_shot armed;
	int r;

	r = grub_read_armed(loader, &armed, err);
	if (r < 0)
		return r;
	return armed.is_armed && strcmp(armed.entry, id) == 0 ? grub_disarm(loader, err) : 0;
}

int grub_remove_entry(struct boot_loader *loader, const char *id, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	struct grub_loader *grub = grub_loader_of(loader);
	_cleanup_free_ char *directory = NULL;
	mode_t mode;
	int r;

	r = entry_check_id(id, err);
	if (r < 0)
		return r;
	r = grub_read_custom(grub, &config, &mode, err);
	if (r < 0)
		return r;
	r = grub_disarm_if(loader, id, err);
	if (r < 0)
		return r;
	if (grub_config_has(&config, id)) {
		grub_config_remove(&config, id);
		r = grub_write_custom(grub, &config, mode, err);
		if (r < 0)
			return r;
	}
	directory = grub_entry_directory(grub, id);
	r = file_remove_tree(directory, err);
	if (r < 0)
		return r;
	if (config.n_entries == 0) { /* the last one: leave no trace */
		(void)rmdir(grub->kernels_path);
		r = grub_remove_environment(grub, err);
		if (r < 0)
			return r;
	}
	r = file_sync_directory(grub->boot_directory, err);
	grub_settle(grub, &grub->boot_mount);
	grub_settle(grub, &grub->directory_mount);
	return r;
}
