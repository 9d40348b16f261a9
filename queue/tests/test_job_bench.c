// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jobs with several workloads: their order within boots, both written forms, and what is
 * refused.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job_file.h"
#include "queue/job_key.h"

#define POINTS "[point \"parent\"]\ncommit = a^\n[point \"child\"]\ncommit = a\n"
#define TWO "[bench \"toggle\"]\nworkload = mprotect-toggle\n"                                   \
	    "[bench \"400K\"]\nworkload = mprotect-regions\nargument = --size=400K\n"          \
	    "metric = call\nwarmups = 0\nprocesses = 4\n"

static int parse(const char *text, struct job *ret_job, struct error *err)
{
	return job_file_parse(text, strlen(text), "my.job", ret_job, err);
}

static void make(struct job *job, size_t n, int64_t warmups, int64_t processes)
{
	job_init(job);
	job->measure.warmups = warmups;
	job->measure.processes = processes;
	for (size_t i = 0; i < n; i++) {
		_cleanup_free_ char *name = text_format("w%zu", i);

		assert_int_equal(job_add_bench(job, name, "mprotect-single", NULL), 0);
	}
}

static void one_workload_is_the_single_form(void **state)
{
	struct job job;

	(void)state;
	make(&job, 0, 2, 3);
	assert_int_equal(job_n_benches(&job), 1);
	assert_int_equal(job_n_processes(&job), 5);
	assert_string_equal(job_bench_at(&job, 0).name, "mprotect-toggle");
	assert_string_equal(job_bench_at(&job, 0).metric, "iteration");
	for (int i = 0; i < 5; i++) {
		struct job_process process = job_process_at(&job, 1, i);

		assert_int_equal(process.bench, 0);
		assert_int_equal(process.index, i);
		assert_int_equal(process.is_warmup, i < 2);
	}
	job_done(&job);
}

/* Of each workload every process once and in order; each first as often as another in each boot. */
static void workloads_take_turns(void **state)
{
	enum { N = 3, TURNS = 6 };
	struct job job;

	(void)state;
	make(&job, N, 1, TURNS - 1);
	assert_int_equal(job_n_processes(&job), N * TURNS);
	for (int boot = 0; boot < 5; boot++) {
		int64_t next[N] = { 0 };
		int first[N] = { 0 };

		for (int i = 0; i < N * TURNS; i++) {
			struct job_process process = job_process_at(&job, boot, i);

			assert_in_range(process.bench, 0, N - 1);
			assert_int_equal(process.index, next[process.bench]++);
			assert_int_equal(process.is_warmup, process.index == 0);
			first[process.bench] += i % N == 0;
		}
		for (int k = 0; k < N; k++) {
			assert_int_equal(next[k], TURNS);
			assert_int_equal(first[k], TURNS / N);
		}
		/* Rotated between boots. */
		assert_int_equal(job_process_at(&job, boot, 0).bench, boot % N);
	}
	job_done(&job);
}

static void workloads_of_unequal_length_all_end(void **state)
{
	int64_t seen[3] = { 0 };
	struct job job;

	(void)state;
	make(&job, 3, 1, 2);
	job.benches[1].processes = 7;
	job.benches[2].warmups = 0;
	assert_int_equal(job_n_processes(&job), 3 + 8 + 2);
	for (int i = 0; i < 13; i++) {
		struct job_process process = job_process_at(&job, 2, i);

		assert_int_equal(process.index, seen[process.bench]++);
	}
	assert_int_equal(seen[0], 3);
	assert_int_equal(seen[1], 8);
	assert_int_equal(seen[2], 2);
	job_done(&job);
}

static void sections_are_read_and_kept(void **state)
{
	_cleanup_json_ json_t *json = NULL, *again = NULL;
	struct job job, copy;
	struct error err = { "" };

	(void)state;
	if (parse(POINTS TWO "[measure]\nprocesses = 6\nwarmups = 1\n", &job, &err) < 0)
		fail_msg("%s", err.text);
	json = job_to_json(&job);
	assert_int_equal(job_from_json(json, &copy, &err), 0);
	again = job_to_json(&copy);
	assert_true(json_equal(json, again));
	assert_int_equal(copy.n_benches, 2);
	assert_string_equal(job_bench_at(&copy, 0).metric, "iteration");
	assert_int_equal(job_bench_at(&copy, 0).processes, 6);
	assert_int_equal(job_bench_at(&copy, 0).warmups, 1);
	assert_string_equal(job_bench_at(&copy, 1).name, "400K");
	assert_string_equal(job_bench_at(&copy, 1).arguments[0], "--size=400K");
	assert_string_equal(job_bench_at(&copy, 1).metric, "call");
	assert_int_equal(job_n_processes(&copy), 7 + 4);
	job_done(&job);
	job_done(&copy);
}

