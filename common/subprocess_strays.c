// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ends daemons that a build script started: as their reaper (PR_SET_CHILD_SUBREAPER, see
 * prctl(2)) this process gets every orphan below it as a child, and so finds it.
 */
#include "common/subprocess_strays.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define ROUND_MS 2
/* After that they multiply faster than they are found: all of that user's must go. */
#define PATIENT_ROUNDS 500
#define ROUNDS_MAX 5000

/* Field 4 of /proc/PID/stat, see proc(5); 0 when it is gone. */
static pid_t stray_parent(const char *pid)
{
	_cleanup_free_ char *path = text_format("/proc/%s/stat", pid), *stat = NULL;
	const char *end;

	if (file_read(path, 4096, &stat, NULL, NULL) < 0)
		return 0;
	end = strrchr(stat, ')'); /* the name before it may hold anything */
	return end && strlen(end) > 4 ? (pid_t)strtol(end + 4, NULL, 10) : 0;
}

/* The children of this process; *ret_pids is the caller's to free. */
static size_t strays_list(pid_t **ret_pids)
{
	DIR *directory = opendir("/proc");
	const struct dirent *entry;
	pid_t *pids = NULL;
	size_t n = 0;

	while (directory && (entry = readdir(directory))) {
		int64_t pid;
		pid_t *grown;

		if (text_parse_i64(entry->d_name, 1, INT32_MAX, &pid) < 0 ||
		    stray_parent(entry->d_name) != getpid())
			continue;
		grown = reallocarray(pids, n + 1, sizeof(*pids));
		if (!grown)
			break;
		pids = grown;
		pids[n++] = (pid_t)pid;
	}
	if (directory)
		(void)closedir(directory);
	*ret_pids = pids;
	return n;
}

static bool was_there(const struct subprocess_strays *strays, pid_t pid)
{
	for (size_t i = 0; i < strays->n_before; i++)
		if (strays->before[i] == pid)
			return true;
	return false;
}

void subprocess_strays_begin(struct subprocess_strays *strays)
{
	int is_reaper = 0;

	strays->n_before = strays_list(&strays->before);
	(void)prctl(PR_GET_CHILD_SUBREAPER, &is_reaper);
	if (!is_reaper)
		strays->is_set = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* kill(-1) as that user: one call reaches all, however fast they fork. */
static void strays_kill_user(const struct subprocess_options *options)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (setresuid(options->uid, options->uid, options->uid) == 0)
			(void)kill(-1, SIGKILL);
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* One look: kills and reaps what is there. False when there was nothing. */
static bool strays_round(const struct subprocess_strays *strays, pid_t guard)
{
	_cleanup_free_ pid_t *pids = NULL;
	size_t n = strays_list(&pids);
	bool found = false;

	for (size_t i = 0; i < n; i++) {
		if (pids[i] == guard || was_there(strays, pids[i]))
			continue;
		found = true;
		(void)kill(pids[i], SIGKILL);
		(void)waitpid(pids[i], NULL, WNOHANG);
	}
	return found;
}

void subprocess_strays_end(const struct subprocess_strays *strays,
			   const struct subprocess_options *options, pid_t guard)
{
	const struct timespec pause = { 0, ROUND_MS * 1000000L };

	for (int round = 0; round < ROUNDS_MAX && strays_round(strays, guard); round++) {
		if (round >= PATIENT_ROUNDS && options->change_user && options->uid != 0)
			strays_kill_user(options);
		(void)nanosleep(&pause, NULL);
	}
}

void subprocess_strays_done(struct subprocess_strays *strays)
{
	if (strays->is_set)
		(void)prctl(PR_SET_CHILD_SUBREAPER, 0);
	free(strays->before);
	*strays = (struct subprocess_strays){ 0 };
}
