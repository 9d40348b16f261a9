// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot watch`: when it decides to cut the power, and the program itself against a
 * machine that is a script: silent, coming back, never coming back, a command that fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/cli/watch_host.h"
#include "orchestrator/tests/programs.h"

#define STATUS(id, status, silent)                                                       \
	"{\"id\": " #id ", \"status\": \"" status "\", \"last\": \"boot 2 of 3 (child)\", " \
	"\"watch\": {\"may_be_silent\": " #silent ", \"silence_s\": 1, \"ask_again_s\": 1}}"

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

/* DIRECTORY/NAME: a shell script that stands for a machine, or for a power switch. */
static char *script(const char *directory, const char *name, const char *body)
{
	_cleanup_free_ char *text = text_format("#!/bin/sh\ncd %s || exit 9\n%s\n", directory, body);
	char *path = path_join(directory, name);

	assert_int_equal(file_write_durable(path, text, strlen(text), 0755, NULL), 0);
	return path;
}

static size_t lines_of(const char *directory, const char *name)
{
	_cleanup_free_ char *path = path_join(directory, name), *text = NULL;
	size_t n = 0;

	if (file_read(path, 65536, &text, NULL, NULL) < 0)
		return 0;
	for (const char *at = text; *at; at++)
		n += *at == '\n';
	return n;
}

/* Runs the program against @machine; the power switch is @power. */
static struct program_output watch_machine(const char *directory, const char *machine,
					   const char *power, const char *extra)
{
	_cleanup_free_ char *connect = script(directory, "machine", machine);
	_cleanup_free_ char *cut = script(directory, "power", power);

	return RUN(directory, programs_path("abbot"), "watch", "--connect-command", connect, "--every",
		   "1s", "--pause", "1s", "--at-most", "2", "--until-idle", extra ? extra : "--every=1s",
		   "box", "--", cut, "-x");
}

/* Hangs in its hop after the first look; the power switch brings it back, idle. */
#define HANGS                                                                                  \
	"test \"$1\" = box || exit 9; if test -e cut; then echo '" STATUS(1, "failed", false) \
	"'; elif test -e seen; then exit 255; else touch seen; echo '" STATUS(1, "running", true) "'; fi"

static void test_comes_back(void **state)
{
	const char *directory = *state;
	struct program_output output = watch_machine(directory, HANGS, "echo \"$@\" >>cut", NULL);

	assert_int_equal(output.exit_status, 0);
	assert_int_equal(lines_of(directory, "cut"), 1);
	assert_non_null(strstr(output.error_output, "box: cutting its power, 1 of at most 2 times: "));
	assert_non_null(strstr(output.error_output, "/power -x\n"));
	program_output_done(&output);
}

static void test_never_comes_back(void **state)
{
	const char *directory = *state;
	struct program_output output = watch_machine(directory, HANGS, "echo >>tried", NULL);

	assert_int_equal(output.exit_status, 1);
	assert_int_equal(lines_of(directory, "tried"), 2);
	assert_non_null(strstr(output.error_output, "still silent after 2 power cycles"));
	program_output_done(&output);
}

static void test_command_fails(void **state)
{
	const char *directory = *state;
	struct program_output output =
		watch_machine(directory, HANGS, "echo >>tried; echo no such outlet >&2; exit 4", NULL);

	assert_int_equal(output.exit_status, 1);
	assert_int_equal(lines_of(directory, "tried"), 2);
	assert_non_null(strstr(output.error_output, "box: the command failed: "));
	assert_non_null(strstr(output.error_output, "no such outlet"));
	program_output_done(&output);
}

static void test_dry_run(void **state)
{
	const char *directory = *state;
	struct program_output output = watch_machine(directory, HANGS, "echo >>tried", "--dry-run");

	assert_int_equal(output.exit_status, 1);
	assert_int_equal(lines_of(directory, "tried"), 0);
	assert_null(strstr(output.error_output, "cutting"));
	assert_non_null(strstr(output.error_output, "box: would run: "));
	program_output_done(&output);
}

/* Idle, then silent for longer than any silence allowed, then idle again with no job at all. */
static void test_idle_machine_is_left_alone(void **state)
{
	const char *directory = *state;
	struct program_output output = watch_machine(
		directory,
		"echo >>looks; case $(wc -l <looks) in 1 | 2 | 3) exit 255 ;; esac; "
		"echo 'abbot: there is no job' >&2; exit 2",
		"touch cut", NULL);
	_cleanup_free_ char *cut = path_join(directory, "cut");

	assert_int_equal(output.exit_status, 0);
	assert_false(file_exists(cut));
	assert_non_null(strstr(output.error_output, "box: abbot: there is no job"));
	program_output_done(&output);
}

static void refused(const char *words, const char *const *argv)
{
	struct program_output output = programs_run(NULL, argv);

	assert_int_equal(output.exit_status, 2);
	if (!strstr(output.error_output, words))
		fail_msg("\"%s\" is not in %s", words, output.error_output);
	program_output_done(&output);
}

#define REFUSED(words, ...) \
	refused(words, (const char *const[]){ programs_path("abbot"), "watch", __VA_ARGS__, NULL })

static void test_bad_input(void **state)
{
	(void)state;
	REFUSED("watch which machine?", "--dry-run");
	REFUSED("what is to be run when box is silent?", "box");
	REFUSED("\"-oProxyCommand=x\" is not the name of a machine", "--dry-run", "--", "-oProxyCommand=x");
	REFUSED("--at-most: \"0\" is no number from 1 to 100", "--at-most", "0", "box", "--", "true");
	REFUSED("--every: \"0s\" is no duration", "--every", "0s", "box", "--", "true");
	REFUSED("--silence: \"soon\" is no duration", "--silence", "soon", "box", "--", "true");
	REFUSED("no such program", "--connect-command", "/nonexistent/ask", "box", "--", "true");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_silent_in_a_hop),
		cmocka_unit_test(test_never_when_not_expected),
		cmocka_unit_test(test_silence_begins_with_a_look),
		cmocka_unit_test(test_runs_are_counted_for_each_job),
		cmocka_unit_test(test_parse),
		cmocka_unit_test_setup_teardown(test_comes_back, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_never_comes_back, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_command_fails, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_dry_run, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_idle_machine_is_left_alone, temporary_setup, temporary_teardown),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