static void bad_workloads_are_refused(void **state)
{
	static const struct {
		const char *text;
		const char *in_text;
	} cases[] = {
		{ "[bench]\nworkload = exec\n", "needs a name" },
		{ "[bench \"a\"]\nmetric = protect\n", "names no workload" },
		{ "[bench \"a\"]\nworkload = mprotect-sngle\n", "mprotect-single" },
		{ "[bench \"a\"]\nworklod = x\n", "bench.workload" },
		{ "[bench \"a\"]\nworkload = write-fault\nmetric = touch\n", "metric = fault" },
		{ "[bench \"a\"]\nworkload = exec\nworkload = exec\n", "two lines workload" },
		{ "[bench \"a\"]\nworkload = exec\nprocesses = 0\n", "1 to 10000" },
		{ "[bench \"a b\"]\nworkload = exec\n", "workload name" },
		{ TWO "[job]\nbench = exec\n", "job.bench is for a job with one" },
		{ TWO "[measure]\nmetric = protect\n", "measure.metric is for a job with one" },
		{ TWO "[measure]\nargument = x\n", "measure.argument is for a job with one" },
		{ TWO "[measure]\nprocesses = 9999\n", "together have" },
		{ "[measure]\ndiagnose = perv\n", "perf or functions=" },
		{ "[measure]\ndiagnose = functions=\n", "no name of a kernel function" },
		{ "[measure]\ndiagnose = functions=a,b*\n", "b*" },
		{ "[measure]\ndiagnose = perf\ndiagnose = perf\n", "twice" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *text = text_format(POINTS "%s", cases[i].text);
		struct error err = { "" };
		struct job job;

		if (parse(text, &job, &err) == 0)
			fail_msg("accepted: %s", cases[i].text);
		if (!strstr(err.text, cases[i].in_text))
			fail_msg("%s: %s", cases[i].text, err.text);
	}
}

static void diagnoses_are_read(void **state)
{
	struct error err = { "" };
	struct job job;

	(void)state;
	if (parse(POINTS "[measure]\ndiagnose = perf\ndiagnose = \"functions=change_pte_range,vm_normal_folio\"\n",
		  &job, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(job.measure.diagnoses[0], "perf");
	assert_string_equal(job.measure.diagnoses[1], "functions=change_pte_range,vm_normal_folio");
	job_done(&job);
}

/* Damaged or hostile JSON, as the socket may bring it. */
static void bad_json_is_refused(void **state)
{
	static const char *const cases[] = {
		"{\"benches\":{}}", "{\"benches\":[1]}", "{\"benches\":[{}]}",
		"{\"benches\":[{\"name\":\"a\",\"workload\":1}]}",
		"{\"benches\":[{\"name\":\"a\",\"cpu\":1}]}",
		"{\"benches\":[{\"name\":\"a\"},{\"name\":\"a\"}]}",
		"{\"benches\":[{\"name\":\"a\",\"warmups\":-2}]}", "{\"bench\":{}}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_json_ json_t *json = json_loads(cases[i], 0, NULL);
		struct error err = { "" };
		struct job job;

		assert_non_null(json);
		if (job_from_json(json, &job, &err) == 0)
			fail_msg("accepted: %s", cases[i]);
		assert_true(err.text[0]);
	}
}

static void there_is_a_limit(void **state)
{
	struct error err = { "" };
	struct job job;

	(void)state;
	make(&job, JOB_BENCHES_MAX, 0, 1);
	assert_int_equal(job_add_bench(&job, "more", "exec", &err), -E2BIG);
	assert_int_equal(job_add_bench(&job, "w3", "exec", &err), -E2BIG);
	job_done(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_workload_is_the_single_form),
		cmocka_unit_test(workloads_take_turns),
		cmocka_unit_test(workloads_of_unequal_length_all_end),
		cmocka_unit_test(sections_are_read_and_kept),
		cmocka_unit_test(bad_workloads_are_refused),
		cmocka_unit_test(diagnoses_are_read),
		cmocka_unit_test(bad_json_is_refused),
		cmocka_unit_test(there_is_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
