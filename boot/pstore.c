// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files named dmesg-*, in both places; a record's time is its file's. What could not be
 * decompressed (*.enc.z) is left where it is.
 */
#include "boot/pstore.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"

#define STORE "/sys/fs/pstore"
/* STORE/BOOT/RECORD/dmesg-*, in fewer levels before systemd 249. */
#define ARCHIVE "/var/lib/systemd/pstore"
#define ARCHIVE_DEPTH 3
/*
 * In the store, whose records are removed once they are kept: a clock that was set meanwhile. What systemd
 * moved for an earlier attempt stays, minutes old.
 */
#define CLOCK_SLACK_S 60
#define RECORDS_MAX 256
#define RECORD_MAX_BYTES (1U << 20)

/* "Panic#1 Part2", "Oops#3 Part1". */
static void parse_first_line(struct pstore_record *record)
{
	const char *feed = strchr(record->data, '\n');
	const char *crash = strchr(record->data, '#');
	char *rest;

	if (!feed || !crash || crash > feed)
		return;
	record->crash = strtoul(crash + 1, &rest, 10);
	if (text_has_prefix(rest, " Part"))
		record->part = strtoul(rest + strlen(" Part"), NULL, 10);
}

static int add_record(struct pstore *pstore, const char *path, bool is_in_store, struct error *err)
{
	struct pstore_record record = { .is_in_store = is_in_store };
	struct pstore_record *records;
	int r = file_read_regular(path, RECORD_MAX_BYTES, &record.data, &record.size, err);

	if (r < 0)
		return r;
	records = reallocarray(pstore->records, pstore->n_records + 1, sizeof(*records));
	if (!records) {
		free(record.data);
		return error_set(err, -ENOMEM, "out of memory");
	}
	record.path = text_duplicate(path);
	parse_first_line(&record);
	pstore->records = records;
	records[pstore->n_records++] = record;
	return 0;
}

static bool is_record(const char *name)
{
	return text_has_prefix(name, "dmesg-") && !text_has_suffix(name, ".enc.z");
}

static int look_into(struct pstore *pstore, const char *path, int depth, bool is_in_store,
		     int64_t since_s, struct error *err)
{
	_cleanup_dir_ DIR *directory = opendir(path);
	int r = 0;

	if (!directory && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!directory)
		return error_set_errno(err, -errno, "cannot look into %s", path);
	for (struct dirent *entry; r == 0 && (entry = readdir(directory));) {
		_cleanup_free_ char *inner = path_join(path, entry->d_name);
		struct stat status;

		if (entry->d_name[0] == '.' || pstore->n_records >= RECORDS_MAX ||
		    lstat(inner, &status) < 0)
			continue;
		if (S_ISDIR(status.st_mode) && depth > 0)
			r = look_into(pstore, inner, depth - 1, is_in_store, since_s, err);
		else if (S_ISREG(status.st_mode) && is_record(entry->d_name) &&
			 status.st_mtime >= since_s)
			r = add_record(pstore, inner, is_in_store, err);
	}
	return r;
}

/* Oldest crash first, and in a crash the highest part: it holds the beginning. */
static int compare(const void *a, const void *b)
{
	const struct pstore_record *one = a, *other = b;

	if (one->crash != other->crash)
		return one->crash < other->crash ? -1 : 1;
	if (one->part != other->part)
		return one->part > other->part ? -1 : 1;
	return strcmp(one->path, other->path);
}

int pstore_read(const char *root, int64_t since_s, struct pstore *ret_pstore, struct error *err)
{
	_cleanup_free_ char *store = text_format("%s" STORE, root);
	_cleanup_free_ char *archive = text_format("%s" ARCHIVE, root);
	struct pstore pstore = { 0 };
	int r = look_into(&pstore, store, 0, true, since_s - CLOCK_SLACK_S, err);

	if (r == 0)
		r = look_into(&pstore, archive, ARCHIVE_DEPTH, false, since_s, err);
	if (r < 0) {
		pstore_done(&pstore);
		return r;
	}
	if (pstore.n_records)
		qsort(pstore.records, pstore.n_records, sizeof(*pstore.records), compare);
	*ret_pstore = pstore;
	return 0;
}

void pstore_done(struct pstore *pstore)
{
	for (size_t i = 0; i < pstore->n_records; i++) {
		free(pstore->records[i].path);
		free(pstore->records[i].data);
	}
	free(pstore->records);
	*pstore = (struct pstore){ 0 };
}

void pstore_text(const struct pstore *pstore, struct text_buffer *text)
{
	for (size_t i = 0; i < pstore->n_records; i++) {
		const struct pstore_record *record = &pstore->records[i];

		text_append_bytes(text, record->data, record->size);
		if (!record->size || record->data[record->size - 1] != '\n')
			text_append(text, "\n");
	}
}

int pstore_clear(const struct pstore *pstore, struct error *err)
{
	int r = 0;

	for (size_t i = 0; i < pstore->n_records; i++) {
		const char *path = pstore->records[i].path;

		if (pstore->records[i].is_in_store && unlink(path) < 0 && errno != ENOENT)
			r = error_set_errno(err, -errno, "cannot remove %s, which the next crash may need the room of",
					    path);
	}
	return r;
}
