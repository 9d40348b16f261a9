// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One process of the real abbot-bench through measure_process(), and every end that it can
 * have, the strange ones from small programs in its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/work/measure.h"

static char **make_arguments(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;

	char **arguments = calloc(n + 1, sizeof(*arguments));

	assert_non_null(arguments);
	for (size_t i = 0; i < n; i++)
		arguments[i] = text_duplicate(words[i]);
	return arguments;
}

/* A small run: 4 MiB, 20 iterations, and what @words add. */
static struct job make_job(const char *metric, const char *const *words)
{
	struct job job;

	job_init(&job);
	free(job.measure.workload);
	free(job.measure.metric);
	for (size_t i = 0; job.measure.arguments[i]; i++)
		free(job.measure.arguments[i]);
	free(job.measure.arguments);
	job.measure.workload = text_duplicate("mprotect-toggle");
	job.measure.metric = text_duplicate(metric);
	job.measure.arguments = make_arguments(words);
	job.measure.timeout_s = 60;
	return job;
}

#define _cleanup_job_ _cleanup_(job_done)
#define SMALL "--size", "4M", "--iterations", "20", "--warmup-iterations", "2"
#define JOB(metric, ...) make_job(metric, (const char *const[]){ __VA_ARGS__, NULL })

static const json_t *mean_of(const json_t *result, const char *metric)
{
	const json_t *metrics = json_object_get(json_object_get(result, "bench"), "metrics");

	return json_object_get(json_object_get(metrics, metric), "mean");
}

static void test_each_metric(void **state)
{
	static const char *const metrics[] = { "iteration", "protect", "restore", "touch" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++) {
		_cleanup_job_ struct job job = JOB(metrics[i], SMALL);
		_cleanup_json_ json_t *result = NULL;
		struct error err = { 0 };

		if (measure_process(&job, 0, &result, &err) != 0)
			fail_msg("%s", err.text);
		assert_string_equal(json_string_value(json_object_get(result, "status")), "ok");
		assert_true(json_real_value(json_object_get(result, "value")) > 0);
		assert_true(json_equal(json_object_get(result, "value"),
				       mean_of(result, metrics[i])));
		assert_null(json_object_get(result, "reason"));
		assert_true(json_real_value(json_object_get(result, "wall_time_s")) > 0);
	}
}

static void test_cpu(void **state)
{
	_cleanup_job_ struct job job = JOB("iteration", SMALL);
	struct error err = { 0 };
	long highest = sysconf(_SC_NPROCESSORS_CONF) - 1;

	(void)state;
	for (int cpu = -1; cpu <= 0; cpu++) {
		_cleanup_json_ json_t *result = NULL;

		job.measure.cpu = cpu;
		assert_int_equal(measure_process(&job, 0, &result, &err), 0);

		const json_t *noise = json_object_get(json_object_get(result, "bench"), "noise");

		assert_int_equal(json_integer_value(json_object_get(noise, "cpu_after")),
				 cpu < 0 ? highest : 0);
	}
}

/* The gate's sentence, and no value that could get into a mean. */
static void test_failed_gate(void **state)
{
	_cleanup_job_ struct job job = JOB("iteration", SMALL, "--fault", "lost-page");
	_cleanup_json_ json_t *result = NULL;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(measure_process(&job, 0, &result, &err), 0);
	assert_string_equal(json_string_value(json_object_get(result, "status")), "unexpected");
	assert_non_null(strstr(json_string_value(json_object_get(result, "reason")),
			       "do not hold what was written"));
	assert_true(json_is_null(json_object_get(result, "value")));
	assert_true(json_is_object(json_object_get(result, "bench")));
}

static void assert_failure(const struct job *job, int code, const char *words)
{
	json_t *result = NULL;
	struct error err = { 0 };

	assert_int_equal(measure_process(job, 0, &result, &err), code);
	assert_null(result);
	if (!strstr(err.text, words))
		fail_msg("it says \"%s\"", err.text);
	assert_null(strchr(err.text, '\n'));
}

