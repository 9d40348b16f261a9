// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starting a program: pipes, fork, and the child's word on whether exec worked.
 * What happens between fork and exec is in subprocess_child.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/subprocess_child.h"
#include "common/subprocess_running.h"

/* The child's word on why it did not get as far as exec; 0 when it did. */
static int subprocess_read_status(int fd, const struct subprocess_options *options,
				  struct error *err)
{
	static const char *const steps[] = {
		[SUBPROCESS_STEP_GROUP] = "make a process group for",
		[SUBPROCESS_STEP_STDIO] = "connect the output of",
		[SUBPROCESS_STEP_LIMITS] = "limit the resources of",
		[SUBPROCESS_STEP_CPU] = "pin to its processor",
		[SUBPROCESS_STEP_USER] = "change the user of",
		[SUBPROCESS_STEP_DIRECTORY] = "enter the directory of",
		[SUBPROCESS_STEP_EXEC] = "start",
	};
	struct subprocess_failure failure;
	ssize_t n;

	do
		n = read(fd, &failure, sizeof(failure));
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return 0;
	if (n != (ssize_t)sizeof(failure) || (size_t)failure.step >= ARRAY_SIZE(steps) ||
	    failure.error_number <= 0)
		return error_set(err, -EIO, "cannot start %s: it died early", options->argv[0]);
	if (failure.step == SUBPROCESS_STEP_EXEC && failure.error_number == ENOENT)
		return error_set(err, -ENOENT, "cannot start %s: no such program; install it",
				 options->argv[0]);
	if (failure.step == SUBPROCESS_STEP_DIRECTORY)
		return error_set_errno(err, -failure.error_number, "cannot run %s in %s",
				       options->argv[0], options->directory);
	return error_set_errno(err, -failure.error_number, "cannot %s %s", steps[failure.step],
			       options->argv[0]);
}

int subprocess_start(struct running *running, struct error *err)
{
	const struct subprocess_options *options = running->options;
	_cleanup_close_ int input = -1, output = -1, error_output = -1, status = -1;
	_cleanup_close_ int status_read = -1;
	struct subprocess_child_fds fds;
	pid_t parent = getpid();
	int pair[2], r;

	input = open(options->input_path ? options->input_path : "/dev/null",
		     O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (input < 0)
		return error_set_errno(err, -errno, "cannot open %s",
				       options->input_path ? options->input_path : "/dev/null");
	if (options->output_fd <= 0) {
		if (pipe2(pair, O_CLOEXEC) < 0)
			return error_set_errno(err, -errno, "cannot make a pipe");
		running->output = pair[0];
		output = pair[1];
		if (!options->merge_stderr) {
			if (pipe2(pair, O_CLOEXEC) < 0)
				return error_set_errno(err, -errno, "cannot make a pipe");
			running->error_output = pair[0];
			error_output = pair[1];
		}
	}
	if (pipe2(pair, O_CLOEXEC) < 0)
		return error_set_errno(err, -errno, "cannot make a pipe");
	status_read = pair[0];
	status = pair[1];
	fds.input = input;
	fds.output = output >= 0 ? output : options->output_fd;
	fds.error_output = error_output >= 0 ? error_output : fds.output;
	fds.status = status;

	running->pid = fork();
	if (running->pid < 0)
		return error_set_errno(err, -errno, "cannot start %s", options->argv[0]);
	if (running->pid == 0)
		subprocess_child_exec(options, &fds, parent);
	/* EACCES: it has done so itself and is past exec. A group's leader gets no session. */
	if (!options->change_user)
		(void)setpgid(running->pid, running->pid);
	cleanup_close(&status);
	status = -1;
	r = subprocess_read_status(status_read, options, err);
	if (r == 0) {
		running->pidfd = pidfd_open(running->pid, 0);
		r = running->pidfd < 0 ? -errno :
					 subprocess_guard_start(&running->guard, running->pid);
		if (r < 0)
			(void)error_set_errno(err, r, "cannot watch %s", options->argv[0]);
	}
	if (r < 0) {
		(void)kill(-running->pid, SIGKILL);
		(void)kill(running->pid, SIGKILL);
		while (waitpid(running->pid, NULL, 0) < 0 && errno == EINTR)
			;
		return r;
	}
	return 0;
}
