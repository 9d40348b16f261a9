// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's machine without a boot loader: the firmware starts the default kernel itself, by
 * the option Boot0000. The EFI system partition, with nothing but that kernel, is the
 * guest's /boot.
 */
#include "boot/lab/loader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "boot/efi_load_option.h"
#include "boot/lab/disk.h"
#include "boot/lab/esp.h"
#include "boot/lab/grub.h"
#include "boot/lab/outcome.h"
#include "boot/lab/variables.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define BLOCK_BYTES 512
#define FLASH_MAX_BYTES (16UL << 20)
#define DEFAULT_OPTIONS "root=PARTUUID=" LAB_DISK_ROOT_PARTUUID " ro console=ttyS0 quiet"
#define DEFAULT_NAME "default-option" /* in the run directory: what BootOrder has first */
#define OUR_FILES "\\abbot\\"

static int uefi_fill_esp(const struct lab_options *options, const char *partition,
			 struct error *err)
{
	return lab_esp_copy(partition, options->default_image, "::" LAB_DEFAULT_KERNEL, err);
}

static int uefi_fill_variables(const char *path, struct error *err)
{
	static const unsigned char order[] = {0, 0};
	struct efi_partition partition = {
		.number = 1,
		.start = LAB_DISK_ESP_OFFSET / BLOCK_BYTES,
		.size = (uint64_t)LAB_DISK_ESP_MIB * (1 << 20) / BLOCK_BYTES,
	};
	_cleanup_free_ char *flash = NULL;
	_cleanup_free_ void *option = NULL;
	size_t size = 0, option_size = 0;
	int status = file_read(path, FLASH_MAX_BYTES, &flash, &size, err);

	if (status < 0)
		return status;
	(void)efi_guid_parse(LAB_DISK_ESP_PARTUUID, partition.guid);
	status = efi_load_option_make("Debian GNU/Linux", &partition, "\\" LAB_DEFAULT_KERNEL,
				      DEFAULT_OPTIONS, &option, &option_size);
	if (status == 0)
		status = variables_add(flash, size, "Boot0000", option, option_size);
	if (status == 0)
		status = variables_add(flash, size, "BootOrder", order, sizeof(order));
	if (status < 0)
		return error_set_errno(err, status, "cannot give the firmware in %s a default", path);
	return file_write_durable(path, flash, size, 0600, err);
}

/* The option that BootOrder has first, with its number: the firmware adds others behind it. */
static int fetch_default(const char *run_directory, struct error *err)
{
	_cleanup_free_ char *flash = NULL, *path = path_join(run_directory, DEFAULT_NAME);
	_cleanup_text_ struct text_buffer text = {0};
	struct variables_found order, option;
	char name[16];
	size_t size = 0;
	int status = variables_read(run_directory, &flash, &size, err);

	if (status < 0)
		return status;
	if (variables_find(flash, size, "BootOrder", &order) <= 0 || order.size < 2)
		return error_set(err, -EBADMSG, "the firmware of %s has no BootOrder left", run_directory);
	(void)snprintf(name, sizeof(name), "Boot%02X%02X", order.data[1], order.data[0]);
	text_printf(&text, "%s ", name);
	if (variables_find(flash, size, name, &option) > 0)
		for (size_t i = 0; i < option.size; i++)
			text_printf(&text, "%02x", option.data[i]);
	return file_write_durable(path, text.text, text.size, 0600, err);
}

static int uefi_fetch(const char *disk, const char *run_directory, struct error *err)
{
	int status = lab_esp_fetch(disk, run_directory, err);

	return status < 0 ? status : fetch_default(run_directory, err);
}

static int uefi_hash_default(const char *run_directory, char **ret_hash, struct error *err)
{
	static const char *const names[] = {DEFAULT_NAME, "esp/" LAB_DEFAULT_KERNEL, NULL};

	return outcome_hash_files(run_directory, names, ret_hash, err);
}

/* Files on the partition, and options that name one of ours. */
static int uefi_find_leftovers(const char *run_directory, struct lab_names *names,
			       struct error *err)
{
	_cleanup_free_ char *flash = NULL;
	struct variables_found found;
	size_t size = 0, at = 0;
	int status = lab_esp_find_leftovers(run_directory, names, err);

	if (status == 0)
		status = variables_read(run_directory, &flash, &size, err);
	while (status == 0 && variables_next(flash, size, &at, &found) > 0) {
		struct efi_load_option option;

		if (text_has_prefix(found.name, "Boot") && strlen(found.name) == strlen("Boot0000") &&
		    efi_load_option_parse(found.data, found.size, &option) == 0 &&
		    strncasecmp(option.path, OUR_FILES, strlen(OUR_FILES)) == 0)
			lab_names_add(names, text_format("%s: %s", found.name, option.path));
	}
	return status;
}

static int uefi_is_one_shot_empty(const char *run_directory, bool *ret_is_empty,
				  struct error *err)
{
	return variables_lack(run_directory, "BootNext", ret_is_empty, err);
}

const struct lab_loader lab_loader_uefi = {
	.name = "uefi",
	.fill_esp = uefi_fill_esp,
	.fill_root = lab_esp_mount,
	.fill_variables = uefi_fill_variables,
	.fetch = uefi_fetch,
	.hash_default = uefi_hash_default,
	.find_leftovers = uefi_find_leftovers,
	.is_one_shot_empty = uefi_is_one_shot_empty,
};
