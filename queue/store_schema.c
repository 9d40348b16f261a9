// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The store's tables, triggers and views; making a new file, and judging whether an
 * existing one is ours and whole. Reading and writing events is queue/store.c's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "queue/store_internal.h"

#define HEADER_SIZE 100

static const char magic[16] = "SQLite format 3";

static const char tables_sql[] =
	"CREATE TABLE job("
	" id INTEGER PRIMARY KEY AUTOINCREMENT,"
	" name TEXT NOT NULL,"
	" machine TEXT NOT NULL CHECK(machine IN ('real', 'counted', 'emulated')),"
	" rehearses INTEGER REFERENCES job(id),"
	" submitted_ns INTEGER NOT NULL) STRICT;"
	"CREATE TABLE event("
	" sequence INTEGER PRIMARY KEY AUTOINCREMENT,"
	" job INTEGER NOT NULL REFERENCES job(id),"
	" at_ns INTEGER NOT NULL,"
	" kind TEXT NOT NULL,"
	" phase TEXT NOT NULL CHECK(phase IN ('note', 'intent', 'result')),"
	" point INTEGER, boot INTEGER, attempt INTEGER, process INTEGER,"
	" boot_id TEXT NOT NULL,"
	" data TEXT NOT NULL CHECK(json_valid(data))) STRICT;"
	"CREATE INDEX event_of_job ON event(job, sequence);"
	"CREATE INDEX event_of_boot ON event(job, kind, boot, attempt);";

/*
 * History is only ever added to. REPLACE deletes without asking a delete trigger, so
 * that inserting over an existing row is refused as well.
 */
static const char triggers_sql[] =
	"CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event"
	" BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;"
	"CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event"
	" BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;"
	"CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event"
	" WHEN EXISTS (SELECT 1 FROM event WHERE sequence = NEW.sequence)"
	" BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;"
	"CREATE TRIGGER job_is_never_changed BEFORE UPDATE ON job"
	" BEGIN SELECT RAISE(ABORT, 'job is append-only'); END;"
	"CREATE TRIGGER job_is_never_deleted BEFORE DELETE ON job"
	" BEGIN SELECT RAISE(ABORT, 'job is append-only'); END;"
	"CREATE TRIGGER job_is_never_replaced BEFORE INSERT ON job"
	" WHEN EXISTS (SELECT 1 FROM job WHERE id = NEW.id)"
	" BEGIN SELECT RAISE(ABORT, 'job is append-only'); END;";

/*
 * For people. `boot`: one row an attempt, with what verification said of it. `sample`:
 * one row a process, of the last attempt of each boot, the one that counts. A measure
 * event belongs to the newest hop of its boot before it.
 */
static const char views_sql[] =
	"CREATE VIEW boot(job, boot, attempt, point, hop_at, boot_id, verdict, release,"
	" build_id, expected_build_id, cmdline) AS"
	" SELECT h.job, h.boot, h.attempt, coalesce(h.point, v.point),"
	" datetime(h.at_ns / 1000000000, 'unixepoch'), json_extract(v.data, '$.boot_id'),"
	" json_extract(v.data, '$.verdict'), json_extract(v.data, '$.release'),"
	" json_extract(v.data, '$.build_id'), json_extract(h.data, '$.build_id'),"
	" json_extract(v.data, '$.cmdline')"
	" FROM event h LEFT JOIN event v ON v.sequence = (SELECT max(sequence) FROM event"
	" WHERE job = h.job AND kind = 'verify' AND boot = h.boot AND attempt = h.attempt)"
	" WHERE h.kind = 'hop' AND h.phase = 'intent';"
	"CREATE VIEW sample(job, boot, attempt, point, process, is_warmup, value, status,"
	" workload) AS"
	" SELECT m.job, m.boot, h.attempt, coalesce(m.point, h.point), m.process,"
	" coalesce(json_extract(m.data, '$.is_warmup'),"
	" m.process < json_extract(s.data, '$.job.measure.warmups')),"
	" json_extract(m.data, '$.value'),"
	" CASE WHEN json_extract(m.data, '$.error') IS NULL"
	" THEN json_extract(m.data, '$.status') ELSE 'error' END,"
	" CASE WHEN json_extract(s.data, '$.job.benches') IS NULL"
	" THEN json_extract(s.data, '$.job.job.bench')"
	" ELSE json_extract(m.data, '$.workload') END"
	" FROM event m"
	" JOIN event h ON h.sequence = (SELECT max(sequence) FROM event"
	" WHERE job = m.job AND kind = 'hop' AND phase = 'intent' AND boot = m.boot)"
	" JOIN event s ON s.sequence = (SELECT min(sequence) FROM event"
	" WHERE job = m.job AND kind = 'submitted')"
	" WHERE m.kind = 'measure' AND m.phase = 'result' AND m.sequence > h.sequence"
	" AND NOT EXISTS (SELECT 1 FROM event WHERE job = m.job AND kind = 'measure'"
	" AND boot = m.boot AND phase = 'result' AND process = m.process"
	" AND sequence > m.sequence);";

