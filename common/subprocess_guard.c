// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guard of a running process group. The parent-death signal reaches only
 * the direct child: a killed make leaves its compilers, which would go on
 * writing into the object directory that a restarted daemon uses again.
 */
#include "common/subprocess_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void __attribute__((noreturn)) guard_watch(int life, pid_t group)
{
	sigset_t all;
	ssize_t n;
	char byte;

	/* Ctrl-C on the terminal ends the caller; the guard must still do its work. */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_NAME, "abbot-guard");
	/* No lock, socket or pipe of the caller may live on in here. */
	if (dup2(life, 0) < 0 || close_range(1, ~0U, 0) < 0)
		_exit(1);
	do
		n = read(0, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 0)
		(void)kill(-group, SIGKILL);
	_exit(0);
}

int subprocess_guard_start(struct subprocess_guard *guard, pid_t group)
{
	int pair[2], r;
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		guard_watch(pair[0], group);
	r = pid < 0 ? -errno : 0;
	(void)close(pair[0]);
	if (r < 0) {
		(void)close(pair[1]);
		return r;
	}
	*guard = (struct subprocess_guard){ .pid = pid, .life = pair[1] };
	return 0;
}

void subprocess_guard_stop(struct subprocess_guard *guard)
{
	if (guard->pid <= 0)
		return;
	/* Killed before the pipe is closed: it must not take that for a death. */
	(void)kill(guard->pid, SIGKILL);
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		;
	(void)close(guard->life);
	*guard = (struct subprocess_guard){ .life = -1 };
}
