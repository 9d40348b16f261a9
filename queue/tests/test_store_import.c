// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Importing another store's events: in order, filtered, all or nothing.
 */
#include "queue/tests/store_fixture.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(events_are_imported),
		TEST(an_import_is_all_or_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
