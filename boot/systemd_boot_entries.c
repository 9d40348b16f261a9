// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of the systemd-boot backend: ESP/loader/entries/ID.conf and ESP/abbot/ID. Kernel
 * first and entry last when installing, the other way round when removing, so that no
 * entry ever names a missing file.
 */
#include "boot/systemd_boot.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "boot/bls_entry.h"
#include "boot/boot_options.h"
#include "boot/entry_files.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define ENTRY_MAX_BYTES (64UL * 1024)
#define SUFFIX ".conf"

int systemd_boot_check_id(const char *id, struct error *err)
{
	for (const char *at = id; *at; at++)
		if (*at >= 'A' && *at <= 'Z')
			return error_set(err, -EINVAL, "'%s' is no id for an entry of systemd-boot: its ids are in lower case.",
					 id);
	return entry_check_id(id, err);
}

char *systemd_boot_entry_path(const struct systemd_boot *sd, const char *id)
{
	return text_format("%s/%s" SUFFIX, sd->entries_path, id);
}

static char *entry_text(const struct boot_entry *entry)
{
	_cleanup_free_ char *kernel = text_format("/" ENTRY_FILES_NAME "/%s/kernel", entry->id);
	_cleanup_free_ char *initrd = text_format("/" ENTRY_FILES_NAME "/%s/initrd", entry->id);
	_cleanup_text_ struct text_buffer text = { 0 };

	entry_add_header(&text, entry);
	bls_entry_add(&text, "title", entry->title);
	bls_entry_add(&text, "linux", kernel);
	if (entry->initrd_path)
		bls_entry_add(&text, "initrd", initrd);
	bls_entry_add(&text, "options", entry->options);
	return text_buffer_take(&text);
}

int systemd_boot_install_entry(struct boot_loader *loader, const struct boot_entry *entry,
			       struct error *err)
{
	struct systemd_boot *sd = systemd_boot_of(loader);
	_cleanup_free_ char *path = systemd_boot_entry_path(sd, entry->id), *text = NULL;
	bool is_new = !file_exists(path);
	int r;

	r = systemd_boot_check_id(entry->id, err);
	if (r == 0)
		r = entry_check_efi(entry, err);
	if (r < 0)
		return r;
	r = entry_files_install(sd->kernels_path, entry, err);
	if (r == 0)
		r = file_make_directories(sd->entries_path, 0755, err);
	text = entry_text(entry);
	if (r == 0)
		r = file_write_durable(path, text, strlen(text), 0644, err);
	if (r < 0 && is_new) /* a half-copied kernel must not fill the partition */
		(void)systemd_boot_remove_entry(loader, entry->id, NULL);
	if (r == 0)
		boot_mount_settle(&sd->paths, &sd->esp.mount);
	return r;
}

int systemd_boot_write_token(struct systemd_boot *sd, const char *id, const char *token,
			     struct error *err)
{
	_cleanup_free_ char *path = systemd_boot_entry_path(sd, id), *data = NULL;
	_cleanup_text_ struct text_buffer text = { 0 };
	size_t size = 0;
	int r = file_read(path, ENTRY_MAX_BYTES, &data, &size, err);

	if (r < 0)
		return r;
	for (char *rest = data, *line; (line = strsep(&rest, "\n"));) {
		_cleanup_free_ char *options = NULL, *bare = NULL, *added = NULL;

		if (!bls_entry_get(line, strlen(line), "options", &options)) {
			if (*line || rest)
				text_printf(&text, "%s\n", line);
			continue;
		}
		bare = boot_options_without(options, "abbot.token");
		added = text_format("abbot.token=%s", token);
		free(options);
		options = boot_options_join(bare, added);
		bls_entry_add(&text, "options", options);
	}
	r = file_write_durable(path, text.text ? text.text : "", text.size, 0644, err);
	if (r == 0)
		boot_mount_settle(&sd->paths, &sd->esp.mount);
	return r;
}

int systemd_boot_check_installed(struct systemd_boot *sd, const char *id, struct error *err)
{
	_cleanup_free_ char *path = systemd_boot_entry_path(sd, id);
	_cleanup_free_ char *kernel = text_format("%s/%s/kernel", sd->kernels_path, id);

	if (!file_exists(path))
		return error_set(err, -ENOENT, "There is no boot entry %s.", path);
	return esp_check_image(kernel, err);
}

int systemd_boot_remove_entry(struct boot_loader *loader, const char *id, struct error *err)
{
	struct systemd_boot *sd = systemd_boot_of(loader);
	_cleanup_free_ char *path = systemd_boot_entry_path(sd, id), *directory = path_join(sd->kernels_path, id);
	struct boot_one_shot armed;
	int r;

	r = systemd_boot_check_id(id, err);
	if (r == 0)
		r = systemd_boot_read_armed(loader, &armed, err);
	if (r == 0 && armed.is_armed && strcmp(armed.entry, id) == 0)
		r = systemd_boot_disarm(loader, err);
	if (r < 0)
		return r;
	if (unlink(path) < 0 && errno != ENOENT)
		return error_set_errno(err, -errno, "Cannot remove %s", path);
	if (file_exists(sd->entries_path))
		r = file_sync_directory(sd->entries_path, err);
	if (r == 0)
		r = file_remove_tree(directory, err);
	if (r < 0)
		return r;
	(void)rmdir(sd->kernels_path); /* when it was the last one */
	r = file_sync_directory(sd->esp.path, err);
	boot_mount_settle(&sd->paths, &sd->esp.mount);
	return r;
}

/* The ids of the files ID.conf. */
static int add_entries(struct entry_ids *ids, const char *path, struct error *err)
{
	_cleanup_dir_ DIR *directory = opendir(path);
	const struct dirent *item;
	int r = 0;

	if (!directory)
		return errno == ENOENT ? 0 : error_set_errno(err, -errno, "Cannot list %s", path);
	while (r == 0 && (item = readdir(directory))) {
		_cleanup_free_ char *id = text_duplicate(item->d_name);

		if (!text_has_suffix(id, SUFFIX))
			continue;
		id[strlen(id) - strlen(SUFFIX)] = '\0';
		if (systemd_boot_check_id(id, NULL) == 0)
			r = entry_ids_add(ids, id, err);
	}
	return r;
}

int systemd_boot_list_entries(struct boot_loader *loader, char ***ret_ids, struct error *err)
{
	_cleanup_(entry_ids_done) struct entry_ids ids = { 0 };
	struct systemd_boot *sd = systemd_boot_of(loader);
	int r = add_entries(&ids, sd->entries_path, err);

	if (r == 0)
		r = entry_ids_add_directories(&ids, sd->kernels_path, err);
	if (r < 0)
		return r;
	*ret_ids = entry_ids_take(&ids);
	return 0;
}

int systemd_boot_default_options(struct boot_loader *loader, char **ret_options, struct error *err)
{
	return entry_running_options(systemd_boot_of(loader)->root, ret_options, err);
}