static int write_new(const char *path, struct error *err)
{
	_cleanup_database_ sqlite3 *db = NULL;
	char identity[128];
	int r;

	r = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, NULL);
	if (r != SQLITE_OK)
		return store_error(db, r, path, err);
	(void)snprintf(identity, sizeof(identity),
		       "PRAGMA application_id = %d; PRAGMA user_version = %d;",
		       STORE_APPLICATION_ID, STORE_SCHEMA_VERSION);
	r = store_execute(db, path, "PRAGMA synchronous = FULL; PRAGMA page_size = 4096;", err);
	if (r == 0)
		r = store_execute(db, path, "BEGIN IMMEDIATE", err);
	if (r == 0)
		r = store_execute(db, path, tables_sql, err);
	if (r == 0)
		r = store_execute(db, path, triggers_sql, err);
	if (r == 0)
		r = store_execute(db, path, views_sql, err);
	if (r == 0)
		r = store_execute(db, path, identity, err);
	if (r == 0)
		r = store_execute(db, path, "COMMIT", err);
	/* The mode is kept in the file; it needs no write-ahead file to be whole. */
	if (r == 0)
		r = store_execute(db, path, "PRAGMA journal_mode = WAL", err);
	return r;
}

static void remove_new(const char *path)
{
	static const char *const suffixes[] = { "", "-journal", "-wal", "-shm" };

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		_cleanup_free_ char *name = text_format("%s%s", path, suffixes[i]);

		(void)unlink(name);
	}
}

int store_schema_create(const char *directory, const char *path, struct error *err)
{
	_cleanup_free_ char *path_new = text_format("%s.new", path);
	_cleanup_close_ int fd = -1;
	int r;

	remove_new(path_new); /* of a creation that a crash cut short */
	fd = open(path_new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (fd < 0)
		return error_set_errno(err, -errno, "cannot create the store %s", path);
	/* SQLite gives its -wal and -shm files the mode of this one. */
	if (fchmod(fd, 0640) < 0)
		r = error_set_errno(err, -errno, "cannot create the store %s", path);
	else
		r = write_new(path_new, err);
	if (r == 0 && fsync(fd) < 0)
		r = error_set_errno(err, -errno, "cannot write the store %s", path);
	if (r == 0 && rename(path_new, path) < 0)
		r = error_set_errno(err, -errno, "cannot create the store %s", path);
	if (r == 0)
		return file_sync_directory(directory, err);
	remove_new(path_new);
	return r;
}

static uint32_t header_u32(const unsigned char *header, size_t offset)
{
	return (uint32_t)header[offset] << 24 | (uint32_t)header[offset + 1] << 16 |
	       (uint32_t)header[offset + 2] << 8 | (uint32_t)header[offset + 3];
}

/* Pages may still wait in the write-ahead file, when the last writer was killed. */
static bool has_wal(const char *path)
{
	_cleanup_free_ char *wal = text_format("%s-wal", path);
	struct stat st;

	return stat(wal, &st) == 0 && st.st_size > 0;
}

/* Offsets are those of the SQLite file format, section 1.3, "The Database Header". */
int store_schema_check_file(const char *path, struct error *err)
{
	unsigned char header[HEADER_SIZE];
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	uint32_t page_size, n_pages, version;

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot open the store %s", path);
	if (fstat(fd, &st) < 0)
		return error_set_errno(err, -errno, "cannot open the store %s", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EINVAL, "the store %s is not a regular file", path);
	if (st.st_size < HEADER_SIZE || pread(fd, header, sizeof(header), 0) != HEADER_SIZE)
		return error_set(err, -EUCLEAN,
				 "the store %s is cut short (%lld bytes), restore it from a copy or move it away",
				 path, (long long)st.st_size);
	if (memcmp(header, magic, sizeof(magic)) != 0 ||
	    header_u32(header, 68) != STORE_APPLICATION_ID)
		return error_set(err, -EMEDIUMTYPE,
				 "%s is not a store of Abbot, name another state directory", path);
	version = header_u32(header, 60);
	if (version != STORE_SCHEMA_VERSION)
		return error_set(err, -EPROTONOSUPPORT,
				 "the store %s has schema version %u and this Abbot knows only %d, use the Abbot that wrote it",
				 path, version, STORE_SCHEMA_VERSION);
	page_size = (uint32_t)header[16] << 8 | header[17];
	if (page_size == 1)
		page_size = 65536;
	n_pages = header_u32(header, 28);
	if (!has_wal(path) && st.st_size < (off_t)page_size * n_pages)
		return error_set(err, -EUCLEAN,
				 "the store %s is cut short (%lld bytes of %lld), restore it from a copy or move it away",
				 path, (long long)st.st_size, (long long)page_size * n_pages);
	return 0;
}
