// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forks, acts, reports. The child dies with the daemon: an intent without a result is
 * what a crash leaves anyway, and the planner knows how to go on from there.
 */
#include "orchestrator/daemon/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"

#define OUTCOME_MAX_BYTES ((size_t)16 * 1024 * 1024)

static void reset_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &action, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void write_outcome(int fd, int status, json_t *result, const struct error *err)
{
	_cleanup_json_ json_t *outcome =
		json_pack("{s:i, s:O?, s:o}", "status", status, "result", result, "error",
			  json_stringn_nocheck(err->text, strlen(err->text)));
	char *text = json_dumps(outcome, JSON_COMPACT);
	size_t size = text ? strlen(text) : 0, sent = 0;

	while (sent < size) {
		ssize_t n = write(fd, text + sent, size - sent);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0)
			sent += (size_t)n;
	}
}

static _Noreturn void run_child(int fd, pid_t parent, const struct ports *ports,
				const struct run_state *state,
				const struct observation *observation,
				const struct action *action)
{
	struct error err = { 0 };
	json_t *result = NULL;
	int status;

	reset_signals();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1); /* it died before the line above */
	status = executor_act(ports, state, observation, action, &result, &err);
	write_outcome(fd, status, result, &err);
	_exit(0);
}

int worker_start(struct worker *worker, const struct ports *ports, const struct run_state *state,
		 const struct observation *observation, const struct action *action,
		 void (*in_child)(void *context), void *context, struct error *err)
{
	int fds[2];
	pid_t parent = getpid(), pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return error_set_errno(err, -errno, "cannot make a pipe");
	pid = fork();
	if (pid == 0) {
		(void)close(fds[0]);
		if (in_child)
			in_child(context);
		run_child(fds[1], parent, ports, state, observation, action);
	}
	(void)close(fds[1]);
	if (pid < 0) {
		int r = error_set_errno(err, -errno, "cannot start a child process");

		(void)close(fds[0]);
		return r;
	}
	(void)fcntl(fds[0], F_SETFL, O_NONBLOCK);
	worker->pid = pid;
	worker->fd = fds[0];
	return 0;
}

int worker_read(struct worker *worker)
{
	char piece[16384];

	for (;;) {
		ssize_t n = read(worker->fd, piece, sizeof(piece));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n == 0)
			return 1;
		if (worker->output.size + (size_t)n > OUTCOME_MAX_BYTES)
			return -EMSGSIZE;
		text_append_bytes(&worker->output, piece, (size_t)n);
	}
}

static int reap(struct worker *worker)
{
	int wait_status = 0;

	while (waitpid(worker->pid, &wait_status, 0) < 0 && errno == EINTR)
		;
	worker->pid = 0;
	if (worker->fd >= 0)
		(void)close(worker->fd);
	worker->fd = -1;
	return wait_status;
}

int worker_finish(struct worker *worker, json_t **ret_result, struct error *err)
{
	_cleanup_json_ json_t *outcome = NULL;
	int wait_status = reap(worker);
	const json_t *status;

	if (worker->output.size)
		outcome = json_loadb(worker->output.text, worker->output.size, 0, NULL);
	text_buffer_done(&worker->output);
	status = json_object_get(outcome, "status");
	if (!json_is_integer(status)) {
		if (WIFSIGNALED(wait_status))
			return error_set(err, -EPIPE, "the process that did this was killed by signal %d (%s)",
					 WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
		return error_set(err, -EPIPE, "the process that did this ended without an answer");
	}
	if (json_is_object(json_object_get(outcome, "result")))
		*ret_result = json_incref(json_object_get(outcome, "result"));
	if (json_integer_value(status) < 0)
		return error_set(err, (int)json_integer_value(status), "%s",
				 json_string_value(json_object_get(outcome, "error")));
	return 0;
}

void worker_kill(struct worker *worker)
{
	if (!worker->pid)
		return;
	(void)kill(worker->pid, SIGKILL);
	(void)reap(worker);
	text_buffer_done(&worker->output);
}
