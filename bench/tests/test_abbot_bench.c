// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The whole program: its JSON, its refusals, and each gate turned red by a state that is
 * really wrong: huge pages, another CPU, lost content, a kernel that only pretends to
 * mprotect (a seccomp filter that answers 0).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/tests/bench_program.h"
#include "common/cleanup.h"
#include "common/tests/temporary.h"

static const struct setting honest = { 0 };

#define RUN(state, setting, ...) \
	bench_run(state, setting, (const char *const[]){ "mprotect-toggle", "--size", "4M", \
		  "--iterations", "20", "--warmup-iterations", "2", __VA_ARGS__ __VA_OPT__(,) NULL })

static void test_result(void **state)
{
	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest);
	static const char *const phases[] = { "protect", "restore", "touch" };
	double sum = 0;

	assert_int_equal(run.status, 0);
	assert_string_equal(run.error, "");
	assert_int_equal(json_integer_value(json_object_get(run.json, "schema")), 1);
	assert_string_equal(json_string_value(json_object_get(run.json, "status")), "ok");
	assert_true(json_is_null(json_object_get(run.json, "reason")));
	assert_true(json_real_value(json_object_get(run.json, "expected_match_ratio")) == 100);
	assert_int_equal(json_integer_value(json_object_get(run.json, "unexpected_results")), 0);
	for (size_t i = 0; i < ARRAY_SIZE(phases); i++) {
		double part = bench_number(run.json, "metrics", phases[i], "mean");

		assert_true(part > 0);
		assert_true(bench_number(run.json, "metrics", phases[i], "min") <= part);
		assert_true(bench_number(run.json, "metrics", phases[i], "max") >= part);
		assert_int_equal((int)bench_number(run.json, "metrics", phases[i], "n"), 20);
		sum += part;
	}
	/* The phases are cut from the iteration without a gap. */
	double mean = bench_number(run.json, "metrics", "iteration", "mean");

	assert_true(sum > mean * (1 - 1e-9) && sum < mean * (1 + 1e-9));
	assert_int_equal((int)bench_number(run.json, "gates", "semantic", "writes_refused_read_only"), 3);
	assert_int_equal((int)bench_number(run.json, "gates", "semantic", "pages_read_back"),
			 (4 << 20) / (int)sysconf(_SC_PAGESIZE));

	static const char *const times[] = { "before", "after" };
	const json_t *gate = json_object_get(json_object_get(run.json, "gates"), "page_state");

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		assert_int_equal(json_integer_value(json_object_get(
			json_object_get(gate, times[i]), "Rss_kB")), 4096);
	assert_true(json_real_value(json_object_get(json_object_get(run.json, "clock"),
						    "read_cost_ns")) > 0);
	/* The distributions are in memory before timing, and so is the mapping. */
	assert_true(json_integer_value(json_object_get(json_object_get(run.json, "noise"),
						       "minor_faults")) < 16);
}

static void test_cpu(void **state)
{
	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "--cpu", "0");

	assert_int_equal(run.status, 0);
	assert_int_equal(json_integer_value(json_object_get(
		json_object_get(run.json, "noise"), "cpu_after")), 0);
	assert_int_equal(json_integer_value(json_object_get(
		json_object_get(run.json, "parameters"), "cpu")), 0);
}

static void test_huge_pages_before(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "--fault", "huge-pages");

	if (run.status == 2)
		skip(); /* a kernel without huge pages */
	bench_assert_unexpected(&run, "before timing: ");
	/* What was not measured has no number. */
	assert_true(json_is_null(json_object_get(run.json, "metrics")));
}

static void test_huge_pages_after(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "--fault", "huge-pages-late");

	if (run.status == 2)
		skip();
	bench_assert_unexpected(&run, "after timing: ");
}

static void test_split_mapping(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "--fault", "split-mapping");

	bench_assert_unexpected(&run, "3 mappings");
}

static void test_lost_page(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "--fault", "lost-page");

	bench_assert_unexpected(&run, "1 of 1024 pages do not hold what was written");
}

/* Seen by the touch itself, in the first iteration. */
static void test_page_lost_before_the_loop(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "--fault", "lost-page-early");

	bench_assert_unexpected(&run, "did not hold what was written before, in warm-up iteration 1");
	assert_true(json_is_null(json_object_get(json_object_get(run.json, "metrics"), "touch")));
}

static void test_other_cpu(void **state)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();

	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "--fault", "other-cpu");

	bench_assert_unexpected(&run, "no longer runs on CPU");
}

