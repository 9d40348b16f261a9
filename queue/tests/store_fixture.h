// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the store's tests share: a state directory of their own, jobs and events to put
 * in, a writer to be killed, and a look at the file with plain SQLite.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "queue/store.h"

#define FILE_MAX_BYTES (64 * 1024 * 1024)
#define NOW_NS 1700000000000000000

struct place {
	char *top;       /* removed at the end */
	char *directory; /* the state directory within; does not exist yet */
	char *file;
};

static inline int setup(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	const char *temporary = getenv("TMPDIR");

	place->top = text_format("%s/abbot-store.XXXXXX", temporary ? temporary : "/tmp");
	if (!mkdtemp(place->top))
		return -1;
	place->directory = text_format("%s/a/state", place->top);
	place->file = text_format("%s/" STORE_FILE_NAME, place->directory);
	*state = place;
	return 0;
}

static inline int teardown(void **state)
{
	struct place *place = *state;

	(void)file_remove_tree(place->top, NULL);
	free(place->top);
	free(place->directory);
	free(place->file);
	free(place);
	return 0;
}

static inline struct store *open_store(const char *directory)
{
	struct store *store = NULL;
	struct error err = { .text = "" };

	if (store_open(directory, true, &store, &err) < 0)
		fail_msg("%s", err.text);
	return store;
}

/* The refusal, checked to be one sentence that names the place. */
static inline int open_fails(const char *directory, bool create, struct error *err)
{
	struct store *store = NULL;
	int r;

	err->text[0] = '\0';
	r = store_open(directory, create, &store, err);
	if (r >= 0) {
		store_close(store);
		return 0;
	}
	assert_null(store);
	assert_non_null(strstr(err->text, directory));
	assert_null(strchr(err->text, '\n'));
	return r;
}

static inline int64_t add_job(struct store *store)
{
	struct error err = { .text = "" };
	struct job job;
	int64_t id = 0;

	job_init(&job);
	assert_int_equal(job_add_point(&job, "parent", "a^", &err), 0);
	assert_int_equal(job_add_point(&job, "child", "a", &err), 0);
	job.measure.warmups = 1;
	if (store_add_job(store, &job, false, 0, NOW_NS, &id, &err) < 0)
		fail_msg("%s", err.text);
	job_done(&job);
	return id;
}

static inline void append(struct store *store, int64_t job, enum event_kind kind,
		   enum event_phase phase, int boot, int attempt, int process, json_t *data)
{
	struct error err = { .text = "" };
	struct event event;

	event_init(&event, job, kind, phase);
	event.at_ns = NOW_NS + 1;
	event.boot = boot;
	event.attempt = attempt;
	event.process = process;
	event.point = boot < 0 ? -1 : boot % 2;
	json_decref(event.data);
	event.data = data;
	if (store_append(store, &event, &err) < 0)
		fail_msg("%s", err.text);
	event_done(&event);
}

static inline size_t count_events(struct store *store, int64_t job)
{
	struct event_list list = { 0 };
	struct error err = { .text = "" };
	size_t n;

	if (store_load_events(store, job, &list, &err) < 0)
		fail_msg("%s", err.text);
	n = list.n_events;
	event_list_done(&list);
	return n;
}

static inline void copy(const char *from, const char *to)
{
	struct error err;

	if (file_copy_durable(from, to, 0640, &err) < 0)
		fail_msg("%s", err.text);
}

/* The first column of the first row, as text, or the error message; the caller's. */
static inline char *ask(const char *file, const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *statement = NULL;
	char *answer;

	assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		answer = text_duplicate(sqlite3_errmsg(db));
	else if (sqlite3_step(statement) == SQLITE_ROW)
		answer = text_format("%s", sqlite3_column_text(statement, 0) ?
						   (const char *)sqlite3_column_text(statement, 0) :
						   "NULL");
	else
		answer = text_duplicate(sqlite3_errmsg(db));
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return answer;
}

static inline void assert_answer(const char *file, const char *sql, const char *expected)
{
	_cleanup_free_ char *answer = ask(file, sql);

	if (strcmp(answer, expected) != 0)
		fail_msg("%s: \"%s\", expected \"%s\"", sql, answer, expected);
}

/* The child says over the pipe which appends returned; then it is killed, somewhere. */
static inline int appender(const char *directory, int64_t job, int fd)
{
	struct store *store = NULL;

	if (store_open(directory, false, &store, NULL) < 0)
		return 1;
	for (int i = 0;; i++) {
		struct event event;

		event_init(&event, job, EVENT_MEASURE, EVENT_RESULT);
		event.process = i;
		json_object_set_new(event.data, "i", json_integer(i));
		if (store_append(store, &event, NULL) < 0 || write(fd, &i, sizeof(i)) != sizeof(i))
			return 2;
		event_done(&event);
	}
}

static inline void kill_an_appender(struct place *place, int64_t job, int n_before, int extra_us,
			     int *ret_last)
{
	int pipe_fds[2], i = -1, status;
	pid_t child;

	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
	child = fork();
	if (child == 0)
		_exit(appender(place->directory, job, pipe_fds[1]));
	close(pipe_fds[1]);
	while (i < n_before && read(pipe_fds[0], &i, sizeof(i)) == sizeof(i))
		;
	usleep((useconds_t)extra_us);
	kill(child, SIGKILL);
	while (read(pipe_fds[0], &i, sizeof(i)) == sizeof(i))
		;
	close(pipe_fds[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	*ret_last = i;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
