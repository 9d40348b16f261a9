// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copying the events of a job out of another store file, a lab guest's, into this
 * one. The other file is not trusted: it is checked like our own and every event is
 * read and written anew.
 */
#include <errno.h>

#include "common/cleanup.h"
#include "queue/store_internal.h"

static int copy_rows(struct store *store, sqlite3 *other, const char *other_file,
		     int64_t from_job, int64_t to_job, bool (*keep)(const struct event *event),
		     struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int r = store_prepare(other, other_file, store_select_events, &statement, err);

	if (r < 0)
		return r;
	(void)sqlite3_bind_int64(statement, 1, from_job);
	while ((r = sqlite3_step(statement)) == SQLITE_ROW) {
		struct event event;

		r = store_event_from_row(statement, other_file, &event, err);
		if (r < 0)
			return r;
		event.job = to_job;
		r = 0;
		if (!keep || keep(&event))
			r = store_insert_event(store->db, store->path, &event, err);
		event_done(&event);
		if (r < 0)
			return r;
	}
	return r == SQLITE_DONE ? 0 : store_error(other, r, other_file, err);
}

static int require_job(sqlite3 *db, const char *path, int64_t job, struct error *err)
{
	int r = store_has_job(db, path, job, err);

	if (r == 0)
		return error_set(err, -ENOENT, "there is no job %lld in %s", (long long)job, path);
	return r < 0 ? r : 0;
}

int store_import_events(struct store *store, const char *other_file, int64_t from_job,
			int64_t to_job, bool (*keep)(const struct event *event),
			struct error *err)
{
	_cleanup_database_ sqlite3 *other = NULL;
	int r;

	r = store_schema_check_file(other_file, err);
	if (r == 0)
		r = store_connect(other_file, &other, err);
	if (r == 0)
		r = require_job(other, other_file, from_job, err);
	if (r == 0)
		r = require_job(store->db, store->path, to_job, err);
	if (r < 0)
		return r;
	r = store_execute(store->db, store->path, "BEGIN IMMEDIATE", err);
	if (r == 0)
		r = copy_rows(store, other, other_file, from_job, to_job, keep, err);
	if (r == 0)
		r = store_execute(store->db, store->path, "COMMIT", err);
	if (r < 0)
		store_rollback(store->db);
	return r;
}
