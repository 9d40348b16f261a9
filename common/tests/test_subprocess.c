// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Real programs: output, status, limits, time-outs, users, and that nothing
 * survives a time-out or a killed caller.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/tests/temporary.h"
#include "common/text.h"

#define _cleanup_result_ _cleanup_(subprocess_result_done)

static struct subprocess_options shell(const char *const argv[4])
{
	return (struct subprocess_options){ .argv = argv };
}
#define SHELL(script) shell((const char *const[4]){ "sh", "-c", script, NULL })

static void test_output_and_status(void **state)
{
	struct subprocess_options options = SHELL("echo out; echo err >&2; exit 3");
	_cleanup_result_ struct subprocess_result apart = { 0 }, merged = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(subprocess_run(&options, &apart, &err), 0);
	assert_string_equal(apart.output, "out\n");
	assert_int_equal(apart.output_size, 4);
	assert_string_equal(apart.error_output, "err\n");
	assert_int_equal(apart.exit_status, 3);
	assert_int_equal(apart.signal, 0);
	assert_false(apart.timed_out);
	options.merge_stderr = true;
	assert_int_equal(subprocess_run(&options, &merged, &err), 0);
	assert_string_equal(merged.output, "out\nerr\n");
	assert_string_equal(merged.error_output, "");
}

static void test_signal(void **state)
{
	struct subprocess_options options = SHELL("kill -SEGV $$");
	_cleanup_result_ struct subprocess_result result = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	assert_int_equal(result.exit_status, -1);
	assert_int_equal(result.signal, SIGSEGV);
	assert_int_equal(subprocess_check(&options, &result, &err), -EPROTO);
	assert_non_null(strstr(err.text, "signal 11"));
}

static void test_cannot_start(void **state)
{
	const char *const argv[] = { "abbot-no-such-program", NULL };
	struct subprocess_options options = { .argv = argv };
	struct subprocess_result result = { .exit_status = 77 };
	struct error err;

	(void)state;
	assert_int_equal(subprocess_run(&options, &result, &err), -ENOENT);
	assert_string_equal(err.text,
			    "cannot start abbot-no-such-program: no such program; install it");
	options = SHELL("true");
	options.directory = "/nonexistent";
	assert_int_equal(subprocess_run(&options, &result, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent"));
	options.directory = NULL;
	options.input_path = "/nonexistent";
	assert_int_equal(subprocess_run(&options, &result, &err), -ENOENT);
	options.input_path = NULL;
	options.pin_cpu = true;
	options.cpu = 1000000;
	assert_int_equal(subprocess_run(&options, &result, &err), -EINVAL);
	assert_int_equal(result.exit_status, 77);
}

static void test_check_sentence(void **state)
{
	struct subprocess_options options =
		SHELL("echo first >&2; printf 'last words\\n\\n' >&2; exit 2");
	struct subprocess_result result = { .exit_status = 77 };
	_cleanup_free_ char *path = temporary_path(state, "log"), *log = NULL;
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct error err;

	assert_int_equal(subprocess_check(&options, &result, &err), -EPROTO);
	assert_string_equal(err.text, "sh failed with exit status 2: last words");
	assert_int_equal(result.exit_status, 77);
	assert_true(fd > 0);
	options.output_fd = fd;
	assert_int_equal(subprocess_check(&options, &result, &err), -EPROTO);
	assert_string_equal(err.text, "sh failed with exit status 2: last words");
	assert_int_equal(file_read(path, 1000, &log, NULL, &err), 0);
	assert_string_equal(log, "first\nlast words\n\n");
}

static void test_output_limit(void **state)
{
	struct subprocess_options options = SHELL("yes x | head -c 3000000; echo done >&2");
	_cleanup_result_ struct subprocess_result result = { 0 }, small = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	assert_int_equal(result.output_size, 1 << 20);
	assert_int_equal(strlen(result.output), 1 << 20);
	assert_string_equal(result.error_output, "done\n");
	options.max_output_bytes = 5;
	assert_int_equal(subprocess_run(&options, &small, &err), 0);
	assert_string_equal(small.output, "x\nx\nx");
}

static void test_environment_directory_input(void **state)
{
	static const char *const environment[] = { "ONLY=this", NULL };
	const char *const argv[] = { "sh", "-c", "echo $ONLY $HOME; pwd; cat", NULL };
	_cleanup_free_ char *path = temporary_path(state, "input"), *expected = NULL;
	struct subprocess_options options = {
		.argv = argv,
		.environment = environment,
		.directory = *state,
		.input_path = path,
	};
	_cleanup_result_ struct subprocess_result result = { 0 };
	struct error err;

	assert_int_equal(file_write_durable(path, "input", 5, 0600, &err), 0);
	assert_int_equal(subprocess_check(&options, &result, &err), 0);
	expected = text_format("this\n%s\ninput", (const char *)*state);
	assert_string_equal(result.output, expected);
}

static void test_no_descriptor_leaks(void **state)
{
	struct subprocess_options options = SHELL("ls /proc/$$/fd");
	_cleanup_result_ struct subprocess_result result = { 0 };
	_cleanup_close_ int leaky = -1;
	struct error err;

	(void)state;
	leaky = open("/dev/null", O_RDONLY); /* on purpose without O_CLOEXEC */
	assert_true(leaky >= 0);
	assert_int_equal(subprocess_check(&options, &result, &err), 0);
	assert_string_equal(result.output, "0\n1\n2\n");
}

static void test_signals_are_default(void **state)
{
	/* Not through a shell, which would clear its mask itself. */
	const char *const argv[] = { "sed", "-n", "s/^Sig\\(Blk\\|Ign\\):\\t*//p",
				     "/proc/self/status", NULL };
	const struct subprocess_options options = { .argv = argv };
	_cleanup_result_ struct subprocess_result result = { 0 };
	/* The C library's own, 32 and 33: posix_spawn(), and so make, leaves them ignored. */
	const uint64_t own_signals = UINT64_C(3) << 31;
	uint64_t blocked, ignored;
	sigset_t set, old;
	struct error err;
	int r;

	(void)state;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, &old), 0);
	(void)signal(SIGPIPE, SIG_IGN);
	r = subprocess_check(&options, &result, &err);
	(void)signal(SIGPIPE, SIG_DFL);
	assert_int_equal(sigprocmask(SIG_SETMASK, &old, NULL), 0);
	assert_int_equal(r, 0);
	assert_int_equal(sscanf(result.output, "%" SCNx64 "\n%" SCNx64 "\n", &blocked, &ignored), 2);
	assert_int_equal(blocked, 0);
	assert_int_equal(ignored & ~own_signals, 0);
}

