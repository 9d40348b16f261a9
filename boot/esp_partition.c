// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which partition of its disk the EFI system partition is, as the firmware's device paths
 * name it: number and place from sysfs, its GUID from the disk's GPT (UEFI 2.10, 5.3).
 */
#include "boot/esp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/little_endian.h"
#include "common/text.h"

#define SECTOR_BYTES 512 /* sysfs counts in these, whatever the disk's blocks are */
#define BLOCK_MAX_BYTES 4096
#define HEADER_BYTES 92
#define ENTRY_BYTES 128
#define N_ENTRIES_MAX 1024

static bool read_number(const char *directory, const char *name, uint64_t *ret_number)
{
	_cleanup_free_ char *path = path_join(directory, name), *text = NULL;
	char *end;

	if (file_read(path, 64, &text, NULL, NULL) < 0 || *text < '0' || *text > '9')
		return false;
	*ret_number = strtoull(text, &end, 10);
	return *end == '\n' || *end == '\0';
}

/* The disk that the partition at @sys is on: "/dev/nvme0n1". Caller frees; NULL: unknown. */
static char *disk_of(const struct boot_paths *paths, const char *sys)
{
	_cleanup_free_ char *path = path_join(sys, "../uevent");
	char name[64];

	boot_mount_device_name(path, name, sizeof(name));
	return *name ? text_format("%s/dev/%s", paths->root, name) : NULL;
}

/* The GUID of partition->number, when the GPT has it at the very place that sysfs says. */
static bool read_guid(int fd, size_t block_bytes, struct efi_partition *partition)
{
	unsigned char header[HEADER_BYTES], entry[ENTRY_BYTES];
	uint64_t table, n_entries, entry_bytes;

	if (pread(fd, header, sizeof(header), (off_t)block_bytes) != (ssize_t)sizeof(header) ||
	    memcmp(header, "EFI PART", 8) != 0)
		return false;
	table = little_endian_get(header + 72, 8);
	n_entries = little_endian_get(header + 80, 4);
	entry_bytes = little_endian_get(header + 84, 4);
	if (n_entries > N_ENTRIES_MAX || partition->number > n_entries || entry_bytes < ENTRY_BYTES ||
	    entry_bytes > BLOCK_MAX_BYTES || table > UINT32_MAX)
		return false;
	if (pread(fd, entry, sizeof(entry),
		  (off_t)(table * block_bytes + (partition->number - 1) * entry_bytes)) != (ssize_t)sizeof(entry))
		return false;
	memcpy(partition->guid, entry + 16, EFI_GUID_BYTES);
	return little_endian_get(entry + 32, 8) == partition->start &&
	       little_endian_get(entry + 40, 8) == partition->start + partition->size - 1;
}

int esp_find_partition(const struct boot_paths *paths, const struct esp *esp,
		       struct efi_partition *ret_partition, struct error *err)
{
	_cleanup_free_ char *sys = text_format("%s/sys/dev/block/%s", paths->root, esp->mount.device_numbers);
	_cleanup_free_ char *disk = disk_of(paths, sys);
	uint64_t number = 0, start = 0, size = 0, block = SECTOR_BYTES;
	struct efi_partition partition = { 0 };
	_cleanup_close_ int fd = -1;

	if (!disk || !read_number(sys, "partition", &number) || !read_number(sys, "start", &start) ||
	    !read_number(sys, "size", &size) || number == 0 || size == 0)
		return error_set(err, -EOPNOTSUPP, "The EFI system partition at %s is no partition of a disk (%s), so the firmware cannot be told where kernels are.",
				 esp->mount.point, esp->mount.source);
	(void)read_number(sys, "../queue/logical_block_size", &block);
	if (block < SECTOR_BYTES || block > BLOCK_MAX_BYTES || block % SECTOR_BYTES != 0)
		return error_set(err, -EOPNOTSUPP, "%s has blocks of %llu bytes, which Abbot does not know.", disk,
				 (unsigned long long)block);
	partition.number = (uint32_t)number;
	partition.start = start / (block / SECTOR_BYTES);
	partition.size = size / (block / SECTOR_BYTES);
	fd = open(disk, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return error_set_errno(err, -errno, "Cannot open %s, where the EFI system partition is", disk);
	if (!read_guid(fd, block, &partition))
		return error_set(err, -EOPNOTSUPP, "%s has no GPT with partition %u where the system sees it: booting by the firmware needs one.",
				 disk, partition.number);
	*ret_partition = partition;
	return 0;
}
