// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exec: what a command may print and what not; its end, its deadline, its rights, and that nothing
 * of it is left.
 */
#include "bench/tests/bench_program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/exec_output.h"
#include "common/cleanup.h"
#include "common/tests/temporary.h"

static const struct setting honest = { 0 };

#define RUN(state, ...) \
	bench_run(state, &honest, (const char *const[]){ "exec", __VA_ARGS__, NULL })
#define SHELL(state, script) RUN(state, "--timeout", "20", "--", "/bin/sh", "-c", script)

static void assert_value(const json_t *metrics, const char *name, double value, const char *unit)
{
	const json_t *metric = json_object_get(metrics, name);

	assert_true(json_number_value(json_object_get(metric, "mean")) == value);
	assert_string_equal(json_string_value(json_object_get(metric, "unit")), unit);
}

static void test_parse(void **state)
{
	static const char *const texts[] = {
		"a=1.5\n\n  rate/s = 2e3 MB/s \r\nload.1-x=-7 %",
		"{\"a\": 1.5, \"rate/s\": {\"value\": 2000, \"unit\": \"MB/s\"}, "
		"\"load.1-x\": {\"value\": -7, \"unit\": \"%\"}}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct error err = { 0 };
		_cleanup_json_ json_t *metrics = NULL;

		if (exec_output_parse(texts[i], strlen(texts[i]), &metrics, &err) < 0)
			fail_msg("%s", err.text);
		assert_int_equal(json_object_size(metrics), 3);
		assert_value(metrics, "a", 1.5, "units");
		assert_value(metrics, "rate/s", 2000, "MB/s");
		assert_value(metrics, "load.1-x", -7, "%");
	}
}

