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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_has_a_name),
		cmocka_unit_test(every_phase_has_a_name),
		cmocka_unit_test(unknown_words_are_refused),
		cmocka_unit_test(a_fresh_event_applies_to_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
