// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The store on real files: what goes in comes out, one opener at a time, nothing
 * acknowledged is lost to SIGKILL, history cannot be changed, views for people.
 */
#include "queue/tests/store_fixture.h"

static void a_new_store_is_private(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *wal = text_format("%s-wal", place->file);
	struct store *store = open_store(place->directory);
	struct stat st;

	assert_int_equal(stat(place->directory, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0751);
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
	assert_int_equal(store_add_job(store, &job, STORE_MACHINE_COUNTED, 99, 1, &rehearsal, &err), -ENOENT);
	assert_int_equal(rehearsal, -5);
	assert_int_equal(store_add_job(store, &job, STORE_MACHINE_COUNTED, id, 1, &rehearsal, &err), 0);
	job_done(&job);
	assert_int_equal(rehearsal, id + 1);
	assert_int_equal(count_events(store, id), 1);
	store_close(store);
	assert_answer(place->file, "SELECT machine || ' ' || rehearses FROM job WHERE id = 2",
		      "counted 1");
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
		"REPLACE INTO event SELECT * FROM event WHERE sequence = 1",
		"UPDATE event SET sequence = 100 WHERE sequence = 1",
		"UPDATE job SET name = 'x'",
		"DELETE FROM job",
		"INSERT OR REPLACE INTO job(id, name, machine, submitted_ns) VALUES(1, 'x', 'real', 0)",
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
		" is_warmup || '.' || ifnull(value, 'none') || '.' || status || '.' || workload,"
		" ' ')"
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
	       json_pack("{s:s, s:s, s:s}", "verdict", "expected", "boot_id", "b-0", "cmdline", "ro"));
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
		      "0.2.0.0.1.2.5.ok.mprotect-toggle 0.2.0.1.0.3.5.ok.mprotect-toggle"
		      " 1.2.1.1.0.4.5.unexpected.mprotect-toggle 1.2.1.2.0.none.error.mprotect-toggle");
	assert_answer(place->file,
		      "SELECT group_concat(boot || '.' || attempt || '.' || point || '.' ||"
		      " expected_build_id || '.' || ifnull(verdict, 'none') || '.' || ifnull(boot_id, '-') || ifnull(cmdline, ''),"
		      " ' ') FROM (SELECT * FROM boot WHERE job = 2 ORDER BY boot, attempt)",
		      "0.1.0.aa.none.- 0.2.0.aa.expected.b-0ro 1.1.1.bb.fell-back.- 1.2.1.bb.none.-");
}

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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
