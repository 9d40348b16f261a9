// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A child with a seccomp filter, a limit or without privilege, its output in files.
 */
#include "bench/tests/bench_program.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/paths.h"
#include "common/tests/temporary.h"

void bench_run_done(struct bench_run *run)
{
	json_decref(run->json);
}

static void install_lie(const struct setting *setting)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 1U << 20, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)setting->protection, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)setting->answer_errno),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };

	if (setting->is_lying &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	     prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0))
		_exit(99);
}

/* What the kernel does to a process whose last CPU goes offline (cpuset_cpus_allowed_fallback()). */
static void unpin_later(pid_t child, unsigned int after_ms)
{
	const struct timespec pause = { .tv_sec = after_ms / 1000,
					.tv_nsec = (long)(after_ms % 1000) * 1000000 };
	cpu_set_t all;

	if (after_ms == 0)
		return;
	memset(&all, 0xff, sizeof(all));
	(void)nanosleep(&pause, NULL);
	assert_int_equal(sched_setaffinity(child, sizeof(all), &all), 0);
}

/* Standard output and error to two files of the test's directory. */
struct bench_run bench_run(void **state, const struct setting *setting,
			   const char *const *arguments)
{
	struct bench_run run = { .status = -1 };
	struct error err = { 0 };
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *out = temporary_path(state, "out");
	_cleanup_free_ char *error = temporary_path(state, "err");
	/* An emulator, when the program is of another architecture. */
	const char *runner = getenv("TEST_RUNNER");
	const char *argv[24] = { runner, NULL };
	size_t n = runner ? 1 : 0;
	int status;

	assert_int_equal(paths_program("abbot-bench", &path, &err), 0);
	argv[n++] = path;
	for (size_t i = 0; arguments[i]; i++)
		argv[n++] = arguments[i];

	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		int flags = O_WRONLY | O_CREAT | O_TRUNC;
		/* By its open file: nobody may not be allowed to walk to where this tree is. */
		int program = open(path, O_RDONLY | O_CLOEXEC);

		if (dup2(open(out, flags, 0600), 1) < 0 || dup2(open(error, flags, 0600), 2) < 0)
			_exit(98);
		if (setting->memory_bytes) {
			const struct rlimit limit = { setting->memory_bytes, setting->memory_bytes };

			(void)setrlimit(RLIMIT_AS, &limit);
		}
		if (setting->is_nobody && geteuid() == 0 &&
		    (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0))
			_exit(96);
		install_lie(setting);
		if (runner)
			(void)execvp(runner, (char *const *)argv);
		else
			(void)fexecve(program, (char *const *)argv, environ);
		_exit(97);
	}
	unpin_later(child, setting->unpinned_after_ms);
	assert_int_equal(waitpid(child, &status, 0), child);
	run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
	run.json = json_load_file(out, 0, NULL);

	_cleanup_fclose_ FILE *file = fopen(error, "re");

	run.error[fread(run.error, 1, sizeof(run.error) - 1, file)] = '\0';
	return run;
}

double bench_number(const json_t *json, const char *group, const char *name, const char *key)
{
	const json_t *value = json_object_get(
		json_object_get(json_object_get(json, group), name), key);

	assert_true(json_is_number(value));
	return json_number_value(value);
}

void bench_assert_measured(struct bench_run *run, const char *const *names)
{
	const json_t *metrics = json_object_get(run->json, "metrics");
	const char *name;
	json_t *metric;
	size_t n = 0;

	if (run->status != 0)
		fail_msg("status %d, \"%s\" \"%s\"", run->status, run->error,
			 json_string_value(json_object_get(run->json, "reason")));
	assert_string_equal(run->error, "");
	assert_string_equal(json_string_value(json_object_get(run->json, "status")), "ok");
	json_object_foreach((json_t *)metrics, name, metric) {
		assert_non_null(names[n]);
		assert_string_equal(name, names[n++]);
		assert_true(bench_number(run->json, "metrics", name, "mean") > 0);
	}
	assert_null(names[n]);
}

void bench_assert_unexpected(struct bench_run *run, const char *reason)
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

void bench_assert_refused(struct bench_run *run, const char *words)
{
	assert_int_equal(run->status, 2);
	assert_null(run->json);
	if (!strstr(run->error, words))
		fail_msg("it says \"%s\"", run->error);
	assert_int_equal(strncmp(run->error, "abbot-bench: ", 13), 0);
	/* One line. */
	assert_ptr_equal(strchr(run->error, '\n'), run->error + strlen(run->error) - 1);
}

bool bench_is_emulated(void)
{
	return getenv("TEST_RUNNER");
}

void bench_need_real_kernel(void)
{
	if (!bench_is_emulated())
		return;
	print_message("left out: an emulated process shows no real page state\n");
	skip();
}

bool bench_is_sanitized(void)
{
#ifdef __SANITIZE_ADDRESS__
	return true;
#else
	return false;
#endif
}
