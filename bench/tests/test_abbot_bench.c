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
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/paths.h"
#include "common/tests/temporary.h"

#include <jansson.h>

/* mprotect calls of 1 MiB or more with this protection get this answer instead of being made. */
struct lie {
	int protection;    /* 0: no lie */
	int answer_errno;  /* 0: success */
};

struct run {
	int status;
	json_t *json;      /* NULL when it printed none */
	char error[512];
};

static void run_done(struct run *run)
{
	json_decref(run->json);
}

#define _cleanup_run_ _cleanup_(run_done)

static void install_lie(const struct lie *lie)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 1U << 20, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)lie->protection, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)lie->answer_errno),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };

	if (lie->protection != 0 &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	     prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0))
		_exit(99);
}

/* Standard output and error to two files of the test's directory. */
static struct run run_bench(void **state, const struct lie *lie, const char *const *arguments)
{
	struct run run = { .status = -1 };
	struct error err;
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *out = temporary_path(state, "out");
	_cleanup_free_ char *error = temporary_path(state, "err");
	const char *argv[16] = { "abbot-bench" };
	int status;

	assert_int_equal(paths_program("abbot-bench", &path, &err), 0);
	for (size_t i = 0; arguments[i]; i++)
		argv[i + 1] = arguments[i];

	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		int flags = O_WRONLY | O_CREAT | O_TRUNC;

		if (dup2(open(out, flags, 0600), 1) < 0 || dup2(open(error, flags, 0600), 2) < 0)
			_exit(98);
		install_lie(lie);
		(void)execv(path, (char *const *)argv);
		_exit(97);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
	run.json = json_load_file(out, 0, NULL);

	_cleanup_fclose_ FILE *file = fopen(error, "re");

	run.error[fread(run.error, 1, sizeof(run.error) - 1, file)] = '\0';
	return run;
}

static const struct lie honest = { 0 };

#define RUN(state, lie, ...) \
	run_bench(state, lie, (const char *const[]){ "mprotect-toggle", "--size", "4M", \
		  "--iterations", "20", "--warmup-iterations", "2", __VA_ARGS__ __VA_OPT__(,) NULL })

static double number(const json_t *json, const char *group, const char *name, const char *key)
{
	const json_t *value = json_object_get(
		json_object_get(json_object_get(json, group), name), key);

	assert_true(json_is_number(value));
	return json_number_value(value);
}

static void test_result(void **state)
{
	_cleanup_run_ struct run run = RUN(state, &honest);
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
		double part = number(run.json, "metrics", phases[i], "mean");

		assert_true(part > 0);
		assert_true(number(run.json, "metrics", phases[i], "min") <= part);
		assert_true(number(run.json, "metrics", phases[i], "max") >= part);
		assert_int_equal((int)number(run.json, "metrics", phases[i], "n"), 20);
		sum += part;
	}
	/* The phases are cut from the iteration without a gap. */
	double mean = number(run.json, "metrics", "iteration", "mean");

	assert_true(sum > mean * (1 - 1e-9) && sum < mean * (1 + 1e-9));
	assert_int_equal((int)number(run.json, "gates", "semantic", "writes_refused_read_only"), 3);
	assert_int_equal((int)number(run.json, "gates", "semantic", "pages_read_back"),
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
	_cleanup_run_ struct run run = RUN(state, &honest, "--cpu", "0");

	assert_int_equal(run.status, 0);
	assert_int_equal(json_integer_value(json_object_get(
		json_object_get(run.json, "noise"), "cpu_after")), 0);
	assert_int_equal(json_integer_value(json_object_get(
		json_object_get(run.json, "parameters"), "cpu")), 0);
}

/* Exit 3, the JSON still there, the reason in it, and no error line. */
static void assert_gate(struct run *run, const char *reason)
{
	const char *given = json_string_value(json_object_get(run->json, "reason"));

	assert_int_equal(run->status, 3);
	assert_non_null(given);
	if (!strstr(given, reason))
		fail_msg("the reason is \"%s\"", given);
	assert_string_equal(json_string_value(json_object_get(run->json, "status")), "unexpected");
	assert_true(json_integer_value(json_object_get(run->json, "unexpected_results")) > 0);
	assert_true(json_real_value(json_object_get(run->json, "expected_match_ratio")) < 100);
	assert_string_equal(run->error, "");
}

