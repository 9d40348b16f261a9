// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How running programs end: time-outs, stragglers, a killed caller; the dropped
 * user; and functions called in a child process.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/tests/temporary.h"
#include "common/text.h"

#define _cleanup_result_ _cleanup_(subprocess_result_done)

static void sleep_ms(long ms)
{
	const struct timespec span = { ms / 1000, ms % 1000 * 1000000 };

	(void)nanosleep(&span, NULL);
}

/* Waits up to 5 s for the process to be gone; a zombie counts as gone. */
static bool process_ends(pid_t pid)
{
	for (int i = 0; i < 500; i++) {
		_cleanup_free_ char *path = text_format("/proc/%d/stat", (int)pid), *stat = NULL;
		const char *paren;

		if (file_read(path, 4096, &stat, NULL, NULL) < 0)
			return true;
		paren = strrchr(stat, ')');
		if (paren && paren[1] == ' ' && paren[2] == 'Z')
			return true;
		sleep_ms(10);
	}
	return false;
}

static pid_t parse_pid(char *text)
{
	int64_t pid;

	assert_int_equal(text_parse_i64(text_strip(text), 2, INT32_MAX, &pid), 0);
	return (pid_t)pid;
}

static void test_timeout_kills_group(void **state)
{
	/* The grandchild ignores SIGTERM and keeps the pipe open. */
	const char *const argv[] = { "sh", "-c",
				     "(trap '' TERM; while :; do sleep 100; done) & echo $!; wait",
				     NULL };
	const struct subprocess_options options = { .argv = argv, .timeout_ms = 200 };
	_cleanup_result_ struct subprocess_result result = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	assert_true(result.timed_out);
	assert_int_equal(result.signal, SIGKILL);
	assert_in_range(result.wall_time_ms, 200, 3000);
	assert_true(process_ends(parse_pid(result.output)));
	assert_int_equal(subprocess_check(&options, &result, &err), -EPROTO);
	assert_non_null(strstr(err.text, "sh did not end within 1 s"));
}

static void test_no_stragglers(void **state)
{
	const char *const argv[] = { "sh", "-c", "sleep 100 & echo $!", NULL };
	const struct subprocess_options options = { .argv = argv };
	_cleanup_result_ struct subprocess_result result = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	assert_int_equal(result.exit_status, 0);
	assert_true(result.wall_time_ms < 3000);
	assert_true(process_ends(parse_pid(result.output)));
}

static void test_killed_caller_leaves_nothing(void **state)
{
	_cleanup_free_ char *path = temporary_path(state, "pid"), *text = NULL;
	_cleanup_free_ char *script =
		text_format("(trap '' TERM; sh -c 'trap \"\" TERM; sleep 100; :' & echo $! >%s.new; "
			    "mv %s.new %s; wait)", path, path, path);
	const char *const argv[] = { "sh", "-c", script, NULL };
	const struct subprocess_options options = { .argv = argv };
	struct subprocess_result result;
	pid_t caller, grandchild;

	caller = fork();
	assert_true(caller >= 0);
	if (caller == 0) {
		(void)subprocess_run(&options, &result, NULL);
		_exit(1);
	}
	for (int i = 0; i < 500 && !file_exists(path); i++)
		sleep_ms(10);
	assert_int_equal(file_read(path, 100, &text, NULL, NULL), 0);
	grandchild = parse_pid(text);
	assert_int_equal(kill(grandchild, 0), 0);
	assert_int_equal(kill(caller, SIGKILL), 0);
	assert_int_equal(waitpid(caller, NULL, 0), caller);
	assert_true(process_ends(grandchild));
}

static void test_change_user(void **state)
{
	const char *const argv[] = {
		"sh", "-c", "id -u; id -g; id -G; sed -n 's/^NoNewPrivs:\\t//p' /proc/self/status; "
			    "read -r pid name state parent group session rest </proc/self/stat; "
			    "echo $((session - pid))", NULL };
	struct subprocess_options options = { .argv = argv, .change_user = true, .uid = 54321, .gid = 54322 };
	_cleanup_result_ struct subprocess_result result = { 0 };
	const gid_t group = 54323;
	struct error err;
	int r;

	(void)state;
	if (geteuid() == 0)
		assert_int_equal(setgroups(1, &group), 0);
	r = subprocess_check(&options, &result, &err);
	if (geteuid() != 0) {
		assert_int_equal(r, -EPERM);
		assert_non_null(strstr(err.text, "cannot change the user of sh"));
		return;
	}
	assert_int_equal(r, 0);
	assert_string_equal(result.output, "54321\n54322\n54322\n1\n0\n");
	options.uid = (uid_t)-1;
	assert_int_equal(subprocess_check(&options, &result, &err), -EINVAL);
}

