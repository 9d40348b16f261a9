// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events in memory: every kind and phase has a name of its own that leads back to it,
 * and a fresh event applies to nothing.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "queue/event.h"

static void every_kind_has_a_name(void **state)
{
	(void)state;
	for (int i = 0; i < EVENT_KIND_COUNT; i++) {
		const char *name = event_kind_name((enum event_kind)i);
		enum event_kind kind = EVENT_KIND_COUNT;

		assert_non_null(name);
		assert_string_not_equal(name, "unknown");
		assert_int_equal(event_kind_from_name(name, &kind), 0);
		assert_int_equal(kind, i);
	}
	assert_string_equal(event_kind_name(EVENT_SUBMITTED), "submitted");
	assert_string_equal(event_kind_name(EVENT_END), "end");
}

static void every_phase_has_a_name(void **state)
{
	(void)state;
	for (int i = 0; i < EVENT_PHASE_COUNT; i++) {
		enum event_phase phase = EVENT_PHASE_COUNT;

		assert_int_equal(event_phase_from_name(event_phase_name((enum event_phase)i), &phase),
				 0);
		assert_int_equal(phase, i);
	}
}

static void unknown_words_are_refused(void **state)
{
	static const char *const words[] = { "", "hop ", "HOP", "unknown", "ho", NULL };
	enum event_kind kind = EVENT_ARM;
	enum event_phase phase = EVENT_RESULT;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		assert_int_equal(event_kind_from_name(words[i], &kind), -EINVAL);
		assert_int_equal(event_phase_from_name(words[i], &phase), -EINVAL);
	}
	assert_int_equal(kind, EVENT_ARM);
	assert_int_equal(phase, EVENT_RESULT);
	assert_string_equal(event_kind_name(EVENT_KIND_COUNT), "unknown");
	assert_string_equal(event_phase_name(EVENT_PHASE_COUNT), "unknown");
}

static void a_fresh_event_applies_to_nothing(void **state)
{
	struct event event;

	(void)state;
	memset(&event, 0x5a, sizeof(event));
	event_init(&event, 7, EVENT_HOP, EVENT_INTENT);
	assert_int_equal(event.job, 7);
	assert_int_equal(event.kind, EVENT_HOP);
	assert_int_equal(event.phase, EVENT_INTENT);
	assert_int_equal(event.sequence, 0);
	assert_int_equal(event.point, -1);
	assert_int_equal(event.boot, -1);
	assert_int_equal(event.attempt, -1);
	assert_int_equal(event.process, -1);
	assert_string_equal(event.boot_id, "");
	assert_int_equal(json_object_size(event.data), 0);
	event_done(&event);
	event_done(&event);
	event_done(NULL);
	event_list_done(NULL);
}

/* What is read back is what was written, and nothing else is read. */
static void json_there_and_back(void **state)
{
	_cleanup_json_ json_t *json = NULL;
	static const char *const keys[] = { "sequence", "at_ns", "kind", "phase", "point", "boot",
					    "attempt", "process", "boot_id", "data" };
	struct event event, back;
	struct error err = { "" };

	(void)state;
	event_init(&event, 7, EVENT_MEASURE, EVENT_RESULT);
	event.sequence = 3;
	event.at_ns = INT64_C(1700000000123456789);
	event.boot = 2;
	(void)strcpy(event.boot_id, "b");
	(void)json_object_set_new(event.data, "value", json_real(1.5));
	json = event_to_json(&event);
	assert_int_equal(event_from_json(json, 7, &back, &err), 0);
	assert_int_equal(back.job, 7);
	assert_int_equal(back.sequence, 3);
	assert_int_equal(back.at_ns, event.at_ns);
	assert_int_equal(back.kind, EVENT_MEASURE);
	assert_int_equal(back.phase, EVENT_RESULT);
	assert_int_equal(back.point, -1);
	assert_int_equal(back.boot, 2);
	assert_string_equal(back.boot_id, "b");
	assert_true(json_equal(back.data, event.data));
	event_done(&back);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		_cleanup_json_ json_t *without = json_copy(json), *odd = json_copy(json);

		(void)json_object_del(without, keys[i]);
		assert_int_equal(event_from_json(without, 7, &back, &err), -EBADMSG);
		(void)json_object_set_new(odd, keys[i], json_real(1.5));
		assert_int_equal(event_from_json(odd, 7, &back, &err), -EBADMSG);
		(void)json_object_set_new(odd, keys[i], json_integer(INT64_MAX));
		if (i > 1)
			assert_int_equal(event_from_json(odd, 7, &back, &err), -EBADMSG);
	}
	(void)json_object_set_new(json, "more", json_null());
	assert_int_equal(event_from_json(json, 7, &back, &err), -EBADMSG);
	assert_int_equal(event_from_json(NULL, 7, &back, &err), -EBADMSG);
	event_done(&event);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_has_a_name),
		cmocka_unit_test(every_phase_has_a_name),
		cmocka_unit_test(unknown_words_are_refused),
		cmocka_unit_test(a_fresh_event_applies_to_nothing),
		cmocka_unit_test(json_there_and_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