/* PROT_READ does nothing: all looks well until a write ought to fault. */
static void test_kernel_that_does_not_protect(void **state)
{
	bench_need_real_kernel();

	const struct setting setting = { .is_lying = true, .protection = PROT_READ };
	_cleanup_bench_run_ struct bench_run run = RUN(state, &setting);

	bench_assert_unexpected(&run, "only 0 of 3 writes faulted after PROT_READ");
}

/* PROT_READ|PROT_WRITE does nothing: the touch faults and must not kill the program. */
static void test_kernel_that_does_not_restore(void **state)
{
	bench_need_real_kernel();

	const struct setting setting = { .is_lying = true, .protection = PROT_READ | PROT_WRITE };
	_cleanup_bench_run_ struct bench_run run = RUN(state, &setting);

	bench_assert_unexpected(&run, "a write after PROT_READ|PROT_WRITE faulted in warm-up iteration 1");
	/* Not one iteration was timed: null, not 0. */
	assert_true(json_is_null(json_object_get(json_object_get(run.json, "metrics"), "iteration")));
}

static void test_failing_mprotect(void **state)
{
	bench_need_real_kernel();

	const struct setting setting = { .is_lying = true, .protection = PROT_READ, .answer_errno = ENOMEM };
	_cleanup_bench_run_ struct bench_run run = RUN(state, &setting);

	bench_assert_unexpected(&run, "mprotect(PROT_READ) failed in warm-up iteration 1: Cannot allocate");
}

static void test_seccomp_refusal(void **state)
{
	bench_need_real_kernel();

	const struct setting lies[] = {
		{ .is_lying = true, .protection = PROT_READ, .answer_errno = EPERM },
		{ .is_lying = true, .protection = PROT_READ | PROT_WRITE, .answer_errno = EPERM },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		_cleanup_bench_run_ struct bench_run run = RUN(state, &lies[i]);
		_cleanup_bench_run_ struct bench_run cold = RUN(state, &lies[i], "--warmup-iterations", "0");

		bench_assert_refused(&run, "mprotect is refused here");
		bench_assert_refused(&cold, "mprotect is refused here");
	}
}

static void test_bad_input(void **state)
{
	static const struct {
		const char *arguments[6];
		const char *words;
	} cases[] = {
		{ { NULL }, "no workload is named" },
		{ { "mprotect-togle" }, "did you mean mprotect-toggle?" },
		{ { "zzz" }, "unknown workload \"zzz\"" },
		{ { "mprotect-toggle", "--sise", "1M" }, "did you mean --size?" },
		{ { "mprotect-toggle", "--size" }, "--size needs a value" },
		{ { "mprotect-toggle", "--size", "0" }, "--size is 0" },
		{ { "mprotect-toggle", "--size", "4097" }, "not a multiple of the page size" },
		{ { "mprotect-toggle", "--size", "4x" }, "not \"4x\"" },
		{ { "mprotect-toggle", "--size", "8000G" }, "of memory are available" },
		{ { "mprotect-toggle", "--cpu", "16000" }, "CPU 16000 cannot be used" },
		{ { "mprotect-toggle", "--cpu", "-1" }, "--cpu takes a whole number" },
		{ { "mprotect-toggle", "--iterations", "0" }, "from 1 to" },
		{ { "mprotect-toggle", "--iterations", "1.5" }, "not \"1.5\"" },
		{ { "mprotect-toggle", "more" }, "but got \"more\"" },
		{ { "list", "more" }, "but got \"more\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_bench_run_ struct bench_run run = bench_run(state, &honest, cases[i].arguments);

		bench_assert_refused(&run, cases[i].words);
	}
}

static void test_output_that_cannot_be_written(void **state)
{
	_cleanup_free_ char *out = temporary_path(state, "out");

	assert_int_equal(symlink("/dev/full", out), 0);

	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest);

	bench_assert_refused(&run, "cannot write the result");
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_result),
		TEST(test_cpu),
		TEST(test_huge_pages_before),
		TEST(test_huge_pages_after),
		TEST(test_split_mapping),
		TEST(test_lost_page),
		TEST(test_page_lost_before_the_loop),
		TEST(test_other_cpu),
		TEST(test_kernel_that_does_not_protect),
		TEST(test_kernel_that_does_not_restore),
		TEST(test_failing_mprotect),
		TEST(test_seccomp_refusal),
		TEST(test_bad_input),
		TEST(test_output_that_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