static void test_huge_pages_before(void **state)
{
	_cleanup_run_ struct run run = RUN(state, &honest, "--fault", "huge-pages");

	if (run.status == 2)
		skip(); /* a kernel without huge pages */
	assert_gate(&run, "before timing: ");
	/* What was not measured has no number. */
	assert_true(json_is_null(json_object_get(run.json, "metrics")));
}

static void test_huge_pages_after(void **state)
{
	_cleanup_run_ struct run run = RUN(state, &honest, "--fault", "huge-pages-late");

	if (run.status == 2)
		skip();
	assert_gate(&run, "after timing: ");
}

static void test_split_mapping(void **state)
{
	_cleanup_run_ struct run run = RUN(state, &honest, "--fault", "split-mapping");

	assert_gate(&run, "3 mappings");
}

static void test_lost_page(void **state)
{
	_cleanup_run_ struct run run = RUN(state, &honest, "--fault", "lost-page");

	assert_gate(&run, "1 of 1024 pages do not hold what was written");
}

/* Seen by the touch itself, in the first iteration. */
static void test_page_lost_before_the_loop(void **state)
{
	_cleanup_run_ struct run run = RUN(state, &honest, "--fault", "lost-page-early");

	assert_gate(&run, "did not hold what was written before, in warm-up iteration 1");
	assert_true(json_is_null(json_object_get(json_object_get(run.json, "metrics"), "touch")));
}

static void test_other_cpu(void **state)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();

	_cleanup_run_ struct run run = RUN(state, &honest, "--fault", "other-cpu");

	assert_gate(&run, "no longer runs on CPU");
}

/* PROT_READ does nothing: all looks well until a write ought to fault. */
static void test_kernel_that_does_not_protect(void **state)
{
	const struct lie lie = { .protection = PROT_READ };
	_cleanup_run_ struct run run = RUN(state, &lie);

	assert_gate(&run, "only 0 of 3 writes faulted after PROT_READ");
}

/* PROT_READ|PROT_WRITE does nothing: the touch faults and must not kill the program. */
static void test_kernel_that_does_not_restore(void **state)
{
	const struct lie lie = { .protection = PROT_READ | PROT_WRITE };
	_cleanup_run_ struct run run = RUN(state, &lie);

	assert_gate(&run, "a write after PROT_READ|PROT_WRITE faulted in warm-up iteration 1");
	/* Not one iteration was timed: null, not 0. */
	assert_true(json_is_null(json_object_get(json_object_get(run.json, "metrics"), "iteration")));
}

static void test_failing_mprotect(void **state)
{
	const struct lie lie = { .protection = PROT_READ, .answer_errno = ENOMEM };
	_cleanup_run_ struct run run = RUN(state, &lie);

	assert_gate(&run, "mprotect(PROT_READ) failed in warm-up iteration 1: Cannot allocate");
}

static void assert_refused(struct run *run, const char *words)
{
	assert_int_equal(run->status, 2);
	assert_null(run->json);
	if (!strstr(run->error, words))
		fail_msg("it says \"%s\"", run->error);
	assert_int_equal(strncmp(run->error, "abbot-bench: ", 13), 0);
	/* One line. */
	assert_ptr_equal(strchr(run->error, '\n'), run->error + strlen(run->error) - 1);
}

static void test_seccomp_refusal(void **state)
{
	const struct lie lies[] = {
		{ .protection = PROT_READ, .answer_errno = EPERM },
		{ .protection = PROT_READ | PROT_WRITE, .answer_errno = EPERM },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		_cleanup_run_ struct run run = RUN(state, &lies[i]);
		_cleanup_run_ struct run cold = RUN(state, &lies[i], "--warmup-iterations", "0");

		assert_refused(&run, "mprotect is refused here");
		assert_refused(&cold, "mprotect is refused here");
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
		_cleanup_run_ struct run run = run_bench(state, &honest, cases[i].arguments);

		assert_refused(&run, cases[i].words);
	}
}

static void test_output_that_cannot_be_written(void **state)
{
	_cleanup_free_ char *out = temporary_path(state, "out");

	assert_int_equal(symlink("/dev/full", out), 0);

	_cleanup_run_ struct run run = RUN(state, &honest);

	assert_refused(&run, "cannot write the result");
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
