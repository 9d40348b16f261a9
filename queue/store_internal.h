// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the store's own files share; nobody else includes this.
 */
#pragma once

#include <sqlite3.h>

#include "queue/store.h"

/* "ABBO", so that file(1) and we ourselves can tell this file from other databases. */
#define STORE_APPLICATION_ID 0x4142424f
/* An event is small; this only bounds what a damaged or foreign file can make us read. */
#define STORE_EVENT_MAX_BYTES (16 * 1024 * 1024)

struct store {
	sqlite3 *db;
	int lock_fd;
	char *path;
};

static inline void cleanup_statement(sqlite3_stmt **statement)
{
	(void)sqlite3_finalize(*statement);
}

static inline void cleanup_database(sqlite3 **db)
{
	(void)sqlite3_close(*db);
}

#define _cleanup_statement_ _cleanup_(cleanup_statement)
#define _cleanup_database_ _cleanup_(cleanup_database)

/* The negative errno and the sentence for SQLite's result code @code of @db on @path. */
int store_error(sqlite3 *db, int code, const char *path, struct error *err);

int store_prepare(sqlite3 *db, const char *path, const char *sql, sqlite3_stmt **ret_statement,
		  struct error *err);
int store_execute(sqlite3 *db, const char *path, const char *sql, struct error *err);

/* After a failed statement: ends the transaction if SQLite has not done so itself. */
void store_rollback(sqlite3 *db);

/* Creates the whole database under a temporary name and renames it: all or nothing. */
int store_schema_create(const char *directory, const char *path, struct error *err);

/*
 * Looks at the file itself, before SQLite may touch it: is it ours, whole, and of a
 * schema that we know. Changes nothing.
 */
int store_schema_check_file(const char *path, struct error *err);

/* Opens an existing, checked file; connection settings and quick_check included. */
int store_connect(const char *path, sqlite3 **ret_db, struct error *err);

/* Inserts @event as it is but for its sequence, which is set. No transaction of its own. */
int store_insert_event(sqlite3 *db, const char *path, struct event *event, struct error *err);

/* Selects exactly the columns that store_event_from_row() reads, of job ?1. */
extern const char store_select_events[];
int store_event_from_row(sqlite3_stmt *statement, const char *path, struct event *ret_event,
			 struct error *err);

/* 1 or 0: does the job exist. */
int store_has_job(sqlite3 *db, const char *path, int64_t job, struct error *err);
