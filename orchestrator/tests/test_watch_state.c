// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When `abbot watch` decides to cut the power, and what it takes for an answer. The program
 * itself is in test_watch.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "orchestrator/cli/watch_host.h"

static const struct watch_policy policy = { .at_most = 2 };
static const struct watch_answer hopping = { .job = 7, .may_be_silent = true, .silence_s = 100 };

static void test_silent_in_a_hop(void **state)
{
	struct watch_state watch = { 0 };

	(void)state;
	watch_heard(&watch, &hopping);
	assert_int_equal(watch_not_heard(&watch, &policy, 1000000), WATCH_WAIT);
	assert_int_equal(watch_not_heard(&watch, &policy, 1099999), WATCH_WAIT);
	assert_int_equal(watch_not_heard(&watch, &policy, 1100000), WATCH_CYCLE);
	watch_cycled(&watch, 1101000);
	/* It has as long again to boot. */
	assert_int_equal(watch_not_heard(&watch, &policy, 1200999), WATCH_WAIT);
	assert_int_equal(watch_not_heard(&watch, &policy, 1201000), WATCH_CYCLE);
	watch_cycled(&watch, 1202000);
	assert_int_equal(watch_not_heard(&watch, &policy, 1302000), WATCH_GIVE_UP);
}

static void test_never_when_not_expected(void **state)
{
	static const struct watch_answer idle = { .job = 7, .silence_s = 100 };
	struct watch_state never_reached = { 0 }, watch = { 0 };

	(void)state;
	assert_int_equal(watch_not_heard(&never_reached, &policy, 1), WATCH_WAIT);
	assert_int_equal(watch_not_heard(&never_reached, &policy, INT64_MAX / 2), WATCH_WAIT);
	watch_heard(&watch, &hopping);
	watch_heard(&watch, &idle);
	assert_int_equal(watch_not_heard(&watch, &policy, 1), WATCH_WAIT);
	assert_int_equal(watch_not_heard(&watch, &policy, INT64_MAX / 2), WATCH_WAIT);
}

/* A look may be long after the one before; that time was not silence. */
static void test_silence_begins_with_a_look(void **state)
{
	struct watch_state watch = { 0 };

	(void)state;
	watch_heard(&watch, &hopping);
	assert_int_equal(watch_not_heard(&watch, &policy, 3600000), WATCH_WAIT);
	assert_int_equal(watch_not_heard(&watch, &policy, 3650000), WATCH_WAIT);
	watch_heard(&watch, &hopping);
	assert_int_equal(watch_not_heard(&watch, &policy, 3720000), WATCH_WAIT);
}

static void test_runs_are_counted_for_each_job(void **state)
{
	const struct watch_policy long_pause = { .at_most = 1, .silence_s = 10, .pause_s = 1000 };
	struct watch_answer other = hopping;
	struct watch_state watch = { 0 };

	(void)state;
	watch_heard(&watch, &hopping);
	(void)watch_not_heard(&watch, &long_pause, 0);
	assert_int_equal(watch_not_heard(&watch, &long_pause, 10000), WATCH_CYCLE);
	watch_cycled(&watch, 10000);
	/* It came back, and is silent again in the same job: there is no run left. */
	watch_heard(&watch, &hopping);
	(void)watch_not_heard(&watch, &long_pause, 20000);
	assert_int_equal(watch_not_heard(&watch, &long_pause, 30000), WATCH_GIVE_UP);
	other.job = 8;
	watch_heard(&watch, &other);
	(void)watch_not_heard(&watch, &long_pause, 40000);
	assert_int_equal(watch_not_heard(&watch, &long_pause, 50000), WATCH_CYCLE);
}

static void test_parse(void **state)
{
	static const char *const bad[] = { "", "{}", "[]", "{\"id\": 1}", "{\"id\": \"1\", \"status\": \"x\", \"watch\": {}}",
					   "{\"id\": 1, \"status\": \"running\", \"watch\": []}", "motd\n{}" };
	static const char good[] = "{\"id\": 3, \"status\": \"running\", \"last\": \"a\\u001b[31m\", \"watch\": "
				   "{\"may_be_silent\": true, \"silence_s\": 1e9, \"ask_again_s\": -5}}";
	struct watch_look look = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(watch_host_parse(bad[i], strlen(bad[i]), &look));
	assert_true(watch_host_parse(good, strlen(good), &look));
	assert_int_equal(look.answer.job, 3);
	assert_true(look.answer.may_be_silent);
	assert_int_equal(look.answer.silence_s, 0); /* no integer: nothing that it says */
	assert_int_equal(look.ask_again_s, 0);
	assert_null(strchr(look.why, '\033'));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_silent_in_a_hop),
		cmocka_unit_test(test_never_when_not_expected),
		cmocka_unit_test(test_silence_begins_with_a_look),
		cmocka_unit_test(test_runs_are_counted_for_each_job),
		cmocka_unit_test(test_parse),
	};

	return cmocka_run_group_tests_name("watch_state", tests, NULL, NULL);
}
