// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * EFI_LOAD_OPTION, the data of the UEFI variables Boot####: which file of which partition
 * the firmware starts, and what it hands over. UEFI 2.10, 3.1.3 (the option), 10.3 (device
 * paths). Pure. Only GPT partitions, as "HD(number,GPT,...)", are understood.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EFI_GUID_BYTES 16

struct efi_partition {
	uint32_t number;                    /* in the GPT, from 1 */
	uint64_t start, size;               /* in logical blocks of the disk */
	unsigned char guid[EFI_GUID_BYTES]; /* of the partition itself, as on the disk */
};

struct efi_load_option {
	bool is_active;
	bool has_partition;
	struct efi_partition partition;
	char path[512];            /* on it, "\EFI\debian\grubx64.efi", UTF-8; "" when none is named */
	const unsigned char *data; /* what is handed over; in the bytes that were parsed */
	size_t data_size;
};

/* -EBADMSG: no load option. A device path of another kind has no partition and no path. */
int efi_load_option_parse(const void *bytes, size_t size, struct efi_load_option *ret_option);

/*
 * An active option that hands @options, as text, to @path on @partition. Caller frees
 * *ret_bytes. -EINVAL: no UTF-8, or too long.
 */
int efi_load_option_make(const char *description, const struct efi_partition *partition,
			 const char *path, const char *options, void **ret_bytes, size_t *ret_size);

/* "ab5007ab-0002-4000-8000-000000000001" to the bytes on the disk. False: it is no GUID. */
bool efi_guid_parse(const char *text, unsigned char guid[EFI_GUID_BYTES]);
