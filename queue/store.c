// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening, locking and writing the store. Its tables are queue/store_schema.c's,
 * reading queue/store_read.c's, other stores' events queue/store_import.c's.
 */
#include "queue/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "queue/store_internal.h"

/* The lock is the kernel's and ends with its holder, however that ends. */
static int take_lock(const char *directory, int *ret_fd, struct error *err)
{
	_cleanup_free_ char *path = text_format("%s/%s", directory, STORE_LOCK_NAME);
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot open %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK)
			return error_set(err, -EBUSY, "another abbotd or abbot uses %s", directory);
		return error_set_errno(err, -errno, "cannot lock %s", path);
	}
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/* A store that was there is never silently begun anew. */
static int create_if_absent(const char *directory, const char *path, struct error *err)
{
	_cleanup_free_ char *wal = text_format("%s-wal", path);
	struct stat st;

	if (lstat(path, &st) == 0)
		return 0;
	if (errno != ENOENT)
		return error_set_errno(err, -errno, "cannot open the store %s", path);
	if (lstat(wal, &st) == 0)
		return error_set(err, -EUCLEAN,
				 "%s is there but the store itself is missing, restore it from a copy or move the rest away",
				 wal);
	return store_schema_create(directory, path, err);
}

int store_open(const char *state_directory, bool create, struct store **ret_store,
	       struct error *err)
{
	_cleanup_free_ char *path = text_format("%s/%s", state_directory, STORE_FILE_NAME);
	_cleanup_close_ int lock_fd = -1;
	sqlite3 *db = NULL;
	struct store *store;
	int r;

	if (create) {
		r = file_make_directories(state_directory, 0751, err);
		if (r < 0)
			return r;
	} else if (access(path, F_OK) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return error_set(err, -ENOENT, "there is no store in %s, nothing was queued yet",
					 state_directory);
		return error_set_errno(err, -errno, "cannot open the store %s", path);
	}
	r = take_lock(state_directory, &lock_fd, err);
	if (r == 0 && create)
		r = create_if_absent(state_directory, path, err);
	if (r == 0)
		r = store_schema_check_file(path, err);
	if (r == 0)
		r = store_connect(path, &db, err);
	if (r < 0)
		return r;

	store = calloc(1, sizeof(*store));
	if (!store)
		abort();
	store->db = db;
	store->lock_fd = TAKE_FD(lock_fd);
	store->path = TAKE_PTR(path);
	*ret_store = store;
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	(void)sqlite3_close(store->db);
	cleanup_close(&store->lock_fd);
	free(store->path);
	free(store);
}

static void bind_scope(sqlite3_stmt *statement, int index, int scope)
{
	if (scope < 0)
		(void)sqlite3_bind_null(statement, index);
	else
		(void)sqlite3_bind_int(statement, index, scope);
}

int store_insert_event(sqlite3 *db, const char *path, struct event *event, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	_cleanup_free_ char *data = NULL;
	int r;

	data = json_dumps(event->data, JSON_COMPACT);
	if (!data)
		return error_set(err, -EINVAL, "the %s event cannot be written as JSON",
				 event_kind_name(event->kind));
	r = store_prepare(db, path,
			  "INSERT INTO event(job, at_ns, kind, phase, point, boot, attempt, process,"
			  " boot_id, data) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			  &statement, err);
	if (r < 0)
		return r;
	(void)sqlite3_bind_int64(statement, 1, event->job);
	(void)sqlite3_bind_int64(statement, 2, event->at_ns);
	(void)sqlite3_bind_text(statement, 3, event_kind_name(event->kind), -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(statement, 4, event_phase_name(event->phase), -1, SQLITE_STATIC);
	bind_scope(statement, 5, event->point);
	bind_scope(statement, 6, event->boot);
	bind_scope(statement, 7, event->attempt);
	bind_scope(statement, 8, event->process);
	(void)sqlite3_bind_text(statement, 9, event->boot_id, -1, SQLITE_STATIC);
	/* Too long a text leaves it unbound, NULL, which the table would refuse less clearly. */
	r = sqlite3_bind_text(statement, 10, data, -1, SQLITE_STATIC);
	if (r == SQLITE_OK)
		r = sqlite3_step(statement);
	if (r == SQLITE_CONSTRAINT_FOREIGNKEY)
		return error_set(err, -ENOENT, "there is no job %lld", (long long)event->job);
	if (r != SQLITE_DONE)
		return store_error(db, r, path, err);
	event->sequence = sqlite3_last_insert_rowid(db);
	return 0;
}

int store_append(struct store *store, struct event *event, struct error *err)
{
	int64_t sequence = event->sequence;
	int r = store_execute(store->db, store->path, "BEGIN IMMEDIATE", err);

	if (r == 0)
		r = store_insert_event(store->db, store->path, event, err);
	if (r == 0)
		r = store_execute(store->db, store->path, "COMMIT", err);
	if (r < 0) {
		store_rollback(store->db);
		event->sequence = sequence;
	}
	return r;
}

static int insert_job(struct store *store, const struct job *job, enum store_machine machine,
		      int64_t rehearses, int64_t now_ns, int64_t *ret_id, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int r;

	r = store_prepare(store->db, store->path,
			  "INSERT INTO job(name, machine, rehearses, submitted_ns)"
			  " VALUES(?, ?, ?, ?)",
			  &statement, err);
	if (r < 0)
		return r;
	(void)sqlite3_bind_text(statement, 1, job->name, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(statement, 2, store_machine_name(machine), -1, SQLITE_STATIC);
	if (rehearses > 0)
		(void)sqlite3_bind_int64(statement, 3, rehearses);
	(void)sqlite3_bind_int64(statement, 4, now_ns);
	r = sqlite3_step(statement);
	if (r == SQLITE_CONSTRAINT_FOREIGNKEY)
		return error_set(err, -ENOENT, "there is no job %lld to rehearse",
				 (long long)rehearses);
	if (r != SQLITE_DONE)
		return store_error(store->db, r, store->path, err);
	*ret_id = sqlite3_last_insert_rowid(store->db);
	return 0;
}

int store_add_job(struct store *store, const struct job *job, enum store_machine machine,
		  int64_t rehearses, int64_t now_ns, int64_t *ret_id, struct error *err)
{
	struct event event;
	int64_t id = 0;
	int r;

	r = store_execute(store->db, store->path, "BEGIN IMMEDIATE", err);
	if (r == 0)
		r = insert_job(store, job, machine, rehearses, now_ns, &id, err);
	if (r == 0) {
		event_init(&event, id, EVENT_SUBMITTED, EVENT_NOTE);
		event.at_ns = now_ns;
		json_object_set_new(event.data, "job", job_to_json(job));
		r = store_insert_event(store->db, store->path, &event, err);
		event_done(&event);
	}
	if (r == 0)
		r = store_execute(store->db, store->path, "COMMIT", err);
	if (r < 0) {
		store_rollback(store->db);
		return r;
	}
	*ret_id = id;
	return 0;
}
