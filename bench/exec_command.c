// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A child with a pipe. While it runs this process sleeps: only output, its end, or the
 * deadline wake it.
 */
#include "bench/exec_command.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/proc_file.h"
#include "common/cleanup.h"

#define NOBODY 65534
#define EXIT_NOT_STARTED 127

struct command {
	pid_t pid;
	int output;
	int signals;       /* SIGCHLD */
	char *text;
	size_t size;
	bool is_at_end;    /* the pipe is closed */
	bool has_ended;
	int status;
};

/*
 * After root is gone nothing brings it back, and nothing of its environment remains. Nor
 * does anybody else gain rights: what does could not be killed.
 */
static bool give_up_rights(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	if (geteuid() != 0)
		return true;
	return setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
	       setresuid(NOBODY, NOBODY, NOBODY) == 0 && clearenv() == 0 &&
	       setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1) == 0 &&
	       setenv("LANG", "C.UTF-8", 1) == 0;
}

/* In the child; does not return. Its errno, should it fail, goes through @report. */
static void become_command(char *const *argv, int output, int report, const sigset_t *mask)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)setpgid(0, 0);
	if (give_up_rights() && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && dup2(null, 0) >= 0 &&
	    dup2(output, 1) >= 0 && sigprocmask(SIG_SETMASK, mask, NULL) == 0)
		(void)execvp(argv[0], argv);

	int code = errno;

	(void)!write(report, &code, sizeof(code));
	_exit(EXIT_NOT_STARTED);
}

static int start(struct command *command, char *const *argv, struct error *err)
{
	int pipes[2][2];
	sigset_t child_signal;
	sigset_t old;
	int code = 0;

	if (pipe2(pipes[0], O_CLOEXEC) != 0)
		return error_set_errno(err, -errno, "no pipe for %s", argv[0]);
	if (pipe2(pipes[1], O_CLOEXEC) != 0) {
		code = error_set_errno(err, -errno, "no pipe for %s", argv[0]);
		(void)close(pipes[0][0]);
		(void)close(pipes[0][1]);
		return code;
	}
	(void)sigemptyset(&child_signal);
	(void)sigaddset(&child_signal, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &child_signal, &old);
	/* What the command leaves behind becomes ours, to be found and killed. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	command->signals = signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
	command->pid = fork();
	if (command->pid == 0)
		become_command(argv, pipes[0][1], pipes[1][1], &old);
	(void)close(pipes[0][1]);
	(void)close(pipes[1][1]);
	command->output = pipes[0][0];
	(void)fcntl(command->output, F_SETFL, O_NONBLOCK);
	if (command->pid < 0 || command->signals < 0)
		code = error_set_errno(err, -errno, "%s cannot be started", argv[0]);
	else if (read(pipes[1][0], &code, sizeof(code)) == (ssize_t)sizeof(code))
		code = error_set_errno(err, -code, "%s cannot be started", argv[0]);
	(void)close(pipes[1][0]);
	return code;
}

/* All that the pipe holds now. */
static int read_output(struct command *command, struct error *err)
{
	for (;;) {
		ssize_t n = read(command->output, command->text + command->size,
				 EXEC_OUTPUT_MAX_BYTES + 1 - command->size);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 :
				       error_set_errno(err, -errno, "the command's output is lost");
		command->is_at_end = n == 0;
		if (n == 0)
			return 0;
		command->size += (size_t)n;
		if (command->size > EXEC_OUTPUT_MAX_BYTES)
			return error_set(err, -E2BIG,
					 "the command prints more than %d bytes; it has to print its "
					 "figures only", EXEC_OUTPUT_MAX_BYTES);
	}
}

/* The command has ended when it itself has: what it left running may hold the pipe. */
static int wait_for_end(struct command *command, int64_t timeout_s, struct error *err)
{
	uint64_t deadline_ns = clock_now_ns() + (uint64_t)timeout_s * 1000000000U;
	struct pollfd polls[2] = { { .fd = command->output, .events = POLLIN },
				   { .fd = command->signals, .events = POLLIN } };

	while (!command->has_ended) {
		uint64_t now_ns = clock_now_ns();
		struct signalfd_siginfo info;
		int code;

		if (now_ns >= deadline_ns)
			return error_set(err, -ETIMEDOUT,
					 "the command did not end within %" PRId64
					 " s and was killed; raise --timeout", timeout_s);
		polls[0].fd = command->is_at_end ? -1 : command->output;
		(void)poll(polls, 2, (int)((deadline_ns - now_ns) / 1000000U) + 1);
		while (read(command->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
			;
		command->has_ended = waitpid(command->pid, &command->status, WNOHANG) ==
				     command->pid;
		code = read_output(command, err);
		if (code < 0)
			return code;
	}
	return 0;
}

/* Kills the children that we have; those of theirs become ours, until there is none. */
static void kill_all(const struct command *command)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/task/%ld/children", (long)getpid());
	if (command->pid > 0)
		(void)kill(-command->pid, SIGKILL);
	for (;;) {
		_cleanup_free_ char *children = proc_file_read(path, 1U << 20, NULL);
		char *place = children;

		for (long pid; place && (pid = strtol(place, &place, 10)) > 0;)
			(void)kill((pid_t)pid, SIGKILL);
		if (command->pid > 0 && !command->has_ended)
			(void)kill(command->pid, SIGKILL);
		/* Without that file (CONFIG_PROC_CHILDREN) strays are not found, nor waited for. */
		if (waitpid(-1, NULL, children ? 0 : WNOHANG) <= 0 && errno != EINTR)
			return;
	}
}

static int check_end(const struct command *command, const char *name, struct error *err)
{
	if (WIFSIGNALED(command->status))
		return error_set(err, -EPROTO, "%s was killed by signal %d (%s)", name,
				 WTERMSIG(command->status), strsignal(WTERMSIG(command->status)));
	if (WEXITSTATUS(command->status) != 0)
		return error_set(err, -EPROTO, "%s ended with status %d", name,
				 WEXITSTATUS(command->status));
	return 0;
}

int exec_command_run(char *const *argv, int64_t timeout_s, char **ret_output, size_t *ret_size,
		     struct error *err)
{
	_cleanup_free_ char *text = malloc(EXEC_OUTPUT_MAX_BYTES + 2);
	struct command command = { .output = -1, .signals = -1, .text = text };
	int code;

	if (!text)
		return error_set(err, -ENOMEM, "no memory for the command's output");
	code = start(&command, argv, err);
	if (code == 0)
		code = wait_for_end(&command, timeout_s, err);
	kill_all(&command);
	cleanup_close(&command.output);
	cleanup_close(&command.signals);
	if (code == 0)
		code = check_end(&command, argv[0], err);
	if (code < 0)
		return code;
	text[command.size] = '\0';
	*ret_size = command.size;
	*ret_output = TAKE_PTR(text);
	return 0;
}
