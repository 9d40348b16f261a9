// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every write that a disk got, in order, as QEMU's blklogwrites driver and Linux's
 * dm-log-writes keep them: Documentation/admin-guide/device-mapper/log-writes.rst.
 */
#pragma once

#include <stdint.h>

#include "common/error.h"

#define WRITE_LOG_DISCARD 4U /* has no data */

struct write_log {
	int fd;
	uint32_t sector_bytes;
	uint64_t n_entries; /* that are known to be whole */
	uint64_t index;     /* of the next one */
	uint64_t at;        /* where it is in the log */
};

struct write_log_entry {
	uint64_t index;
	uint64_t offset;    /* on the disk, in bytes */
	uint64_t size;      /* in bytes */
	uint64_t flags;
	uint64_t data_at;   /* in the log */
};

/* *ret_log is released by write_log_close(). -EBADMSG: it is no such log. */
int write_log_open(const char *path, struct write_log *ret_log, struct error *err);
void write_log_close(struct write_log *log);

/* 1: *ret_entry; 0: there are no more; -EBADMSG: the log is damaged. */
int write_log_next(struct write_log *log, struct write_log_entry *ret_entry, struct error *err);

/* Writes the entry's data to @disk where they belong. Discards do nothing. */
int write_log_apply(const struct write_log *log, const struct write_log_entry *entry, int disk,
		    struct error *err);
