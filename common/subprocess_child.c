// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Between fork and exec: process group, standard streams, limits, CPU, user.
 * Reports the step that failed through the status pipe; never returns.
 */
#include "common/subprocess_child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int subprocess_child_detach(pid_t parent, int death_signal, bool has_session)
{
	sigset_t none;

	/* The parent makes the group as well, so that neither can be too late. */
	if ((has_session ? setsid() : setpgid(0, 0)) < 0)
		return -errno;
	/* A daemon blocks signals for its event loop; programs must not inherit that. */
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	(void)sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		return -errno;
	if (prctl(PR_SET_PDEATHSIG, death_signal) < 0)
		return -errno;
	/* It may have died before the prctl(). */
	return getppid() == parent ? 0 : -EOWNERDEAD;
}

static int subprocess_child_stdio(const struct subprocess_child_fds *fds)
{
	int from[3] = { fds->input, fds->output, fds->error_output };

	/* Out of the way first: a parent without stdin may have got 0..2 for a pipe. */
	for (int i = 0; i < 3; i++) {
		from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 3);
		if (from[i] < 0)
			return -errno;
	}
	for (int i = 0; i < 3; i++) {
		if (dup2(from[i], i) < 0)
			return -errno;
	}
	/* Whatever a library opened without O_CLOEXEC stays here. */
	if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) < 0 && errno != ENOSYS)
		return -errno;
	return 0;
}

/* oom_score_adj: Documentation/filesystems/proc.rst, 3.1. Not allowed is no fault. */
static int subprocess_child_expend(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	(void)!write(fd, "1000", 4);
	return close(fd) < 0 ? -errno : 0;
}

static int subprocess_child_limits(const struct subprocess_options *options)
{
	const struct {
		__rlimit_resource_t resource;
		uint64_t value;
	} limits[] = {
		{ RLIMIT_FSIZE, options->max_file_bytes },
		{ RLIMIT_AS, options->max_memory_bytes },
		{ RLIMIT_NPROC, options->max_processes },
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const struct rlimit limit = { limits[i].value, limits[i].value };

		if (limits[i].value && setrlimit(limits[i].resource, &limit) < 0)
			return -errno;
	}
	return options->is_expendable ? subprocess_child_expend() : 0;
}

static int subprocess_child_cpu(const struct subprocess_options *options)
{
	cpu_set_t set;

	if (!options->pin_cpu)
		return 0;
	if (options->cpu < 0 || options->cpu >= CPU_SETSIZE)
		return -EINVAL;
	CPU_ZERO(&set);
	CPU_SET((size_t)options->cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) < 0 ? -errno : 0;
}

static int subprocess_child_user(const struct subprocess_options *options)
{
	uid_t uid[3];
	gid_t gid[3];

	if (!options->change_user)
		return 0;
	/* (uid_t)-1 would mean "leave as it is". */
	if (options->uid == (uid_t)-1 || options->gid == (gid_t)-1)
		return -EINVAL;
	if (setgroups(0, NULL) < 0 ||
	    setresgid(options->gid, options->gid, options->gid) < 0 ||
	    setresuid(options->uid, options->uid, options->uid) < 0)
		return -errno;
	if (getresuid(&uid[0], &uid[1], &uid[2]) < 0 || getresgid(&gid[0], &gid[1], &gid[2]) < 0)
		return -errno;
	for (int i = 0; i < 3; i++) {
		if (uid[i] != options->uid || gid[i] != options->gid)
			return -EPERM;
	}
	if (getgroups(0, NULL) != 0)
		return -EPERM;
	if (options->uid != 0 && setresuid((uid_t)-1, 0, (uid_t)-1) == 0)
		return -EPERM; /* a way back */
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0;
}

static void __attribute__((noreturn)) subprocess_child_fail(int status_fd,
							    enum subprocess_step step, int r)
{
	const struct subprocess_failure failure = { step, -r };

	if (write(status_fd, &failure, sizeof(failure)) < 0)
		_exit(126);
	_exit(127);
}

void subprocess_child_exec(const struct subprocess_options *options,
			   const struct subprocess_child_fds *fds, pid_t parent)
{
	/* Above the standard streams, where dup2() could land on it. */
	int status = fcntl(fds->status, F_DUPFD_CLOEXEC, 3);
	int r;

	if (status < 0)
		_exit(127);
	/* SIGTERM, not SIGKILL: make passes it on to its own children. */
	/* Another user's program could type commands at the caller's terminal (TIOCSTI). */
	r = subprocess_child_detach(parent, SIGTERM, options->change_user);
	if (r < 0)
		subprocess_child_fail(status, SUBPROCESS_STEP_GROUP, r);
	r = subprocess_child_stdio(fds);
	if (r < 0)
		subprocess_child_fail(status, SUBPROCESS_STEP_STDIO, r);
	r = subprocess_child_limits(options);
	if (r < 0)
		subprocess_child_fail(status, SUBPROCESS_STEP_LIMITS, r);
	r = subprocess_child_cpu(options);
	if (r < 0)
		subprocess_child_fail(status, SUBPROCESS_STEP_CPU, r);
	r = subprocess_child_user(options);
	/* Changing credentials clears the parent-death signal. */
	if (r == 0 && options->change_user && prctl(PR_SET_PDEATHSIG, SIGTERM) < 0)
		r = -errno;
	if (r == 0 && getppid() != parent)
		r = -EOWNERDEAD;
	if (r < 0)
		subprocess_child_fail(status, SUBPROCESS_STEP_USER, r);
	if (options->directory && chdir(options->directory) < 0)
		subprocess_child_fail(status, SUBPROCESS_STEP_DIRECTORY, -errno);
	if (options->environment)
		(void)execvpe(options->argv[0], (char *const *)options->argv,
			      (char *const *)options->environment);
	else
		(void)execvp(options->argv[0], (char *const *)options->argv);
	subprocess_child_fail(status, SUBPROCESS_STEP_EXEC, -errno);
}
