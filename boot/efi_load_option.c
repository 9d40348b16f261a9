// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes load options apart and puts them together.
 */
#include "boot/efi_load_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot/efi_variable.h"
#include "common/cleanup.h"
#include "common/little_endian.h"

#define ACTIVE 1U
#define HEADER_BYTES 6
#define NODE_BYTES 4
#define TYPE_MEDIA 4
#define TYPE_END 0x7f
#define MEDIA_HARD_DRIVE 1
#define MEDIA_FILE_PATH 4
#define HARD_DRIVE_BYTES 42
#define SCHEME_GPT 2
#define SIGNATURE_GUID 2

static void parse_hard_drive(const unsigned char *node, struct efi_load_option *option)
{
	if (node[40] != SCHEME_GPT || node[41] != SIGNATURE_GUID)
		return;
	option->has_partition = true;
	option->partition.number = (uint32_t)little_endian_get(node + 4, 4);
	option->partition.start = little_endian_get(node + 8, 8);
	option->partition.size = little_endian_get(node + 16, 8);
	memcpy(option->partition.guid, node + 24, EFI_GUID_BYTES);
}

/* A path may be in several nodes, with a separator between them. */
static int parse_file_path(const unsigned char *node, size_t size, struct efi_load_option *option)
{
	size_t used = strlen(option->path);

	if (used > 0 && option->path[used - 1] != '\\' && used + 1 < sizeof(option->path)) {
		option->path[used++] = '\\';
		option->path[used] = '\0';
	}
	return efi_text_read(node + NODE_BYTES, size - NODE_BYTES, option->path + used,
			     sizeof(option->path) - used);
}

static int parse_device_path(const unsigned char *at, size_t size, struct efi_load_option *option)
{
	while (size >= NODE_BYTES) {
		size_t node_size = little_endian_get(at + 2, 2);

		if (node_size < NODE_BYTES || node_size > size)
			return -EBADMSG;
		if (at[0] == TYPE_END)
			return 0;
		if (at[0] == TYPE_MEDIA && at[1] == MEDIA_HARD_DRIVE && node_size == HARD_DRIVE_BYTES)
			parse_hard_drive(at, option);
		if (at[0] == TYPE_MEDIA && at[1] == MEDIA_FILE_PATH &&
		    parse_file_path(at, node_size, option) < 0)
			return -EBADMSG;
		at += node_size;
		size -= node_size;
	}
	return -EBADMSG; /* it does not end */
}

int efi_load_option_parse(const void *bytes, size_t size, struct efi_load_option *ret_option)
{
	struct efi_load_option option = { 0 };
	const unsigned char *at = bytes;
	size_t list_size, used = HEADER_BYTES;

	if (size < HEADER_BYTES)
		return -EBADMSG;
	option.is_active = little_endian_get(at, 4) & ACTIVE;
	list_size = little_endian_get(at + 4, 2);
	do { /* over the description and its NUL */
		if (used + 2 > size)
			return -EBADMSG;
		used += 2;
	} while (little_endian_get(at + used - 2, 2) != 0);
	if (list_size > size - used || parse_device_path(at + used, list_size, &option) < 0)
		return -EBADMSG;
	option.data = at + used + list_size;
	option.data_size = size - used - list_size;
	*ret_option = option;
	return 0;
}

static void put_hard_drive(unsigned char *node, const struct efi_partition *partition)
{
	node[0] = TYPE_MEDIA;
	node[1] = MEDIA_HARD_DRIVE;
	little_endian_put(node + 2, HARD_DRIVE_BYTES, 2);
	little_endian_put(node + 4, partition->number, 4);
	little_endian_put(node + 8, partition->start, 8);
	little_endian_put(node + 16, partition->size, 8);
	memcpy(node + 24, partition->guid, EFI_GUID_BYTES);
	node[40] = SCHEME_GPT;
	node[41] = SIGNATURE_GUID;
}

int efi_load_option_make(const char *description, const struct efi_partition *partition,
			 const char *path, const char *options, void **ret_bytes, size_t *ret_size)
{
	static const unsigned char end[NODE_BYTES] = { TYPE_END, 0xff, NODE_BYTES, 0 };
	_cleanup_free_ void *name = NULL, *file = NULL, *data = NULL;
	size_t name_size = 0, file_size = 0, data_size = 0, list_size, size;
	unsigned char *bytes, *at;

	if (efi_text_make(description, &name, &name_size) < 0 ||
	    efi_text_make(path, &file, &file_size) < 0 ||
	    efi_text_make(options, &data, &data_size) < 0)
		return -EINVAL;
	list_size = HARD_DRIVE_BYTES + NODE_BYTES + file_size + sizeof(end);
	size = HEADER_BYTES + name_size + list_size + data_size;
	if (list_size > UINT16_MAX || size > EFI_VARIABLE_MAX_BYTES)
		return -EINVAL;
	bytes = calloc(1, size);
	if (!bytes)
		return -ENOMEM;
	little_endian_put(bytes, ACTIVE, 4);
	little_endian_put(bytes + 4, list_size, 2);
	at = (unsigned char *)mempcpy(bytes + HEADER_BYTES, name, name_size);
	put_hard_drive(at, partition);
	at += HARD_DRIVE_BYTES;
	at[0] = TYPE_MEDIA;
	at[1] = MEDIA_FILE_PATH;
	little_endian_put(at + 2, NODE_BYTES + file_size, 2);
	at = (unsigned char *)mempcpy(at + NODE_BYTES, file, file_size);
	at = (unsigned char *)mempcpy(at, end, sizeof(end));
	memcpy(at, data, data_size);
	*ret_bytes = bytes;
	*ret_size = size;
	return 0;
}

bool efi_guid_parse(const char *text, unsigned char guid[EFI_GUID_BYTES])
{
	/* The first three numbers are little-endian, the rest are bytes: UEFI 2.10, appendix A. */
	static const unsigned char places[EFI_GUID_BYTES] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	const char *at = text;

	for (size_t i = 0; i < EFI_GUID_BYTES; i++) {
		char hex[3] = { 0 };

		if ((i == 4 || i == 6 || i == 8 || i == 10) && *at++ != '-')
			return false;
		if (strspn(at, "0123456789abcdefABCDEF") < 2)
			return false;
		memcpy(hex, at, 2);
		guid[places[i]] = (unsigned char)strtoul(hex, NULL, 16);
		at += 2;
	}
	return *at == '\0';
}
