// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The store's dealings with SQLite: connection settings, statements, and turning its
 * result codes into errno and a sentence.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "queue/store_internal.h"

int store_error(sqlite3 *db, int code, const char *path, struct error *err)
{
	const char *detail = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);

	/* The write-ahead index is made by ftruncate() and fallocate(): a full disk is an I/O error. */
	if ((code & 0xff) == SQLITE_IOERR && db && sqlite3_system_errno(db) == ENOSPC)
		code = SQLITE_FULL;
	switch (code & 0xff) {
	case SQLITE_FULL:
		return error_set(err, -ENOSPC, "no space left for the store %s, nothing was written",
				 path);
	case SQLITE_READONLY:
		return error_set(err, -EROFS, "the store %s cannot be written, it is read-only", path);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err, -EBUSY, "another program keeps the store %s locked", path);
	case SQLITE_CORRUPT:
		return error_set(err, -EUCLEAN,
				 "the store %s is damaged (%s), restore it from a copy or move it away",
				 path, detail);
	case SQLITE_NOTADB:
		return error_set(err, -EMEDIUMTYPE,
				 "%s is not a store of Abbot, name another state directory", path);
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return error_set(err, -EACCES, "cannot open the store %s (%s)", path, detail);
	case SQLITE_NOMEM:
		return error_set(err, -ENOMEM, "out of memory with the store %s", path);
	case SQLITE_TOOBIG:
		return error_set(err, -E2BIG, "an event is too large for the store %s", path);
	case SQLITE_CONSTRAINT:
		return error_set(err, -EINVAL, "the store %s refused a row (%s)", path, detail);
	}
	return error_set(err, -EIO, "the store %s failed (%s)", path, detail);
}

int store_prepare(sqlite3 *db, const char *path, const char *sql, sqlite3_stmt **ret_statement,
		  struct error *err)
{
	int r = sqlite3_prepare_v2(db, sql, -1, ret_statement, NULL);

	return r == SQLITE_OK ? 0 : store_error(db, r, path, err);
}

int store_execute(sqlite3 *db, const char *path, const char *sql, struct error *err)
{
	int r = sqlite3_exec(db, sql, NULL, NULL, NULL);

	return r == SQLITE_OK ? 0 : store_error(db, r, path, err);
}

void store_rollback(sqlite3 *db)
{
	if (!sqlite3_get_autocommit(db))
		(void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
}

/* One word when all is well, else what is wrong, row by row. */
static int quick_check(sqlite3 *db, const char *path, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	const char *text;
	int r;

	r = store_prepare(db, path, "PRAGMA quick_check(1)", &statement, err);
	if (r < 0)
		return r;
	r = sqlite3_step(statement);
	if (r != SQLITE_ROW)
		return store_error(db, r, path, err);
	text = (const char *)sqlite3_column_text(statement, 0);
	if (text && strcmp(text, "ok") == 0)
		return 0;
	return error_set(err, -EUCLEAN,
			 "the store %s is damaged (%.200s), restore it from a copy or move it away",
			 path, text ? text : "no details");
}

/*
 * A daemon that lives in ten megabytes: half a megabyte of page cache, and the
 * write-ahead file is folded back early. (Not trusted_schema = OFF: SQLite 3.40 counts
 * its own JSON functions, which our check and views use, as unsafe.)
 */
static const char settings_sql[] = "PRAGMA cache_size = -512;"
				   "PRAGMA mmap_size = 0;"
				   "PRAGMA temp_store = FILE;"
				   "PRAGMA foreign_keys = ON;"
				   "PRAGMA recursive_triggers = ON;"
				   "PRAGMA synchronous = FULL;"
				   "PRAGMA wal_autocheckpoint = 256;";

static int settle(sqlite3 *db, const char *path, struct error *err)
{
	int r;

	(void)sqlite3_extended_result_codes(db, 1);
	(void)sqlite3_busy_timeout(db, 10000);
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, STORE_EVENT_MAX_BYTES);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	/* A file found damaged is left as it was: closing must not fold the write-ahead file in. */
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (sqlite3_db_readonly(db, "main") == 1)
		return store_error(db, SQLITE_READONLY, path, err);
	r = store_execute(db, path, settings_sql, err);
	if (r == 0)
		r = quick_check(db, path, err);
	if (r == 0)
		(void)sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	return r;
}

int store_connect(const char *path, sqlite3 **ret_db, struct error *err)
{
	_cleanup_database_ sqlite3 *db = NULL;
	int r;

	r = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, NULL);
	if (r != SQLITE_OK)
		return store_error(db, r, path, err);
	r = settle(db, path, err);
	if (r == 0)
		*ret_db = TAKE_PTR(db);
	return r;
}