static int return_object(void *context, json_t **ret_result, struct error *err)
{
	(void)err;
	*ret_result = json_pack("{s:s, s:i}", "text", context, "pid", (int)getpid());
	return *ret_result ? 1 : -ENOMEM;
}

/* In a session of its own, out of the group's reach, its parent dead. */
static void test_no_strays(void **state)
{
	const char *const argv[] = { "sh", "-c",
				     "setsid -f sh -c 'setsid -f sleep 100; echo $$ >&2; sleep 100'; sleep 0.3",
				     NULL };
	struct subprocess_options options = { .argv = argv, .merge_stderr = true, .timeout_ms = 20000,
					      .ends_strays = true };
	_cleanup_result_ struct subprocess_result result = { 0 };
	pid_t other = fork(), pid;
	struct error err;

	(void)state;
	if (other == 0) { /* a child that is none of the program's business */
		sleep_ms(60000);
		_exit(0);
	}
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	pid = parse_pid(result.output);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), 0); /* nobody left but the other */
	assert_int_equal(kill(other, SIGKILL), 0);
	assert_int_equal(waitpid(-1, NULL, 0), other);
	assert_int_equal(waitpid(-1, NULL, 0), -1);
}

/* Forks faster than anybody could list it. */
static void test_strays_that_multiply(void **state)
{
	static const char script[] =
		"f() { while :; do setsid -f sh -c 'sleep 0.01; exec sleep 100' & done; }; "
		"f & setsid -f sleep 50; sleep 0.2; exit 3";
	const char *const argv[] = { "sh", "-c", script, NULL };
	const struct subprocess_options options = { .argv = argv, .timeout_ms = 20000,
						    .ends_strays = true };
	_cleanup_result_ struct subprocess_result result = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	assert_int_equal(result.exit_status, 3);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static int return_big(void *context, json_t **ret_result, struct error *err)
{
	(void)context;
	(void)err;
	*ret_result = json_array();
	for (int i = 0; i < 100000; i++)
		(void)json_array_append_new(*ret_result, json_integer(i));
	return 0;
}

static int return_error(void *context, json_t **ret_result, struct error *err)
{
	(void)ret_result;
	return error_set(err, -ENOTUNIQ, "%s is ambiguous \xff", (const char *)context);
}

static int return_nothing(void *context, json_t **ret_result, struct error *err)
{
	(void)context;
	(void)ret_result;
	(void)err;
	return 0;
}

static int hang(void *context, json_t **ret_result, struct error *err)
{
	(void)context;
	(void)ret_result;
	(void)err;
	sleep_ms(100000);
	return 0;
}

static int die(void *context, json_t **ret_result, struct error *err)
{
	(void)context;
	(void)ret_result;
	(void)err;
	(void)raise(SIGKILL);
	return 0;
}

static void test_call(void **state)
{
	_cleanup_json_ json_t *object = NULL, *big = NULL;
	char context[] = "gr\xc3\xbc\xc3\x9f";
	struct error err;

	(void)state;
	assert_int_equal(subprocess_call(return_object, context, 5000, &object, &err), 1);
	assert_string_equal(json_string_value(json_object_get(object, "text")), context);
	assert_int_not_equal(json_integer_value(json_object_get(object, "pid")), getpid());
	assert_int_equal(subprocess_call(return_big, NULL, 0, &big, &err), 0);
	assert_int_equal(json_array_size(big), 100000);
}

static void test_call_failures(void **state)
{
	char context[] = "v6.1";
	json_t *result = NULL;
	struct error err;

	(void)state;
	assert_int_equal(subprocess_call(return_error, context, 5000, &result, &err), -ENOTUNIQ);
	assert_string_equal(err.text, "v6.1 is ambiguous ?"); /* a sentence is UTF-8 */
	assert_int_equal(subprocess_call(hang, NULL, 100, &result, &err), -ETIMEDOUT);
	assert_int_equal(subprocess_call(die, NULL, 5000, &result, &err), -EIO);
	assert_int_equal(subprocess_call(return_nothing, NULL, 5000, &result, &err), -EINVAL);
	assert_null(result);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_timeout_kills_group),
		TEST(test_no_stragglers),
		TEST(test_killed_caller_leaves_nothing),
		TEST(test_no_strays),
		TEST(test_strays_that_multiply),
		TEST(test_change_user),
		TEST(test_call),
		TEST(test_call_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
