// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job file knows the workloads that abbot-bench has, no more and no fewer, in its order,
 * and refuses a metric that is another workload's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/paths.h"
#include "common/subprocess.h"
#include "common/text.h"
#include "queue/job_key.h"

static void test_workloads_are_those_of_the_program(void **state)
{
	struct error err = { 0 };
	_cleanup_free_ char *path = NULL;
	_cleanup_(subprocess_result_done) struct subprocess_result run = { 0 };
	size_t n = 0;

	(void)state;
	assert_int_equal(paths_program("abbot-bench", &path, &err), 0);

	const char *const argv[] = { path, "list", NULL };
	const struct subprocess_options options = { .argv = argv, .timeout_ms = 10000,
						    .max_output_bytes = 65536 };

	assert_int_equal(subprocess_run(&options, &run, &err), 0);
	for (const char *line = run.output; *line; line = strchr(line, '\n') + 1) {
		size_t length = strcspn(line, " ");

		assert_non_null(job_workload_words[n]);
		assert_int_equal(length, strlen(job_workload_words[n]));
		assert_memory_equal(line, job_workload_words[n++], length);
	}
	assert_null(job_workload_words[n]);
}

static void test_metrics_belong_to_workloads(void **state)
{
	static const struct {
		const char *workload;
		const char *metric;
		const char *words;  /* NULL: accepted */
	} cases[] = {
		{ "mprotect-toggle", "touch", NULL },
		{ "mprotect-pmd", "iteration", NULL },
		{ "mprotect-large-folio", "restore", NULL },
		{ "mprotect-populated", "restore", NULL },
		{ "mprotect-regions", "call-400K", NULL },
		{ "mprotect-regions", "cycles-40G", NULL },
		{ "mprotect-single", "protect", NULL },
		{ "write-fault", "fault", NULL },
		{ "exec", "headline", NULL },
		{ "mprotect-single", "iteration", "write metric = protect" },
		{ "mprotect-populated", "touch", "mprotect-populated has no metric \"touch\"" },
		{ "exec", "iteration", "write metric = headline" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error err = { 0 };
		int code = job_key_check_metric(cases[i].workload, cases[i].metric, &err);

		assert_int_equal(code, cases[i].words ? -EINVAL : 0);
		if (cases[i].words)
			assert_non_null(strstr(err.text, cases[i].words));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workloads_are_those_of_the_program),
		cmocka_unit_test(test_metrics_belong_to_workloads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