static void test_refusals(void **state)
{
	_cleanup_job_ struct job small = JOB("iteration", SMALL, "--size", "5");
	_cleanup_job_ struct job metric = JOB("bandwidth", SMALL);
	_cleanup_job_ struct job cpu = JOB("iteration", SMALL);
	_cleanup_job_ struct job workload = JOB("iteration", SMALL);

	(void)state;
	cpu.measure.cpu = 16000;
	free(workload.measure.workload);
	workload.measure.workload = text_duplicate("mprotect-togle");
	assert_failure(&small, -EINVAL, "abbot-bench mprotect-toggle: --size 5 is not a multiple");
	assert_failure(&metric, -EINVAL, "no metric \"bandwidth\"; it has: iteration, protect");
	assert_failure(&cpu, -EINVAL, "CPU 16000 cannot be used");
	assert_failure(&workload, -EINVAL, "did you mean mprotect-toggle?");
}

static void test_time_limit(void **state)
{
	_cleanup_job_ struct job job = JOB("iteration", "--iterations", "100000000");

	(void)state;
	job.measure.timeout_s = 1;
	assert_failure(&job, -ETIMEDOUT, "did not end within 1 s");
}

/* A program in place of abbot-bench. */
static void put_program(void **state, const char *body)
{
	_cleanup_free_ char *path = temporary_path(state, "bench");
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fprintf(file, "#!/bin/sh\n%s\n", body) > 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0700), 0);
	assert_int_equal(setenv("ABBOT_BENCH", path, 1), 0);
}

#define OUTPUT(schema, workload, status, mean) \
	"echo '{\"schema\":" schema ",\"workload\":\"" workload "\",\"status\":\"" status \
	"\",\"metrics\":{\"iteration\":{\"mean\":" mean "}}}'"

static void test_strange_ends(void **state)
{
	static const struct {
		const char *body;
		int code;
		const char *words;
	} cases[] = {
		{ "kill -SEGV $$", -EPROTO, "was killed by signal 11" },
		{ "echo first >&2; echo abbot-bench: no luck >&2; exit 2", -EINVAL,
		  "abbot-bench mprotect-toggle: no luck" },
		{ "exit 2", -EINVAL, "it says nothing" },
		{ "exit 9", -EPROTO, "ended with status 9" },
		{ "exit 0", -EBADMSG, "printed no JSON" },
		{ "exit 3", -EBADMSG, "printed no JSON" },
		{ "echo '[1]'", -EBADMSG, "another value" },
		{ "echo '{\"schema\":1'", -EBADMSG, "printed no JSON" },
		{ OUTPUT("2", "mprotect-toggle", "ok", "5"), -EBADMSG, "another schema" },
		{ OUTPUT("1", "other", "ok", "5"), -EBADMSG, "ran \"other\"" },
		{ OUTPUT("1", "mprotect-toggle", "unexpected", "5"), -EBADMSG,
		  "ended with status 0 but its result says \"unexpected\"" },
		{ OUTPUT("1", "mprotect-toggle", "ok", "5") "; exit 3", -EBADMSG,
		  "ended with status 3 but its result says \"ok\"" },
		{ OUTPUT("1", "mprotect-toggle", "ok", "0"), -EBADMSG, "which cannot be" },
		{ OUTPUT("1", "mprotect-toggle", "ok", "-5"), -EBADMSG, "which cannot be" },
		{ OUTPUT("1", "mprotect-toggle", "ok", "null"), -EINVAL, "no metric" },
		{ "head -c 9000000 /dev/zero", -EBADMSG, "printed no JSON" },
	};
	_cleanup_job_ struct job job = JOB("iteration", SMALL);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		put_program(state, cases[i].body);
		assert_failure(&job, cases[i].code, cases[i].words);
	}
	put_program(state, OUTPUT("1", "mprotect-toggle", "ok", "5"));

	_cleanup_json_ json_t *result = NULL;
	struct error err = { 0 };

	assert_int_equal(measure_process(&job, 0, &result, &err), 0);
	assert_true(json_real_value(json_object_get(result, "value")) == 5);
	assert_int_equal(setenv("ABBOT_BENCH", "/nonexistent/bench", 1), 0);
	assert_failure(&job, -ENOENT, "/nonexistent/bench");
	assert_int_equal(unsetenv("ABBOT_BENCH"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_metric),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_failed_gate),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_time_limit),
		cmocka_unit_test_setup_teardown(test_strange_ends, temporary_setup,
						temporary_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
