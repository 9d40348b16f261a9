// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The durable truth: one SQLite file (WAL, synchronous=FULL) under the state
 * directory, owned by whoever runs the queue. Tables `job` and append-only
 * `event`; views `boot` and `sample` for people with sqlite3. Calls block on disk.
 */
#pragma once

#include <stdbool.h>

#include "common/error.h"
#include "queue/event.h"
#include "queue/job.h"

#define STORE_FILE_NAME "abbot.sqlite"
#define STORE_LOCK_NAME "lock"
#define STORE_SCHEMA_VERSION 1

struct store;

/* What a job ran on, or will. */
enum store_machine {
	STORE_MACHINE_REAL,
	STORE_MACHINE_COUNTED,  /* "counted": a lab whose clock counts instructions */
	STORE_MACHINE_EMULATED, /* "emulated": a lab whose clock follows real time */
};

struct store_job {
	int64_t id;
	char *name;
	enum store_machine machine;
	bool is_emulated;     /* not real: a record only, never run on this machine */
	int64_t rehearses;    /* the job that a lab run rehearsed, or 0 */
	int64_t submitted_ns;
};

struct store_job_list {
	struct store_job *jobs;
	size_t n_jobs;
};

/*
 * Opens, creating directory (0751: abbot-build must pass through to its
 * object directory, and may list nothing) and file (0640) when @create. Takes an exclusive
 * lock (flock on STATE/lock) held until store_close(): -EBUSY and "another abbotd or
 * abbot uses DIR" when somebody has it. Refused with a sentence: a damaged or
 * truncated file, a schema version from the future, not a database.
 */
int store_open(const char *state_directory, bool create, struct store **ret_store,
	       struct error *err);
void store_close(struct store *store);

/* One transaction: the job row and its `submitted` event. */
int store_add_job(struct store *store, const struct job *job, enum store_machine machine,
		  int64_t rehearses, int64_t now_ns, int64_t *ret_id, struct error *err);

/* The word in the table: "real", "counted", "emulated". */
const char *store_machine_name(enum store_machine machine);

/* Durable when it returns 0. Sets event->sequence. */
int store_append(struct store *store, struct event *event, struct error *err);

/* All jobs, oldest first; the caller's to store_job_list_done(). Blocks on the disk. */
int store_list_jobs(struct store *store, struct store_job_list *ret_list, struct error *err);
void store_job_list_done(struct store_job_list *list);

/* -ENOENT with a sentence when there is no such job. Events in order of sequence. */
int store_load_events(struct store *store, int64_t job, struct event_list *ret_list,
		      struct error *err);

/*
 * Copies all events of job @from_job in another store file (a lab guest's) to job
 * @to_job here, in one transaction, leaving out the kinds for which @keep says false.
 */
int store_import_events(struct store *store, const char *other_file, int64_t from_job,
			int64_t to_job, bool (*keep)(const struct event *event),
			struct error *err);
