// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks the variables of an OVMF flash file.
 */
#include "boot/lab/variables.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"

#define FLASH_MAX_BYTES (16UL << 20)
#define STORE_HEADER_BYTES 28
#define VARIABLE_HEADER_BYTES 60
#define VARIABLE_START 0x55aa
#define VARIABLE_ADDED 0x3f
/* Being replaced: still the one that counts, until the new one is complete. */
#define VARIABLE_IN_DELETION 0x3e

static uint32_t read_le(const uint8_t *at, int bytes)
{
	uint32_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | at[bytes];
	return value;
}

/* UTF-16LE with its NUL, against ASCII. */
static bool is_name(const uint8_t *at, size_t size, const char *name)
{
	size_t length = strlen(name);

	if (size != 2 * (length + 1))
		return false;
	for (size_t i = 0; i <= length; i++)
		if (at[2 * i] != (uint8_t)name[i] || at[2 * i + 1])
			return false;
	return true;
}

int variables_find(const void *flash, size_t size, const char *name,
		   struct variables_found *ret_found)
{
	const uint8_t *bytes = flash;
	size_t at;

	/* EFI_FIRMWARE_VOLUME_HEADER: "_FVH" at 0x28, its own length at 0x30. */
	if (size < 0x100 || memcmp(bytes + 0x28, "_FVH", 4) != 0)
		return -EBADMSG;
	at = read_le(bytes + 0x30, 2) + STORE_HEADER_BYTES;
	while (at + VARIABLE_HEADER_BYTES <= size && read_le(bytes + at, 2) == VARIABLE_START) {
		uint8_t state = bytes[at + 2];
		size_t name_size = read_le(bytes + at + 36, 4), data_size = read_le(bytes + at + 40, 4);
		const uint8_t *variable = bytes + at + VARIABLE_HEADER_BYTES;

		if (name_size > size || data_size > size ||
		    at + VARIABLE_HEADER_BYTES + name_size + data_size > size)
			return -EBADMSG;
		if ((state == VARIABLE_ADDED || state == VARIABLE_IN_DELETION) &&
		    is_name(variable, name_size, name)) {
			*ret_found = (struct variables_found){variable + name_size, data_size};
			return 1;
		}
		at = (at + VARIABLE_HEADER_BYTES + name_size + data_size + 3) & ~(size_t)3;
	}
	return 0;
}

int variables_lack(const char *run_directory, const char *name, bool *ret_lacks,
		   struct error *err)
{
	_cleanup_free_ char *path = path_join(run_directory, VARIABLES_NAME), *flash = NULL;
	struct variables_found found;
	size_t size = 0;
	int status = file_read(path, FLASH_MAX_BYTES, &flash, &size, err);

	if (status < 0)
		return status;
	status = variables_find(flash, size, name, &found);
	if (status < 0)
		return error_set(err, status, "%s is no flash with UEFI variables", path);
	*ret_lacks = status == 0;
	return 0;
}