static void test_limits_and_cpu(void **state)
{
	_cleanup_free_ char *script =
		text_format("sed -n 's/^Cpus_allowed_list:\\t//p' /proc/self/status; "
			    "head -c 5000 /dev/zero >%s/f", (const char *)*state);
	_cleanup_free_ char *expected = NULL;
	struct subprocess_options options = SHELL(script);
	_cleanup_result_ struct subprocess_result result = { 0 };
	cpu_set_t set;
	struct error err;
	int cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	while (!CPU_ISSET((size_t)cpu, &set))
		cpu++;
	options.pin_cpu = true;
	options.cpu = cpu;
	options.max_file_bytes = 4096;
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	expected = text_format("%d\n", cpu);
	assert_string_equal(result.output, expected);
	/* head was killed by SIGXFSZ. */
	assert_int_equal(result.exit_status, 128 + SIGXFSZ);
}

static void count_tick(void *context, uint64_t elapsed_ms)
{
	int *ticks = context;

	assert_true(elapsed_ms >= 1000);
	(*ticks)++;
}

static void test_times_and_ticks(void **state)
{
	struct subprocess_options options =
		SHELL("sh -c 'ulimit -t 1; while :; do :; done'; sleep 0.9");
	_cleanup_result_ struct subprocess_result result = { 0 };
	struct error err;
	int ticks = 0;

	(void)state;
	options.tick = count_tick;
	options.tick_context = &ticks;
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	/* One each second, however long a busy machine takes. */
	assert_in_range(ticks, 1, result.wall_time_ms / 1000);
	assert_true(result.wall_time_ms >= 1500);
	/* The children's time, not the sleep. */
	assert_in_range(result.cpu_time_ms, 600, 1600);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_output_and_status),
		TEST(test_signal),
		TEST(test_cannot_start),
		TEST(test_check_sentence),
		TEST(test_output_limit),
		TEST(test_environment_directory_input),
		TEST(test_no_descriptor_leaks),
		TEST(test_signals_are_default),
		TEST(test_limits_and_cpu),
		TEST(test_times_and_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
