// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a log of writes, and makes a disk what it was after any number of them.
 */
#include "boot/lab/write_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/little_endian.h"

#define MAGIC UINT64_C(0x6a736677736872)
#define VERSION 1
#define SUPER_BYTES 28
#define ENTRY_BYTES 32
#define SECTOR_MAX_BYTES 65536
#define WRITE_MAX_BYTES (UINT64_C(1) << 30)

static bool read_at(int fd, void *bytes, size_t size, uint64_t at)
{
	return pread(fd, bytes, size, (off_t)at) == (ssize_t)size;
}

int write_log_open(const char *path, struct write_log *ret_log, struct error *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	unsigned char super[SUPER_BYTES];
	struct write_log log = { 0 };

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot open %s", path);
	if (!read_at(fd, super, sizeof(super), 0) || little_endian_get(super, 8) != MAGIC || little_endian_get(super + 8, 8) != VERSION)
		return error_set(err, -EBADMSG, "%s is no log of a disk's writes", path);
	log.n_entries = little_endian_get(super + 16, 8);
	log.sector_bytes = (uint32_t)little_endian_get(super + 24, 4);
	if (log.sector_bytes < 512 || log.sector_bytes > SECTOR_MAX_BYTES)
		return error_set(err, -EBADMSG, "%s has sectors of %u bytes", path, log.sector_bytes);
	log.at = log.sector_bytes;
	log.fd = fd;
	fd = -1;
	*ret_log = log;
	return 0;
}

void write_log_close(struct write_log *log)
{
	if (log->sector_bytes)
		(void)close(log->fd);
	*log = (struct write_log){ 0 };
}

int write_log_next(struct write_log *log, struct write_log_entry *ret_entry, struct error *err)
{
	unsigned char bytes[ENTRY_BYTES];
	uint64_t sector, n_sectors;

	if (log->index >= log->n_entries)
		return 0;
	if (!read_at(log->fd, bytes, sizeof(bytes), log->at))
		return error_set(err, -EBADMSG, "the log of writes ends before its write %llu",
				 (unsigned long long)log->index);
	sector = little_endian_get(bytes, 8);
	n_sectors = little_endian_get(bytes + 8, 8);
	if (n_sectors > WRITE_MAX_BYTES / log->sector_bytes || sector > INT64_MAX / log->sector_bytes)
		return error_set(err, -EBADMSG, "write %llu of the log is damaged", (unsigned long long)log->index);
	*ret_entry = (struct write_log_entry){
		.index = log->index, .offset = sector * log->sector_bytes,
		.size = n_sectors * log->sector_bytes, .flags = little_endian_get(bytes + 16, 8),
		.data_at = log->at + log->sector_bytes,
	};
	log->index++;
	log->at = ret_entry->data_at + (ret_entry->flags & WRITE_LOG_DISCARD ? 0 : ret_entry->size);
	return 1;
}

int write_log_apply(const struct write_log *log, const struct write_log_entry *entry, int disk,
		    struct error *err)
{
	unsigned char bytes[65536];
	uint64_t done = 0;

	if (entry->flags & WRITE_LOG_DISCARD)
		return 0;
	while (done < entry->size) {
		size_t size = entry->size - done < sizeof(bytes) ? (size_t)(entry->size - done) : sizeof(bytes);

		if (!read_at(log->fd, bytes, size, entry->data_at + done))
			return error_set(err, -EBADMSG, "the log of writes ends within its write %llu",
					 (unsigned long long)entry->index);
		if (pwrite(disk, bytes, size, (off_t)(entry->offset + done)) != (ssize_t)size)
			return error_set_errno(err, errno ? -errno : -EIO, "cannot write to the disk");
		done += size;
	}
	return 0;
}
