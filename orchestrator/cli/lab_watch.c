// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The run is a child of a process that only waits: a signal then ends the run wherever
 * it is, and what is to be written down is written by a process in good order.
 */
#include "orchestrator/cli/lab_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define STORE_WAIT_S 30

static char *run_directory(const struct lab_host *host, int64_t job_id)
{
	return text_format("%s/lab/job-%lld", host->state_directory, (long long)job_id);
}

int lab_watch_claim(const struct lab_host *host, int *ret_fd, struct error *err)
{
	_cleanup_free_ char *directory = run_directory(host, host->job_id);
	_cleanup_close_ int fd = -1;
	int r;

	(void)unlink(directory); /* of a run before, a link */
	r = file_make_directories(directory, 0755, err);
	if (r < 0)
		return r;
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		return error_set_errno(err, -errno, "cannot lock %s", directory);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int lab_watch_share(const struct lab_host *host, int64_t job_id, struct error *err)
{
	_cleanup_free_ char *link = run_directory(host, job_id);
	_cleanup_free_ char *target = text_format("job-%lld", (long long)host->job_id);

	(void)unlink(link);
	if (symlink(target, link) < 0)
		return error_set_errno(err, -errno, "cannot make %s a link to %s", link, target);
	return 0;
}

static bool is_running(const struct lab_host *host, int64_t job_id)
{
	_cleanup_free_ char *directory = run_directory(host, job_id);
	_cleanup_close_ int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;
}

/* What a run removes at its end: a disk of a gigabyte, a copy of the queue. */
static void remove_rest(const struct lab_host *host)
{
	_cleanup_free_ char *directory = run_directory(host, host->job_id);
	_cleanup_free_ char *disk = path_join(directory, "disk.img");
	_cleanup_free_ char *guest_state = path_join(directory, "guest-state");

	(void)unlink(disk);
	(void)file_remove_tree(guest_state, NULL);
	/* Only when nothing was made in it; of several jobs all but the first have a link. */
	if (rmdir(directory) < 0 && errno == ENOTDIR)
		(void)unlink(directory);
}

/* Whether @job_id has ended: only of others is there anything to clean. */
static int is_unfinished(const struct lab_host *host, bool *ret_is_unfinished, struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state;
	int r = store_load_events(host->store, host->job_id, &events, err);

	run_state_init(&state);
	if (r == 0)
		r = run_state_fold(&state, &events, err);
	if (r == 0)
		*ret_is_unfinished = !run_state_is_ended(&state);
	return r;
}

int lab_watch_clean(const struct lab_host *host, struct error *err)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	int r = store_list_jobs(host->store, &list, err);

	for (size_t i = 0; i < list.n_jobs && r == 0; i++) {
		const struct lab_host lost = {
			.store = host->store,
			.state_directory = host->state_directory,
			.job_id = list.jobs[i].id,
		};

		bool is_lost = false;

		if (list.jobs[i].is_emulated && !is_running(host, lost.job_id))
			r = is_unfinished(&lost, &is_lost, err);
		if (r == 0 && is_lost) {
			remove_rest(&lost);
			r = lab_host_fail(&lost, "abbot lab was killed before the job had ended", err);
		}
	}
	return r;
}

static void record(const char *state_directory, int64_t job_id, const char *reason)
{
	struct lab_host host = { .state_directory = state_directory, .job_id = job_id };
	struct error err = { 0 };
	int r = lab_host_open(&host, STORE_WAIT_S, &err);

	remove_rest(&host);
	if (r == 0)
		r = lab_host_fail(&host, reason, &err);
	lab_host_done(&host);
	if (r < 0)
		fprintf(stderr, "abbot: job %lld could not be recorded as failed: %s\n",
			(long long)job_id, err.text);
	else
		fprintf(stderr, "abbot: %s; job %lld is recorded as failed, and the rehearsal can be run again\n",
			reason, (long long)job_id);
}

/* The number of the signal that ended the run, 0 when it ended by itself. */
static int wait_for(pid_t child, const sigset_t *signals, int *ret_status)
{
	int number = 0;

	for (;;) {
		int got = sigwaitinfo(signals, NULL);

		if (got == SIGCHLD) {
			if (waitpid(child, ret_status, WNOHANG) == child)
				break;
		} else if (got > 0) {
			number = got;
			(void)kill(child, SIGTERM);
		}
	}
	if (!number && WIFSIGNALED(*ret_status))
		number = WTERMSIG(*ret_status);
	return number;
}

static void child_run(int (*function)(void *context, struct lab_jobs *rehearsals), void *context,
		      struct lab_jobs *rehearsals, const sigset_t *old, pid_t parent)
{
	int status;

	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)sigprocmask(SIG_SETMASK, old, NULL);
	if (getppid() != parent)
		_exit(3);
	status = function(context, rehearsals);
	(void)fflush(NULL);
	_exit(status);
}

int lab_watch(const char *state_directory,
	      int (*function)(void *context, struct lab_jobs *rehearsals), void *context)
{
	struct lab_jobs *rehearsals = mmap(NULL, sizeof(*rehearsals), PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigset_t signals, old;
	pid_t child, parent = getpid();
	int number, status = 0;

	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigaddset(&signals, SIGHUP);
	(void)sigaddset(&signals, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &signals, &old);
	(void)fflush(NULL);
	child = rehearsals == MAP_FAILED ? -1 : fork();
	if (child < 0) {
		fprintf(stderr, "abbot: cannot start the rehearsal: %s\n", strerror(errno));
		return 3;
	}
	if (child == 0)
		child_run(function, context, rehearsals, &old, parent);
	number = wait_for(child, &signals, &status);
	for (size_t i = 0; number && i < rehearsals->n_jobs; i++) {
		_cleanup_free_ char *reason =
			text_format("abbot lab was ended by signal %d (%s)", number, strsignal(number));

		record(state_directory, rehearsals->ids[i], reason);
	}
	(void)munmap(rehearsals, sizeof(*rehearsals));
	if (!number) {
		(void)sigprocmask(SIG_SETMASK, &old, NULL);
		return WEXITSTATUS(status);
	}
	(void)signal(number, SIG_DFL);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	(void)raise(number);
	return 128 + number;
}