static void test_parse_refusals(void **state)
{
	static const struct {
		const char *text;
		const char *words;
	} cases[] = {
		{ "", "prints no figures" },
		{ " \n\t\n", "prints no figures" },
		{ "garbage", "line 1 of the command's output is \"garbage\"" },
		{ "a=1\nb\n", "line 2" },
		{ "a=", "not a finite number" },
		{ "a=x", "a is \"x\"" },
		{ "a=nan", "not a finite number" },
		{ "a=inf", "not a finite number" },
		{ "a=1e999", "not a finite number" },
		{ "a=1,5", "not a finite number" },
		{ "=1", "a name is" },
		{ "a b=1", "a name is" },
		{ "a=1 ms more", "a unit is" },
		{ "a=1\na=2", "prints a twice" },
		{ "{", "no JSON object" },
		{ "{}", "is empty" },
		{ "{\"a\": \"1\"}", "figure a is not a number" },
		{ "{\"a\": {\"unit\": \"s\"}}", "figure a is not a number" },
		{ "{\"a\": 1, \"a\": 2}", "no JSON object" },
		{ "{\"a\": NaN}", "no JSON object" },
		{ "{\"a\": 1} more", "no JSON object" },
		{ "[1]", "not NAME=VALUE" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error err = { 0 };
		json_t *metrics = NULL;

		assert_int_equal(exec_output_parse(cases[i].text, strlen(cases[i].text), &metrics,
						   &err), -EBADMSG);
		assert_null(metrics);
		if (!strstr(err.text, cases[i].words))
			fail_msg("\"%s\": %s", cases[i].text, err.text);
	}
	struct error err = { 0 };
	json_t *metrics = NULL;

	assert_int_equal(exec_output_parse("a=1\0b=2", 7, &metrics, &err), -EBADMSG);
}

static void test_too_many_figures(void **state)
{
	char text[(EXEC_METRICS_MAX + 1) * 8];
	size_t size = 0;
	struct error err = { 0 };
	json_t *metrics = NULL;

	(void)state;
	for (int i = 0; i <= EXEC_METRICS_MAX; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size, "m%d=1\n", i);
	assert_int_equal(exec_output_parse(text, size, &metrics, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "more than 256 figures"));
}

static void test_figures_become_metrics(void **state)
{
	static const char *const names[] = { "latency", "rate", "headline", NULL };
	_cleanup_bench_run_ struct bench_run run =
		RUN(state, "--metric", "rate", "--", "printf", "latency=2.5 us\nrate=7\n");

	bench_assert_measured(&run, names);
	assert_value(json_object_get(run.json, "metrics"), "latency", 2.5, "us");
	assert_value(json_object_get(run.json, "metrics"), "headline", 7, "units");
}

static void test_the_only_figure_is_the_headline(void **state)
{
	static const char *const names[] = { "a", "headline", NULL };
	_cleanup_bench_run_ struct bench_run run = RUN(state, "--", "echo", "a=3");

	bench_assert_measured(&run, names);
}

static void test_runs_on_the_cpu_and_as_nobody(void **state)
{
	static const char *const names[] = { "uid", "rights", "allowed", NULL };
	_cleanup_bench_run_ struct bench_run run =
		RUN(state, "--cpu", "0", "--", "/bin/sh", "-c",
		    "awk '/^Uid/ { print \"uid=\" $2 + 1 } /^Cpus_allowed:/ { print \"allowed=\" $2 }"
		    " /^NoNewPrivs/ { print \"rights=\" $2 }' /proc/self/status");

	bench_assert_measured(&run, names);
	assert_int_equal((int)bench_number(run.json, "metrics", "uid", "mean") - 1,
			 geteuid() == 0 ? 65534 : (int)geteuid());
	assert_int_equal((int)bench_number(run.json, "metrics", "allowed", "mean"), 1);
	assert_int_equal((int)bench_number(run.json, "metrics", "rights", "mean"), 1);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *script;
		const char *words;
	} cases[] = {
		{ "true", "prints no figures" },
		{ "echo garbage", "line 1 of the command's output is \"garbage\"" },
		{ "echo a=nan", "not a finite number" },
		{ "echo '{\"a\": NaN}'", "no JSON object" },
		{ "echo a=1; exit 3", "ended with status 3" },
		{ "echo a=1; kill -9 $$", "was killed by signal 9" },
		{ "seq 1000000", "prints more than 65536 bytes" },
		{ "while :; do echo a; done", "prints more than 65536 bytes" },
		{ "head -c 100000 /dev/zero", "prints more than 65536 bytes" },
		{ "printf 'a=1\\0'", "is not text" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_bench_run_ struct bench_run run = SHELL(state, cases[i].script);

		bench_assert_refused(&run, cases[i].words);
	}
}

static void test_bad_words(void **state)
{
	static const struct {
		const char *arguments[8];
		const char *words;
	} cases[] = {
		{ { "exec", NULL }, "exec needs a command" },
		{ { "exec", "--", NULL }, "exec needs a command" },
		{ { "exec", "--", "", NULL }, "exec needs a command" },
		{ { "exec", "--", "/nonexistent", NULL }, "/nonexistent cannot be started" },
		{ { "exec", "--size", "4M", "--", "true", NULL }, "exec takes no --size" },
		{ { "exec", "--timeout", "0", "--", "true", NULL }, "from 1 to" },
		{ { "exec", "--metric", "b", "--", "echo", "a=1", NULL }, "no figure called \"b\"" },
		{ { "exec", "--metric", "a", "--", "printf", "a=1\nheadline=2", NULL },
		  "a figure called headline" },
		{ { "mprotect-toggle", "--metric", "touch", NULL },
		  "mprotect-toggle takes no --metric" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_bench_run_ struct bench_run run =
			bench_run(state, &honest, cases[i].arguments);

		bench_assert_refused(&run, cases[i].words);
	}
}

static void assert_gone(const struct bench_run *run)
{
	pid_t pid = (pid_t)bench_number(run->json, "metrics", "pid", "mean");

	assert_true(pid > 1);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

/* In the command's own session or one of its own: neither survives, nor keeps us waiting. */
static void test_nothing_is_left(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run plain =
		SHELL(state, "sleep 300 & echo pid=$!");
	_cleanup_bench_run_ struct bench_run session =
		SHELL(state, "setsid sh -c 'echo pid=$$; exec sleep 300' & sleep 0.3");

	assert_int_equal(plain.status, 0);
	assert_gone(&plain);
	assert_int_equal(session.status, 0);
	assert_gone(&session);
}

static void test_deadline(void **state)
{
	_cleanup_bench_run_ struct bench_run run =
		RUN(state, "--timeout", "1", "--", "/bin/sh", "-c",
		    "trap '' TERM INT HUP; echo a=1; while :; do sleep 300; done");

	bench_assert_refused(&run, "did not end within 1 s and was killed; raise --timeout");
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_refusals),
		cmocka_unit_test(test_too_many_figures),
		TEST(test_figures_become_metrics),
		TEST(test_the_only_figure_is_the_headline),
		TEST(test_runs_on_the_cpu_and_as_nobody),
		TEST(test_refusals),
		TEST(test_bad_words),
		TEST(test_nothing_is_left),
		TEST(test_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
