// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot watch` against a machine that is a script: silent, coming back, never coming back,
 * a command that fails. When it cuts the power is in test_watch_state.c.
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
#include "orchestrator/tests/programs.h"

#define STATUS(id, status, silent)                                                       \
	"{\"id\": " #id ", \"status\": \"" status "\", \"last\": \"boot 2 of 3 (child)\", " \
	"\"watch\": {\"may_be_silent\": " #silent ", \"silence_s\": 1, \"ask_again_s\": 1}}"

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

/* What `abbot status --json` really prints is understood. */
static void test_real_status(void **state)
{
	const char *directory = *state;
	_cleanup_free_ char *repository = path_join(directory, "linux");
	_cleanup_free_ char *queue = path_join(directory, "queue");
	_cleanup_free_ char *ask = text_format("exec %s --state %s status --json",
					       programs_path("abbot"), queue);
	struct program_output output;

	programs_make_repository(repository);
	output = RUN(repository, programs_path("abbot"), "--state", queue, "queue", "main");
	assert_int_equal(output.exit_status, 0);
	program_output_done(&output);
	output = watch_machine(directory, ask, "touch cut", NULL);
	assert_int_equal(output.exit_status, 0);
	assert_non_null(strstr(output.error_output, "box: job 1, queued: "));
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
		cmocka_unit_test_setup_teardown(test_comes_back, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_never_comes_back, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_command_fails, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_dry_run, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_idle_machine_is_left_alone, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_real_status, temporary_setup, temporary_teardown),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
