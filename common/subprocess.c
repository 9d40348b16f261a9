// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running a program to its end: collect what it says, enforce the time limit on
 * its whole process group, reap it. Starting it is in subprocess_start.c, what
 * happens if we are killed meanwhile in subprocess_guard.c.
 */
#include "common/subprocess.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common/cleanup.h"
#include "common/now.h"
#include "common/subprocess_running.h"
#include "common/text.h"

#define OUTPUT_BYTES_DEFAULT ((size_t)1 << 20)
#define TICK_MS 1000

static void running_done(struct running *running)
{
	subprocess_guard_stop(&running->guard);
	subprocess_strays_done(&running->strays);
	cleanup_close(&running->pidfd);
	cleanup_close(&running->output);
	cleanup_close(&running->error_output);
	text_buffer_done(&running->output_text);
	text_buffer_done(&running->error_text);
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

static void subprocess_give_up(struct running *running)
{
	running->timed_out = true;
	(void)kill(-running->pid, SIGKILL);
}

static void subprocess_wait(struct running *running)
{
	const struct subprocess_options *options = running->options;
	size_t limit = options->max_output_bytes ? options->max_output_bytes :
						   OUTPUT_BYTES_DEFAULT;

	for (;;) {
		uint64_t elapsed_ms = now_monotonic_ms() - running->started_ms;
		struct pollfd fds[] = {
			{ .fd = running->pidfd, .events = POLLIN },
			{ .fd = running->output, .events = POLLIN },
			{ .fd = running->error_output, .events = POLLIN },
		};

		if (options->timeout_ms && elapsed_ms >= options->timeout_ms &&
		    !running->timed_out)
			subprocess_give_up(running);
		if (options->tick && elapsed_ms >= running->ticked_ms + TICK_MS) {
			running->ticked_ms = elapsed_ms;
			options->tick(options->tick_context, elapsed_ms);
			if (options->is_enough && options->is_enough(options->tick_context))
				subprocess_give_up(running);
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

	running.started_ms = now_monotonic_ms();
	if (options->ends_strays)
		subprocess_strays_begin(&running.strays);
	r = subprocess_start(&running, err);
	if (r < 0)
		return r;
	subprocess_wait(&running);
	do
		pid = wait4(running.pid, &status, 0, &usage);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return error_set_errno(err, -errno, "cannot wait for %s", options->argv[0]);
	if (options->ends_strays)
		subprocess_strays_end(&running.strays, options, running.guard.pid);
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
		.wall_time_ms = now_monotonic_ms() - running.started_ms,
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
