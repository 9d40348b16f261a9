// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the store: jobs, and the events of one job. Changes nothing.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/store_internal.h"

const char store_select_events[] =
	"SELECT sequence, job, at_ns, kind, phase, point, boot, attempt, process, boot_id, data"
	" FROM event WHERE job = ?1 ORDER BY sequence";

/* Room for one more item; out of memory ends the process, as everywhere in text.c. */
static void *grow(void *array, size_t n, size_t item_size)
{
	/* Full exactly at powers of two. */
	if (n & (n - 1))
		return array;
	array = reallocarray(array, n ? n * 2 : 1, item_size);
	if (!array)
		abort();
	return array;
}

static const char *column_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? text : "";
}

/* -1 for NULL; a number that no event of ours has is damage. */
static int column_scope(sqlite3_stmt *statement, int column, int *ret_scope)
{
	int64_t value;

	if (sqlite3_column_type(statement, column) == SQLITE_NULL) {
		*ret_scope = -1;
		return 0;
	}
	value = sqlite3_column_int64(statement, column);
	if (value < 0 || value > INT_MAX)
		return -EBADMSG;
	*ret_scope = (int)value;
	return 0;
}

int store_event_from_row(sqlite3_stmt *statement, const char *path, struct event *ret_event,
			 struct error *err)
{
	long long sequence = sqlite3_column_int64(statement, 0);
	const char *kind_text = column_text(statement, 3);
	const char *boot_id = column_text(statement, 9);
	struct event event = { .sequence = sequence };
	enum event_kind kind;
	enum event_phase phase;
	_cleanup_json_ json_t *data = NULL;

	if (event_kind_from_name(kind_text, &kind) < 0 ||
	    event_phase_from_name(column_text(statement, 4), &phase) < 0)
		return error_set(err, -EBADMSG,
				 "event %lld of the store %s has the unknown kind \"%.40s\"", sequence,
				 path, kind_text);
	data = json_loadb(column_text(statement, 10), (size_t)sqlite3_column_bytes(statement, 10),
			  JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_object(data) || strlen(boot_id) >= sizeof(event.boot_id) ||
	    column_scope(statement, 5, &event.point) < 0 ||
	    column_scope(statement, 6, &event.boot) < 0 ||
	    column_scope(statement, 7, &event.attempt) < 0 ||
	    column_scope(statement, 8, &event.process) < 0)
		return error_set(err, -EBADMSG, "event %lld of the store %s is damaged", sequence,
				 path);
	event.job = sqlite3_column_int64(statement, 1);
	event.at_ns = sqlite3_column_int64(statement, 2);
	event.kind = kind;
	event.phase = phase;
	memcpy(event.boot_id, boot_id, strlen(boot_id) + 1);
	event.data = TAKE_PTR(data);
	*ret_event = event;
	return 0;
}

int store_has_job(sqlite3 *db, const char *path, int64_t job, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int r = store_prepare(db, path, "SELECT 1 FROM job WHERE id = ?1", &statement, err);

	if (r < 0)
		return r;
	(void)sqlite3_bind_int64(statement, 1, job);
	r = sqlite3_step(statement);
	if (r == SQLITE_ROW)
		return 1;
	return r == SQLITE_DONE ? 0 : store_error(db, r, path, err);
}

static int load_rows(struct store *store, int64_t job, struct event_list *list,
		     struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int r = store_prepare(store->db, store->path, store_select_events, &statement, err);

	if (r < 0)
		return r;
	(void)sqlite3_bind_int64(statement, 1, job);
	while ((r = sqlite3_step(statement)) == SQLITE_ROW) {
		list->events = grow(list->events, list->n_events, sizeof(*list->events));
		r = store_event_from_row(statement, store->path, &list->events[list->n_events],
					 err);
		if (r < 0)
			return r;
		list->n_events++;
	}
	return r == SQLITE_DONE ? 0 : store_error(store->db, r, store->path, err);
}

int store_load_events(struct store *store, int64_t job, struct event_list *ret_list,
		      struct error *err)
{
	struct event_list list = { 0 };
	int r = store_has_job(store->db, store->path, job, err);

	if (r < 0)
		return r;
	if (r == 0)
		return error_set(err, -ENOENT, "there is no job %lld", (long long)job);
	r = load_rows(store, job, &list, err);
	if (r < 0) {
		event_list_done(&list);
		return r;
	}
	*ret_list = list;
	return 0;
}

void store_job_list_done(struct store_job_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->n_jobs; i++)
		free(list->jobs[i].name);
	free(list->jobs);
	*list = (struct store_job_list){ 0 };
}

const char *store_machine_name(enum store_machine machine)
{
	switch (machine) {
	case STORE_MACHINE_REAL:
		return "real";
	case STORE_MACHINE_COUNTED:
		return "counted";
	case STORE_MACHINE_EMULATED:
		return "emulated";
	}
	return "real";
}

static enum store_machine machine_from_name(const char *name)
{
	for (enum store_machine machine = STORE_MACHINE_REAL; machine < STORE_MACHINE_EMULATED;
	     machine++)
		if (strcmp(name, store_machine_name(machine)) == 0)
			return machine;
	return STORE_MACHINE_EMULATED; /* the table allows no other word */
}

int store_list_jobs(struct store *store, struct store_job_list *ret_list, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	struct store_job_list list = { 0 };
	int r;

	r = store_prepare(store->db, store->path,
			  "SELECT id, name, machine, coalesce(rehearses, 0), submitted_ns"
			  " FROM job ORDER BY id",
			  &statement, err);
	if (r < 0)
		return r;
	while ((r = sqlite3_step(statement)) == SQLITE_ROW) {
		list.jobs = grow(list.jobs, list.n_jobs, sizeof(*list.jobs));
		list.jobs[list.n_jobs++] = (struct store_job){
			.id = sqlite3_column_int64(statement, 0),
			.name = text_duplicate(column_text(statement, 1)),
			.machine = machine_from_name(column_text(statement, 2)),
			.is_emulated = strcmp(column_text(statement, 2), "real") != 0,
			.rehearses = sqlite3_column_int64(statement, 3),
			.submitted_ns = sqlite3_column_int64(statement, 4),
		};
	}
	if (r != SQLITE_DONE) {
		store_job_list_done(&list);
		return store_error(store->db, r, store->path, err);
	}
	*ret_list = list;
	return 0;
}
