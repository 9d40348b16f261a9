// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The firmware's boot options, the variables Boot####: which are ours, which numbers are free.
 */
#include "boot/uefi.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot/boot_options.h"
#include "boot/efi_variable.h"
#include "boot/entry_files.h"
#include "common/cleanup.h"
#include "common/text.h"

#define N_OPTIONS 0x10000
#define COMMAND_LINE_MAX_BYTES 8192
#define PATH_START "\\" ENTRY_FILES_NAME "\\"
#define PATH_END "\\kernel"

void uefi_option_name(int number, char ret_name[9])
{
	(void)snprintf(ret_name, 9, "Boot%04X", (unsigned int)number & 0xffff);
}

int uefi_read_number(const struct boot_paths *paths, const char *name)
{
	_cleanup_free_ unsigned char *data = NULL;
	size_t size = 0;

	if (efi_variable_read(paths, name, EFI_GUID_GLOBAL, (void **)&data, &size, NULL) < 0 || size != 2)
		return UEFI_OPTION_NONE;
	return data[0] | data[1] << 8;
}

int uefi_read_option(const struct boot_paths *paths, int number, void **ret_bytes,
		     struct efi_load_option *ret_option)
{
	_cleanup_free_ void *bytes = NULL;
	char name[9];
	size_t size = 0;
	int r;

	uefi_option_name(number, name);
	r = efi_variable_read(paths, name, EFI_GUID_GLOBAL, &bytes, &size, NULL);
	if (r == 0)
		r = efi_load_option_parse(bytes, size, ret_option);
	if (r < 0)
		return r;
	*ret_bytes = TAKE_PTR(bytes);
	return 0;
}

/* FAT knows no case, and firmware may have written the path anew. */
static bool parse_path(const char *path, char id[BOOT_ENTRY_SIZE])
{
	size_t length = strlen(path), around = strlen(PATH_START) + strlen(PATH_END);

	if (length <= around || length - around >= BOOT_ENTRY_SIZE ||
	    strncasecmp(path, PATH_START, strlen(PATH_START)) != 0 ||
	    strcasecmp(path + length - strlen(PATH_END), PATH_END) != 0)
		return false;
	memcpy(id, path + strlen(PATH_START), length - around);
	id[length - around] = '\0';
	return entry_check_id(id, NULL) == 0;
}

bool uefi_is_ours(const struct boot_paths *paths, int number, struct uefi_option *ret_option)
{
	_cleanup_free_ char *options = NULL;
	_cleanup_free_ void *bytes = NULL;
	struct efi_load_option option;
	struct uefi_option ours = { 0 };

	if (number == UEFI_OPTION_NONE || uefi_read_option(paths, number, &bytes, &option) < 0 ||
	    !parse_path(option.path, ours.id))
		return false;
	options = calloc(1, COMMAND_LINE_MAX_BYTES);
	if (options && efi_text_read(option.data, option.data_size, options, COMMAND_LINE_MAX_BYTES) == 0)
		(void)boot_options_get(options, "abbot.token", ours.token, sizeof(ours.token));
	*ret_option = ours;
	return true;
}

/* The next number that has a variable; UEFI_OPTION_NONE at the end. */
static int next_number(DIR *directory)
{
	const struct dirent *item;

	while ((item = readdir(directory))) {
		const char *hex = item->d_name + strlen("Boot");

		if (text_has_prefix(item->d_name, "Boot") && strspn(hex, "0123456789ABCDEF") == 4 &&
		    strcmp(hex + 4, "-" EFI_GUID_GLOBAL) == 0)
			return (int)strtol(hex, NULL, 16);
	}
	return UEFI_OPTION_NONE;
}

static DIR *open_variables(const struct boot_paths *paths)
{
	_cleanup_free_ char *path = text_format("%s" EFI_VARIABLES_DIRECTORY, paths->root);

	return opendir(path);
}

int uefi_find_option(const struct boot_paths *paths, const char *id)
{
	_cleanup_dir_ DIR *directory = open_variables(paths);
	int number, found = UEFI_OPTION_NONE;
	struct uefi_option option;

	while (directory && (number = next_number(directory)) != UEFI_OPTION_NONE)
		if ((found == UEFI_OPTION_NONE || number < found) &&
		    uefi_is_ours(paths, number, &option) && strcmp(option.id, id) == 0)
			found = number;
	return found;
}

int uefi_free_option(const struct boot_paths *paths)
{
	_cleanup_dir_ DIR *directory = open_variables(paths);
	_cleanup_free_ bool *is_taken = calloc(N_OPTIONS, sizeof(*is_taken));
	int number;

	if (!directory || !is_taken)
		return UEFI_OPTION_NONE;
	while ((number = next_number(directory)) != UEFI_OPTION_NONE)
		is_taken[number] = true;
	for (number = 0; number < N_OPTIONS; number++)
		if (!is_taken[number])
			return number;
	return UEFI_OPTION_NONE;
}

int uefi_add_option_ids(const struct boot_paths *paths, struct entry_ids *ids, struct error *err)
{
	_cleanup_dir_ DIR *directory = open_variables(paths);
	struct uefi_option option;
	int number, r = 0;

	while (r == 0 && directory && (number = next_number(directory)) != UEFI_OPTION_NONE)
		if (uefi_is_ours(paths, number, &option))
			r = entry_ids_add(ids, option.id, err);
	return r;
}
