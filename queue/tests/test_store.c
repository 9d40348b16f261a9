// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The store on real files: what goes in comes out, one opener at a time, nothing
 * acknowledged is lost to SIGKILL, history cannot be changed, and damage is told in a
 * sentence with nothing touched.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
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

static int setup(void **state)
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

static int teardown(void **state)
{
	struct place *place = *state;

	(void)file_remove_tree(place->top, NULL);
	free(place->top);
	free(place->directory);
	free(place->file);
	free(place);
	return 0;
}

static struct store *open_store(const char *directory)
{
	struct store *store = NULL;
	struct error err = { .text = "" };

	if (store_open(directory, true, &store, &err) < 0)
		fail_msg("%s", err.text);
	return store;
}

/* The refusal, checked to be one sentence that names the place. */
static int open_fails(const char *directory, bool create, struct error *err)
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

static int64_t add_job(struct store *store)
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

static void append(struct store *store, int64_t job, enum event_kind kind,
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

static size_t count_events(struct store *store, int64_t job)
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

static void copy(const char *from, const char *to)
{
	struct error err;

	if (file_copy_durable(from, to, 0640, &err) < 0)
		fail_msg("%s", err.text);
}

/* The first column of the first row, as text, or the error message; the caller's. */
static char *ask(const char *file, const char *sql)
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

static void assert_answer(const char *file, const char *sql, const char *expected)
{
	_cleanup_free_ char *answer = ask(file, sql);

	if (strcmp(answer, expected) != 0)
		fail_msg("%s: \"%s\", expected \"%s\"", sql, answer, expected);
}

static void a_new_store_is_private(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *wal = text_format("%s-wal", place->file);
	struct store *store = open_store(place->directory);
	struct stat st;

	assert_int_equal(stat(place->directory, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0750);
	assert_int_equal(stat(place->file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	(void)add_job(store);
	assert_int_equal(stat(wal, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	store_close(store);
	assert_answer(place->file, "PRAGMA journal_mode", "wal");
	assert_answer(place->file, "PRAGMA user_version", "1");
	assert_answer(place->file, "PRAGMA application_id", "1094861391");
	store_close(NULL);
}

static void what_goes_in_comes_out(void **state)
{
	struct place *place = *state;
	struct store *store = open_store(place->directory);
	int64_t first = add_job(store), second = add_job(store);
	struct event event;
	struct event_list list;
	struct store_job_list jobs;
	struct job job;
	struct error err = { .text = "" };
	_cleanup_json_ json_t *data = json_pack("{s:f, s:s, s:I, s:[], s:n}", "x", 0.1, "text",
						"\xc3\xa4\"\\\x01", "n", (json_int_t)INT64_MAX, "list",
						"null");

	event_init(&event, second, EVENT_MEASURE, EVENT_RESULT);
	event.at_ns = INT64_MAX;
	event.point = 1;
	event.boot = 2;
	event.attempt = 3;
	event.process = 4;
	strcpy(event.boot_id, "01234567-89ab-cdef-0123-456789abcdef");
	json_object_update(event.data, data);
	assert_int_equal(store_append(store, &event, &err), 0);
	assert_true(event.sequence > 0);
	store_close(store);

	store = open_store(place->directory);
	assert_int_equal(store_load_events(store, second, &list, &err), 0);
	assert_int_equal(list.n_events, 2);
	assert_int_equal(list.events[0].kind, EVENT_SUBMITTED);
	assert_int_equal(list.events[0].phase, EVENT_NOTE);
	assert_int_equal(list.events[0].at_ns, NOW_NS);
	assert_int_equal(list.events[0].point, -1);
	assert_int_equal(list.events[0].process, -1);
	assert_int_equal(job_from_json(json_object_get(list.events[0].data, "job"), &job, &err), 0);
	assert_string_equal(job.points[1].name, "child");
	job_done(&job);
	assert_int_equal(list.events[1].sequence, event.sequence);
	assert_int_equal(list.events[1].job, second);
	assert_int_equal(list.events[1].at_ns, INT64_MAX);
	assert_int_equal(list.events[1].kind, EVENT_MEASURE);
	assert_int_equal(list.events[1].phase, EVENT_RESULT);
	assert_int_equal(list.events[1].point, 1);
	assert_int_equal(list.events[1].boot, 2);
	assert_int_equal(list.events[1].attempt, 3);
	assert_int_equal(list.events[1].process, 4);
	assert_string_equal(list.events[1].boot_id, event.boot_id);
	assert_true(json_equal(list.events[1].data, data));
	event_list_done(&list);
	event_done(&event);

	assert_int_equal(store_list_jobs(store, &jobs, &err), 0);
	assert_int_equal(jobs.n_jobs, 2);
	assert_int_equal(jobs.jobs[0].id, first);
	assert_string_equal(jobs.jobs[1].name, "unnamed");
	assert_int_equal(jobs.jobs[1].submitted_ns, NOW_NS);
	assert_false(jobs.jobs[1].is_emulated);
	assert_int_equal(jobs.jobs[1].rehearses, 0);
	store_job_list_done(&jobs);
	store_close(store);
}

static void unknown_jobs_are_refused(void **state)
{
	struct place *place = *state;
	struct store *store = open_store(place->directory);
	struct event event;
	struct event_list list = { 0 };
	struct error err = { .text = "" };
	struct job job;
	int64_t id = add_job(store), rehearsal = -5;

	assert_int_equal(store_load_events(store, id + 1, &list, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no job 2"));
	event_init(&event, id + 1, EVENT_HOP, EVENT_INTENT);
	assert_int_equal(store_append(store, &event, &err), -ENOENT);
	assert_int_equal(event.sequence, 0);
	event_done(&event);

	job_init(&job);
	assert_int_equal(store_add_job(store, &job, true, 99, 1, &rehearsal, &err), -ENOENT);
	assert_int_equal(rehearsal, -5);
	assert_int_equal(store_add_job(store, &job, true, id, 1, &rehearsal, &err), 0);
	job_done(&job);
	assert_int_equal(rehearsal, id + 1);
	assert_int_equal(count_events(store, id), 1);
	store_close(store);
	assert_answer(place->file, "SELECT is_emulated || ' ' || rehearses FROM job WHERE id = 2",
		      "1 1");
}

static void only_one_at_a_time(void **state)
{
	struct place *place = *state;
	struct store *store = open_store(place->directory);
	struct error err;
	int status;
	pid_t child;

	assert_int_equal(open_fails(place->directory, true, &err), -EBUSY);
	assert_non_null(strstr(err.text, "another abbotd or abbot uses"));
	child = fork();
	if (child == 0)
		_exit(store_open(place->directory, false, &(struct store *){ NULL }, &err) == -EBUSY ?
			      0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	store_close(store);
	store_close(open_store(place->directory));
}

static void nothing_there_is_said(void **state)
{
	struct place *place = *state;
	struct error err;

	assert_int_equal(open_fails(place->directory, false, &err), -ENOENT);
	assert_false(file_exists(place->directory));
	store_close(open_store(place->directory));
	store_close(open_store(place->directory));
}

/* The child says over the pipe which appends returned; then it is killed, somewhere. */
static int appender(const char *directory, int64_t job, int fd)
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

static void kill_an_appender(struct place *place, int64_t job, int n_before, int extra_us,
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

static void acknowledged_events_survive_sigkill(void **state)
{
	struct place *place = *state;

	for (int round = 0; round < 8; round++) {
		struct store *store = open_store(place->directory);
		int64_t job = add_job(store);
		struct event_list list;
		struct error err = { .text = "" };
		int last;

		store_close(store);
		kill_an_appender(place, job, 3 + round, round * 137, &last);
		store = open_store(place->directory);
		assert_int_equal(store_load_events(store, job, &list, &err), 0);
		/* All that were acknowledged, at most one that was not, none twice. */
		assert_in_range(list.n_events, (size_t)last + 2, (size_t)last + 3);
		for (size_t i = 1; i < list.n_events; i++)
			assert_int_equal(list.events[i].process, (int)i - 1);
		event_list_done(&list);
		store_close(store);
	}
}

static void history_cannot_be_changed(void **state)
{
	static const char *const attempts[] = {
		"UPDATE event SET data = '{}'",
		"DELETE FROM event",
		"INSERT OR REPLACE INTO event(sequence, job, at_ns, kind, phase, boot_id, data)"
		" VALUES(1, 1, 0, 'end', 'note', '', '{}')",
		"UPDATE event SET sequence = 100 WHERE sequence = 1",
		"UPDATE job SET name = 'x'",
		"DELETE FROM job",
		"INSERT OR REPLACE INTO job(id, name, is_emulated, submitted_ns) VALUES(1, 'x', 0, 0)",
	};
	struct place *place = *state;
	struct store *store = open_store(place->directory);

	(void)add_job(store);
	store_close(store);
	for (size_t i = 0; i < ARRAY_SIZE(attempts); i++) {
		_cleanup_free_ char *answer = ask(place->file, attempts[i]);

		if (!strstr(answer, "append-only"))
			fail_msg("%s: %s", attempts[i], answer);
	}
	assert_answer(place->file,
		      "SELECT kind || ' ' || (SELECT name FROM job) || ' ' || (SELECT count(*) FROM event)"
		      " FROM event",
		      "submitted unnamed 1");
	assert_answer(place->file,
		      "INSERT INTO event(job, at_ns, kind, phase, boot_id, data)"
		      " VALUES(1, 0, 'end', 'note', '', 'no json')",
		      "CHECK constraint failed: json_valid(data)");
}

static void views_show_boots_and_samples(void **state)
{
	static const char samples[] =
		"SELECT group_concat(boot || '.' || attempt || '.' || point || '.' || process || '.' ||"
		" is_warmup || '.' || ifnull(value, 'none') || '.' || status, ' ')"
		" FROM (SELECT * FROM sample WHERE job = 2 ORDER BY boot, process)";
	struct place *place = *state;
	struct store *store = open_store(place->directory);
	int64_t job;

	(void)add_job(store); /* so that the views must tell two jobs apart */
	append(store, 1, EVENT_HOP, EVENT_INTENT, 0, 1, -1, json_pack("{s:s}", "build_id", "zz"));
	append(store, 1, EVENT_MEASURE, EVENT_RESULT, 0, 1, 0, json_pack("{s:f}", "value", 99.5));
	job = add_job(store);
	/* Boot 0: its first attempt was measured in part, its second counts. */
	append(store, job, EVENT_HOP, EVENT_INTENT, 0, 1, -1, json_pack("{s:s}", "build_id", "aa"));
	append(store, job, EVENT_MEASURE, EVENT_RESULT, 0, 1, 0, json_pack("{s:f, s:s}", "value", 1.5, "status", "ok"));
	append(store, job, EVENT_MEASURE, EVENT_RESULT, 0, 1, 7, json_pack("{s:f, s:s}", "value", 7.5, "status", "ok"));
	append(store, job, EVENT_HOP, EVENT_INTENT, 0, 2, -1, json_pack("{s:s}", "build_id", "aa"));
	append(store, job, EVENT_VERIFY, EVENT_RESULT, 0, 2, -1,
	       json_pack("{s:s, s:s}", "verdict", "expected", "boot_id", "b-0"));
	append(store, job, EVENT_MEASURE, EVENT_INTENT, 0, 2, 0, json_object());
	append(store, job, EVENT_MEASURE, EVENT_RESULT, 0, 2, 0, json_pack("{s:f, s:s}", "value", 2.5, "status", "ok"));
	append(store, job, EVENT_MEASURE, EVENT_RESULT, 0, 2, 1, json_pack("{s:f, s:s}", "value", 3.5, "status", "ok"));
	append(store, job, EVENT_HOP, EVENT_INTENT, 1, 1, -1, json_pack("{s:s}", "build_id", "bb"));
	append(store, job, EVENT_VERIFY, EVENT_RESULT, 1, 1, -1,
	       json_pack("{s:s}", "verdict", "fell-back"));
	append(store, job, EVENT_HOP, EVENT_INTENT, 1, 2, -1, json_pack("{s:s}", "build_id", "bb"));
	append(store, job, EVENT_MEASURE, EVENT_RESULT, 1, 2, 1, json_pack("{s:s}", "error", "timed out"));
	append(store, job, EVENT_MEASURE, EVENT_RESULT, 1, 2, 1, json_pack("{s:f, s:s}", "value", 4.5, "status", "unexpected"));
	append(store, job, EVENT_MEASURE, EVENT_RESULT, 1, 2, 2, json_pack("{s:s}", "error", "gone"));
	store_close(store);
	assert_answer(place->file, samples,
		      "0.2.0.0.1.2.5.ok 0.2.0.1.0.3.5.ok 1.2.1.1.0.4.5.unexpected 1.2.1.2.0.none.error");
	assert_answer(place->file,
		      "SELECT group_concat(boot || '.' || attempt || '.' || point || '.' ||"
		      " expected_build_id || '.' || ifnull(verdict, 'none') || '.' || ifnull(boot_id, '-'),"
		      " ' ') FROM (SELECT * FROM boot WHERE job = 2 ORDER BY boot, attempt)",
		      "0.1.0.aa.none.- 0.2.0.aa.expected.b-0 1.1.1.bb.fell-back.- 1.2.1.bb.none.-");
}

static void assert_unchanged(const char *path, const char *data, size_t size)
{
	_cleanup_free_ char *now = NULL;
	size_t size_now;
	struct error err;

	assert_int_equal(file_read(path, FILE_MAX_BYTES, &now, &size_now, &err), 0);
	assert_int_equal(size_now, size);
	assert_memory_equal(now, data, size);
}

static void a_truncated_store_is_refused(void **state)
{
	static const size_t around[] = { 0, 1, 15, 16, 99, 100, 511, 512 };
	struct place *place = *state;
	struct store *store = open_store(place->directory);
	_cleanup_free_ char *wal = text_format("%s-wal", place->file);
	_cleanup_free_ char *data = NULL;
	size_t size;
	struct error err;
	int64_t job = add_job(store);

	for (int i = 0; i < 200; i++)
		append(store, job, EVENT_MEASURE, EVENT_RESULT, 0, 1, i, json_pack("{s:f}", "value", 1.0 * i));
	store_close(store);
	assert_int_equal(file_read(place->file, FILE_MAX_BYTES, &data, &size, &err), 0);
	assert_true(size > 8 * 4096);
	for (size_t step = 0; step < ARRAY_SIZE(around) + 2 * (size / 4096); step++) {
		size_t length = step < ARRAY_SIZE(around) ? around[step] :
				(step - ARRAY_SIZE(around)) / 2 * 4096 + 4096 - (step % 2);
		int r;

		if (length >= size)
			continue;
		assert_int_equal(file_write_durable(place->file, data, length, 0640, &err), 0);
		r = open_fails(place->directory, true, &err);
		if (r != -EUCLEAN)
			fail_msg("%zu of %zu bytes: %d %s", length, size, r, err.text);
		assert_unchanged(place->file, data, length);
		assert_false(file_exists(wal));
	}
	assert_int_equal(file_write_durable(place->file, data, size, 0640, &err), 0);
	store = open_store(place->directory);
	assert_int_equal(count_events(store, job), 201);
	store_close(store);
}

/* A killed writer leaves a write-ahead file: then either all of it is there or it is refused. */
static void a_store_cut_beside_its_wal_is_refused(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *wal = text_format("%s-wal", place->file);
	_cleanup_free_ char *kept = text_format("%s/kept", place->top);
	_cleanup_free_ char *kept_wal = text_format("%s/kept-wal", place->top);
	struct store *store = open_store(place->directory);
	int64_t job = add_job(store);
	struct stat st;
	size_t n_events;
	int last;

	for (int i = 0; i < 100; i++)
		append(store, job, EVENT_MEASURE, EVENT_RESULT, 0, 1, i, json_object());
	store_close(store);
	kill_an_appender(place, job, 5, 0, &last);
	copy(place->file, kept);
	copy(wal, kept_wal);
	store = open_store(place->directory);
	n_events = count_events(store, job);
	store_close(store);
	assert_int_equal(stat(kept, &st), 0);
	for (off_t length = 0; length <= st.st_size; length += 2048) {
		struct error err = { .text = "" };

		copy(kept, place->file);
		copy(kept_wal, wal);
		assert_int_equal(truncate(place->file, length), 0);
		if (store_open(place->directory, false, &store, &err) < 0) {
			assert_true(err.text[0] && length < st.st_size);
			continue;
		}
		assert_int_equal(count_events(store, job), n_events);
		store_close(store);
	}
}

static void a_cut_wal_is_a_prefix(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *wal = text_format("%s-wal", place->file);
	_cleanup_free_ char *kept = text_format("%s/kept", place->top);
	_cleanup_free_ char *kept_wal = text_format("%s/kept-wal", place->top);
	struct store *store = open_store(place->directory);
	int64_t job = add_job(store);
	size_t before = 1;
	struct stat st;
	int last;

	store_close(store);
	kill_an_appender(place, job, 6, 0, &last);
	copy(place->file, kept);
	copy(wal, kept_wal);
	assert_int_equal(stat(kept_wal, &st), 0);
	for (off_t length = 0; length <= st.st_size; length += st.st_size / 16) {
		size_t n_events;

		copy(kept, place->file);
		copy(kept_wal, wal);
		assert_int_equal(truncate(wal, length), 0);
		store = open_store(place->directory);
		n_events = count_events(store, job);
		assert_true(n_events >= before);
		before = n_events;
		store_close(store);
	}
	assert_true(before >= 7);
}

static void foreign_files_are_refused(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *wal = text_format("%s-wal", place->file);
	char text[8192];
	struct error err;

	memset(text, 'x', sizeof(text));
	assert_int_equal(file_make_directories(place->directory, 0750, &err), 0);
	assert_int_equal(file_write_durable(place->file, text, sizeof(text), 0640, &err), 0);
	assert_int_equal(open_fails(place->directory, true, &err), -EMEDIUMTYPE);
	assert_unchanged(place->file, text, sizeof(text));

	assert_int_equal(unlink(place->file), 0);
	assert_int_equal(file_write_durable(wal, text, sizeof(text), 0640, &err), 0);
	assert_int_equal(open_fails(place->directory, true, &err), -EUCLEAN);
	assert_false(file_exists(place->file));
	assert_int_equal(unlink(wal), 0);

	assert_int_equal(symlink("/dev/null", place->file), 0);
	assert_int_equal(open_fails(place->directory, true, &err), -ELOOP);
	assert_int_equal(unlink(place->file), 0);
	assert_int_equal(mkfifo(place->file, 0600), 0);
	assert_int_equal(open_fails(place->directory, true, &err), -EINVAL);
}

static void other_versions_are_refused(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *data = NULL;
	size_t size;
	struct error err;

	store_close(open_store(place->directory));
	assert_answer(place->file, "PRAGMA user_version = 2", "no more rows available");
	assert_int_equal(file_read(place->file, FILE_MAX_BYTES, &data, &size, &err), 0);
	assert_int_equal(open_fails(place->directory, true, &err), -EPROTONOSUPPORT);
	assert_non_null(strstr(err.text, "version 2"));
	assert_unchanged(place->file, data, size);
	assert_answer(place->file, "PRAGMA user_version = 1", "no more rows available");
	assert_answer(place->file, "PRAGMA application_id = 0", "no more rows available");
	assert_int_equal(open_fails(place->directory, true, &err), -EMEDIUMTYPE);
}

/* One wrong byte in a page: refused, or read as it was; never a crash, never other events. */
static void damaged_pages_never_crash(void **state)
{
	struct place *place = *state;
	struct store *store = open_store(place->directory);
	_cleanup_free_ char *data = NULL;
	size_t size;
	struct error err;
	int64_t job = add_job(store);
	int n_refused = 0;

	for (int i = 0; i < 60; i++)
		append(store, job, EVENT_MEASURE, EVENT_RESULT, 0, 1, i, json_object());
	store_close(store);
	assert_int_equal(file_read(place->file, FILE_MAX_BYTES, &data, &size, &err), 0);
	for (size_t page = 1; page < size / 4096; page++) {
		for (size_t at = 0; at < 12; at++) {
			char *bad = malloc(size);
			struct event_list list = { 0 };

			memcpy(bad, data, size);
			bad[page * 4096 + at] = (char)~bad[page * 4096 + at];
			assert_int_equal(file_write_durable(place->file, bad, size, 0640, &err), 0);
			free(bad);
			if (store_open(place->directory, true, &store, &err) < 0) {
				n_refused++;
				continue;
			}
			(void)store_load_events(store, job, &list, &err);
			event_list_done(&list);
			store_close(store);
		}
	}
	assert_true(n_refused > 0);
}

static void a_creation_cut_short_is_begun_again(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *half = text_format("%s.new", place->file);
	struct error err;

	assert_int_equal(file_make_directories(place->directory, 0750, &err), 0);
	assert_int_equal(file_write_durable(half, "half", 4, 0600, &err), 0);
	store_close(open_store(place->directory));
	assert_false(file_exists(half));
}

/* In a mount namespace of its own, if that is allowed here: a full, then a read-only filesystem. */
static int on_a_full_filesystem(const char *top)
{
	_cleanup_free_ char *directory = text_format("%s/s", top);
	struct store *store = NULL;
	struct event event;
	struct error err = { .text = "" };
	struct event_list list = { 0 };
	int64_t job;
	size_t n = 0;
	int r;

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", top, "tmpfs", 0, "size=512k") < 0)
		return 77;
	store = open_store(directory);
	job = add_job(store);
	event_init(&event, job, EVENT_BUILD, EVENT_RESULT);
	json_object_set_new(event.data, "log", json_sprintf("%020000d", 7));
	while ((r = store_append(store, &event, &err)) == 0 && n < 1000)
		n++;
	event_done(&event);
	if (r != -ENOSPC || !strstr(err.text, "no space"))
		return 1;
	if (store_load_events(store, job, &list, &err) < 0 || list.n_events != n + 1)
		return 2;
	event_list_done(&list);
	store_close(store);
	if (mount(NULL, top, NULL, MS_REMOUNT | MS_RDONLY, NULL) < 0)
		return 77;
	return store_open(directory, false, &store, &err) == -EROFS ? 0 : 3;
}

static void no_space_and_read_only_are_said(void **state)
{
	struct place *place = *state;
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(on_a_full_filesystem(place->top));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool keep_all_but_submitted(const struct event *event)
{
	return event->kind != EVENT_SUBMITTED;
}

static void events_are_imported(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *guest_directory = text_format("%s/guest", place->top);
	_cleanup_free_ char *guest_file = text_format("%s/" STORE_FILE_NAME, guest_directory);
	struct store *guest = open_store(guest_directory);
	struct store *store = open_store(place->directory);
	struct event_list list;
	struct error err = { .text = "" };
	int64_t other = add_job(guest), from = add_job(guest), to;

	append(guest, from, EVENT_HOP, EVENT_INTENT, 1, 2, -1, json_pack("{s:s}", "token", "t"));
	append(guest, other, EVENT_PAUSE, EVENT_NOTE, -1, -1, -1, json_object());
	append(guest, from, EVENT_END, EVENT_NOTE, -1, -1, -1, json_object());
	store_close(guest);
	(void)add_job(store);
	(void)add_job(store);
	to = add_job(store);
	assert_int_equal(store_import_events(store, guest_file, from, to, keep_all_but_submitted,
					     &err), 0);
	assert_int_equal(store_load_events(store, to, &list, &err), 0);
	assert_int_equal(list.n_events, 3);
	assert_int_equal(list.events[1].kind, EVENT_HOP);
	assert_int_equal(list.events[1].job, to);
	assert_int_equal(list.events[1].boot, 1);
	assert_int_equal(list.events[1].attempt, 2);
	assert_int_equal(list.events[1].at_ns, NOW_NS + 1);
	assert_string_equal(json_string_value(json_object_get(list.events[1].data, "token")), "t");
	assert_int_equal(list.events[2].kind, EVENT_END);
	event_list_done(&list);

	assert_int_equal(store_import_events(store, guest_file, 9, to, NULL, &err), -ENOENT);
	assert_int_equal(store_import_events(store, guest_file, from, 9, NULL, &err), -ENOENT);
	assert_int_equal(store_import_events(store, "/dev/null", from, to, NULL, &err), -EINVAL);
	assert_int_equal(truncate(guest_file, 4096), 0);
	assert_int_equal(store_import_events(store, guest_file, from, to, NULL, &err), -EUCLEAN);
	assert_int_equal(count_events(store, to), 3);
	store_close(store);
}

static void an_import_is_all_or_nothing(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *guest_directory = text_format("%s/guest", place->top);
	_cleanup_free_ char *guest_file = text_format("%s/" STORE_FILE_NAME, guest_directory);
	struct store *guest = open_store(guest_directory);
	struct store *store = open_store(place->directory);
	struct error err = { .text = "" };
	int64_t from = add_job(guest), to = add_job(store);

	store_close(guest);
	assert_answer(guest_file,
		      "INSERT INTO event(job, at_ns, kind, phase, boot_id, data)"
		      " VALUES(1, 0, 'teleport', 'note', '', '{}')",
		      "no more rows available");
	assert_int_equal(store_import_events(store, guest_file, from, to, NULL, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "teleport"));
	assert_int_equal(count_events(store, to), 1);
	/* And the store still works. */
	append(store, to, EVENT_PAUSE, EVENT_NOTE, -1, -1, -1, json_object());
	assert_int_equal(count_events(store, to), 2);
	store_close(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_new_store_is_private),
		TEST(what_goes_in_comes_out),
		TEST(unknown_jobs_are_refused),
		TEST(only_one_at_a_time),
		TEST(nothing_there_is_said),
		TEST(acknowledged_events_survive_sigkill),
		TEST(history_cannot_be_changed),
		TEST(views_show_boots_and_samples),
		TEST(a_truncated_store_is_refused),
		TEST(a_store_cut_beside_its_wal_is_refused),
		TEST(a_cut_wal_is_a_prefix),
		TEST(foreign_files_are_refused),
		TEST(other_versions_are_refused),
		TEST(damaged_pages_never_crash),
		TEST(a_creation_cut_short_is_begun_again),
		TEST(no_space_and_read_only_are_said),
		TEST(events_are_imported),
		TEST(an_import_is_all_or_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
