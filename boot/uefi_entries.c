// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of the firmware's backend: ESP/abbot/ID with kernel, initrd, and entry.conf, which
 * keeps the command line until it is armed. The firmware is told of an entry only then.
 */
#include "boot/uefi.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "boot/bls_entry.h"
#include "boot/boot_options.h"
#include "boot/efi_variable.h"
#include "boot/entry_files.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define ENTRY_NAME "entry.conf"
#define ENTRY_MAX_BYTES (64UL * 1024)

static char *entry_text(const struct boot_entry *entry)
{
	_cleanup_free_ char *initrd = text_format("initrd=\\" ENTRY_FILES_NAME "\\%s\\initrd", entry->id);
	_cleanup_free_ char *options = entry->initrd_path ? boot_options_join(entry->options, initrd) :
							    text_duplicate(entry->options);
	_cleanup_text_ struct text_buffer text = { 0 };

	entry_add_header(&text, entry);
	bls_entry_add(&text, "title", entry->title);
	bls_entry_add(&text, "options", options);
	return text_buffer_take(&text);
}

int uefi_install_entry(struct boot_loader *loader, const struct boot_entry *entry,
		       struct error *err)
{
	struct uefi *uefi = uefi_of(loader);
	_cleanup_free_ char *path = text_format("%s/%s/" ENTRY_NAME, uefi->kernels_path, entry->id), *text = NULL;
	bool is_new = !file_exists(path);
	int r;

	r = entry_check_id(entry->id, err);
	if (r == 0)
		r = entry_check_efi(entry, err);
	if (r < 0)
		return r;
	r = entry_files_install(uefi->kernels_path, entry, err);
	text = entry_text(entry);
	if (r == 0)
		r = file_write_durable(path, text, strlen(text), 0644, err);
	if (r < 0 && is_new) /* a half-copied kernel must not fill the partition */
		(void)uefi_remove_entry(loader, entry->id, NULL);
	if (r == 0)
		boot_mount_settle(&uefi->paths, &uefi->esp.mount);
	return r;
}

int uefi_entry_options(struct uefi *uefi, const char *id, const char *token, char **ret_options,
		       struct error *err)
{
	_cleanup_free_ char *directory = path_join(uefi->kernels_path, id), *path = path_join(directory, ENTRY_NAME);
	_cleanup_free_ char *kernel = path_join(directory, "kernel"), *data = NULL, *options = NULL;
	_cleanup_free_ char *added = text_format("abbot.token=%s", token);
	size_t size = 0;
	int r;

	if (!file_exists(path))
		return error_set(err, -ENOENT, "There is no boot entry %s.", path);
	r = file_read(path, ENTRY_MAX_BYTES, &data, &size, err);
	if (r == 0)
		r = esp_check_image(kernel, err);
	if (r < 0)
		return r;
	if (!bls_entry_get(data, size, "options", &options))
		options = text_duplicate("");
	*ret_options = boot_options_join(options, added);
	return 0;
}

/* All of @id's: a firmware may have made a copy of one. */
static int remove_options(struct uefi *uefi, const char *id, struct error *err)
{
	int number, r = 0;

	while (r == 0 && (number = uefi_find_option(&uefi->paths, id)) != UEFI_OPTION_NONE) {
		char name[9];

		uefi_option_name(number, name);
		r = efi_variable_remove(&uefi->paths, name, EFI_GUID_GLOBAL, err);
	}
	return r;
}

int uefi_remove_entry(struct boot_loader *loader, const char *id, struct error *err)
{
	struct uefi *uefi = uefi_of(loader);
	_cleanup_free_ char *directory = path_join(uefi->kernels_path, id);
	struct boot_one_shot armed;
	int r;

	r = entry_check_id(id, err);
	if (r == 0)
		r = uefi_read_armed(loader, &armed, err);
	if (r == 0 && armed.is_armed && strcmp(armed.entry, id) == 0)
		r = uefi_disarm(loader, err);
	if (r == 0)
		r = remove_options(uefi, id, err);
	if (r == 0)
		r = file_remove_tree(directory, err);
	if (r < 0)
		return r;
	(void)rmdir(uefi->kernels_path); /* when it was the last one */
	r = file_sync_directory(uefi->esp.path, err);
	boot_mount_settle(&uefi->paths, &uefi->esp.mount);
	return r;
}

int uefi_list_entries(struct boot_loader *loader, char ***ret_ids, struct error *err)
{
	_cleanup_(entry_ids_done) struct entry_ids ids = { 0 };
	struct uefi *uefi = uefi_of(loader);
	int r = entry_ids_add_directories(&ids, uefi->kernels_path, err);

	if (r == 0)
		r = uefi_add_option_ids(&uefi->paths, &ids, err);
	if (r < 0)
		return r;
	*ret_ids = entry_ids_take(&ids);
	return 0;
}
