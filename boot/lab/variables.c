// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks the variables of an OVMF flash file, and adds to them.
 */
#include "boot/lab/variables.h"

#include <errno.h>
#include <string.h>

#include "boot/efi_load_option.h"
#include "boot/efi_variable.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/little_endian.h"

#define FLASH_MAX_BYTES (16UL << 20)
#define STORE_HEADER_BYTES 28
#define VARIABLE_HEADER_BYTES 60
/* Non-volatile, for boot services and at run time. */
#define ATTRIBUTES 7
#define VARIABLE_START 0x55aa
#define VARIABLE_ADDED 0x3f
/* Being replaced: still the one that counts, until the new one is complete. */
#define VARIABLE_IN_DELETION 0x3e

static bool is_volume(const uint8_t *bytes, size_t size)
{
	/* EFI_FIRMWARE_VOLUME_HEADER: "_FVH" at 0x28, its own length at 0x30. */
	return size >= 0x100 && memcmp(bytes + 0x28, "_FVH", 4) == 0;
}

/* UTF-16LE with its NUL. */
static void read_name(const uint8_t *at, size_t size, char *name, size_t name_size)
{
	size_t n = size / 2;

	name[0] = '\0';
	if (n > name_size)
		return;
	for (size_t i = 0; i < n; i++)
		if (at[2 * i] > 0x7e || at[2 * i + 1])
			return;
	for (size_t i = 0; i < n; i++)
		name[i] = (char)at[2 * i];
	if (n > 0)
		name[n - 1] = '\0';
}

int variables_next(const void *flash, size_t size, size_t *at, struct variables_found *ret_found)
{
	const uint8_t *bytes = flash;

	if (!is_volume(bytes, size))
		return -EBADMSG;
	if (*at == 0)
		*at = little_endian_get(bytes + 0x30, 2) + STORE_HEADER_BYTES;
	while (*at + VARIABLE_HEADER_BYTES <= size && little_endian_get(bytes + *at, 2) == VARIABLE_START) {
		const uint8_t *header = bytes + *at, *variable = header + VARIABLE_HEADER_BYTES;
		size_t name_size = little_endian_get(header + 36, 4), data_size = little_endian_get(header + 40, 4);

		if (name_size > size || data_size > size ||
		    *at + VARIABLE_HEADER_BYTES + name_size + data_size > size)
			return -EBADMSG;
		*at = (*at + VARIABLE_HEADER_BYTES + name_size + data_size + 3) & ~(size_t)3;
		if (header[2] != VARIABLE_ADDED && header[2] != VARIABLE_IN_DELETION)
			continue;
		read_name(variable, name_size, ret_found->name, sizeof(ret_found->name));
		ret_found->data = variable + name_size;
		ret_found->size = data_size;
		return 1;
	}
	return 0;
}

int variables_find(const void *flash, size_t size, const char *name,
		   struct variables_found *ret_found)
{
	struct variables_found found;
	size_t at = 0;
	int status;

	while ((status = variables_next(flash, size, &at, &found)) > 0) {
		if (strcmp(found.name, name) == 0) {
			*ret_found = found;
			return 1;
		}
	}
	return status;
}

int variables_add(void *flash, size_t size, const char *name, const void *data, size_t data_size)
{
	uint8_t *bytes = flash, *header, *variable;
	size_t n = strlen(name) + 1, at = 0, end;
	struct variables_found found;
	int status;

	while ((status = variables_next(flash, size, &at, &found)) > 0)
		;
	if (status < 0)
		return status;
	/* VARIABLE_STORE_HEADER has its size, with itself, after its GUID. */
	end = little_endian_get(bytes + 0x30, 2);
	end += little_endian_get(bytes + end + EFI_GUID_BYTES, 4);
	if (end > size || at + VARIABLE_HEADER_BYTES + 2 * n + data_size > end)
		return -ENOSPC;
	header = bytes + at;
	variable = header + VARIABLE_HEADER_BYTES;
	memset(header, 0, VARIABLE_HEADER_BYTES + 2 * n);
	little_endian_put(header, VARIABLE_START, 2);
	header[2] = VARIABLE_ADDED;
	little_endian_put(header + 4, ATTRIBUTES, 4);
	little_endian_put(header + 36, (uint32_t)(2 * n), 4);
	little_endian_put(header + 40, (uint32_t)data_size, 4);
	(void)efi_guid_parse(EFI_GUID_GLOBAL, header + 44);
	for (size_t i = 0; i < n; i++)
		variable[2 * i] = (uint8_t)name[i];
	memcpy(variable + 2 * n, data, data_size);
	return 0;
}

int variables_read(const char *run_directory, char **ret_flash, size_t *ret_size, struct error *err)
{
	_cleanup_free_ char *path = path_join(run_directory, VARIABLES_NAME);

	return file_read(path, FLASH_MAX_BYTES, ret_flash, ret_size, err);
}

int variables_lack(const char *run_directory, const char *name, bool *ret_lacks,
		   struct error *err)
{
	_cleanup_free_ char *flash = NULL;
	struct variables_found found;
	size_t size = 0;
	int status = variables_read(run_directory, &flash, &size, err);

	if (status < 0)
		return status;
	status = variables_find(flash, size, name, &found);
	if (status < 0)
		return error_set(err, status, "%s/" VARIABLES_NAME " is no flash with UEFI variables",
				 run_directory);
	*ret_lacks = status == 0;
	return 0;
}
