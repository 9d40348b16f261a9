// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stores that are cut short, foreign, from the future, damaged, on a full or read-only
 * filesystem: told in a sentence, with nothing touched.
 */
#include <sched.h>
#include <sys/mount.h>

#include "queue/tests/store_fixture.h"

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

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
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
	if (mount("none", top, "none", MS_REMOUNT | MS_RDONLY, NULL) < 0)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_truncated_store_is_refused),
		TEST(a_store_cut_beside_its_wal_is_refused),
		TEST(a_cut_wal_is_a_prefix),
		TEST(foreign_files_are_refused),
		TEST(other_versions_are_refused),
		TEST(damaged_pages_never_crash),
		TEST(a_creation_cut_short_is_begun_again),
		TEST(no_space_and_read_only_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
