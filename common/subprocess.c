// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running a program to its end: start it, collect what it says, enforce the
 * time limit on its whole process group, reap it. What happens between fork and
 * exec is in subprocess_child.c, what happens if we are killed in subprocess_guard.c.
 */
#include "common/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/subprocess_child.h"
#include "common/subprocess_guard.h"
#include "common/text.h"

#define OUTPUT_BYTES_DEFAULT ((size_t)1 << 20)
#define TICK_MS 1000

struct running {
	const struct subprocess_options *options;
	pid_t pid;
	int pidfd;
	struct subprocess_guard guard;
	int output;       /* read ends, -1 after end of file */
	int error_output;
	struct text_buffer output_text;
	struct text_buffer error_text;
	uint64_t started_ms;
	uint64_t ticked_ms;
	bool timed_out;
};

static uint64_t subprocess_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void running_done(struct running *running)
{
	subprocess_guard_stop(&running->guard);
	cleanup_close(&running->pidfd);
	cleanup_close(&running->output);
	cleanup_close(&running->error_output);
	text_buffer_done(&running->output_text);
	text_buffer_done(&running->error_text);
}

/* The child's word on why it did not get as far as exec; 0 when it did. */
static int subprocess_read_status(int fd, const struct subprocess_options *options,
				  struct error *err)
{
	static const char *const steps[] = {
		[SUBPROCESS_STEP_GROUP] = "make a process group for",
		[SUBPROCESS_STEP_STDIO] = "connect the output of",
		[SUBPROCESS_STEP_LIMITS] = "limit the file size of",
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

static int subprocess_start(struct running *running, struct error *err)
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
	/* EACCES: it has done so itself and is past exec. */
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

/* Takes what is there; closes *fd at its end. Output over the limit is dropped. */
static void subprocess_collect(int *fd, struct text_buffer *text, size_t limit)
{
	char piece[16384];
	ssize_t n = read(*fd, piece, sizeof(piece));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		(void)close(*fd);
		*fd = -1;
		return;
	}
	if ((size_t)n > limit - text->size)
		n = (ssize_t)(limit - text->size);
	text_append_bytes(text, piece, (size_t)n);
}

/* After the program's end: what is still in the pipe, without waiting for more. */
static void subprocess_drain(int *fd, struct text_buffer *text, size_t limit)
{
	struct pollfd ready = { .events = POLLIN };

	while ((ready.fd = *fd) >= 0 && poll(&ready, 1, 0) > 0)
		subprocess_collect(fd, text, limit);
}

/* How long poll() may sleep; -1: nothing to wake up for but the program. */
static int subprocess_sleep_ms(const struct running *running, uint64_t elapsed_ms)
{
	const struct subprocess_options *options = running->options;
	uint64_t sleep_ms = UINT64_MAX;

	if (options->timeout_ms && !running->timed_out)
		sleep_ms = elapsed_ms < options->timeout_ms ? options->timeout_ms - elapsed_ms : 0;
	if (options->tick) {
		uint64_t next_ms = running->ticked_ms + TICK_MS;
		uint64_t tick_ms = next_ms > elapsed_ms ? next_ms - elapsed_ms : 0;

		if (tick_ms < sleep_ms)
			sleep_ms = tick_ms;
	}
	if (sleep_ms == UINT64_MAX)
		return -1;
	return sleep_ms > 1000000000 ? 1000000000 : (int)sleep_ms;
}

static void subprocess_wait(struct running *running)
{
	const struct subprocess_options *options = running->options;
	size_t limit = options->max_output_bytes ? options->max_output_bytes :
						   OUTPUT_BYTES_DEFAULT;

	for (;;) {
		uint64_t elapsed_ms = subprocess_now_ms() - running->started_ms;
		struct pollfd fds[] = {
			{ .fd = running->pidfd, .events = POLLIN },
			{ .fd = running->output, .events = POLLIN },
			{ .fd = running->error_output, .events = POLLIN },
		};

		if (options->timeout_ms && elapsed_ms >= options->timeout_ms &&
		    !running->timed_out) {
			running->timed_out = true;
			(void)kill(-running->pid, SIGKILL);
		}
		if (options->tick && elapsed_ms >= running->ticked_ms + TICK_MS) {
			running->ticked_ms = elapsed_ms;
			options->tick(options->tick_context, elapsed_ms);
		}
		if (poll(fds, ARRAY_SIZE(fds), subprocess_sleep_ms(running, elapsed_ms)) <= 0)
			continue;
		if (fds[1].revents)
			subprocess_collect(&running->output, &running->output_text, limit);
		if (fds[2].revents)
			subprocess_collect(&running->error_output, &running->error_text, limit);
		if (fds[0].revents)
			break;
	}
	/* It is a zombie now, so the group's number is still its own: no stragglers. */
	(void)kill(-running->pid, SIGKILL);
	subprocess_drain(&running->output, &running->output_text, limit);
	subprocess_drain(&running->error_output, &running->error_text, limit);
}

int subprocess_run(const struct subprocess_options *options,
		   struct subprocess_result *ret_result, struct error *err)
{
	_cleanup_(running_done) struct running running = {
		.options = options,
		.pidfd = -1,
		.output = -1,
		.error_output = -1,
	};
	struct rusage usage;
	size_t output_size;
	int status, r;
	pid_t pid;

	running.started_ms = subprocess_now_ms();
	r = subprocess_start(&running, err);
	if (r < 0)
		return r;
	subprocess_wait(&running);
	do
		pid = wait4(running.pid, &status, 0, &usage);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return error_set_errno(err, -errno, "cannot wait for %s", options->argv[0]);
	/* Apart: taking the text empties the buffer, and initialisers have no order. */
	output_size = running.output_text.size;
	*ret_result = (struct subprocess_result){
		.output_size = output_size,
		.output = text_buffer_take(&running.output_text),
		.error_output = text_buffer_take(&running.error_text),
		.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
		.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
		.timed_out = running.timed_out,
		.cpu_time_ms = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
			       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000,
		.wall_time_ms = subprocess_now_ms() - running.started_ms,
	};
	return 0;
}

void subprocess_result_done(struct subprocess_result *result)
{
	if (!result)
		return;
	free(result->output);
	free(result->error_output);
	*result = (struct subprocess_result){ 0 };
}
