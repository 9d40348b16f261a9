// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running other programs: no shell, close-on-exec everywhere, bounded output,
 * a time limit, optionally as another user. Blocks until the program ends.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct subprocess_options {
	const char *const *argv;        /* argv[0] is looked up in PATH; NULL-terminated */
	const char *const *environment; /* whole environment, "NAME=value"; NULL: inherited */
	const char *directory;          /* working directory; NULL: inherited */
	const char *input_path;         /* standard input; NULL: /dev/null */
	int output_fd;                  /* > 0: stdout and stderr go there instead of memory */
	bool merge_stderr;              /* stderr into the captured output; else captured apart */
	bool change_user;               /* drop to uid/gid, no groups, no terminal, no way back */
	uid_t uid;
	gid_t gid;
	int cpu;                        /* >= 0 with pin_cpu: sched_setaffinity before exec */
	bool pin_cpu;
	uint64_t timeout_ms;            /* 0: none. The whole process group is killed */
	size_t max_output_bytes;        /* 0: 1 MiB. More output than this is cut off */
	uint64_t max_file_bytes;        /* RLIMIT_FSIZE, 0: unlimited */
	uint64_t max_memory_bytes;      /* RLIMIT_AS, of each process; 0: unlimited */
	uint64_t max_processes;         /* RLIMIT_NPROC, of its user; 0: unlimited */
	bool is_expendable;             /* when memory runs out it is what the kernel kills first */
	/* Every process that it leaves is killed at its end, in whatever group or session. */
	bool ends_strays;
	/* Called about once a second while it runs; may be NULL. */
	void (*tick)(void *context, uint64_t elapsed_ms);
	void *tick_context;
	/* As often, for any reason but time: true ends it as timeout_ms would. With tick. */
	bool (*is_enough)(void *tick_context);
};

struct subprocess_result {
	char *output;      /* captured stdout (and stderr when merged), NUL-terminated */
	size_t output_size;
	char *error_output;
	int exit_status;   /* 0..255, or -1 when a signal ended it */
	int signal;        /* the signal, or 0 */
	bool timed_out;
	uint64_t cpu_time_ms; /* user and system time of the program and its children */
	uint64_t wall_time_ms;
};

/*
 * Returns 0 whenever the program could be started, whatever its exit status;
 * negative errno otherwise. *ret_result is released by subprocess_result_done().
 */
int subprocess_run(const struct subprocess_options *options,
		   struct subprocess_result *ret_result, struct error *err);

/* As above, and any end but exit status 0 is -EPROTO with its last output line in @err. */
int subprocess_check(const struct subprocess_options *options,
		     struct subprocess_result *ret_result, struct error *err);

/* Frees what subprocess_run() or subprocess_check() filled; zeroed is fine. */
void subprocess_result_done(struct subprocess_result *result);

/*
 * Runs @function in a forked child of this process and returns the JSON object
 * that it made: big libraries (libgit2) keep their memory out of the daemon.
 * The child's negative return and error sentence come back as this call's own.
 */
struct json_t;
int subprocess_call(int (*function)(void *context, struct json_t **ret_result, struct error *err),
		    void *context, uint64_t timeout_ms, struct json_t **ret_result,
		    struct error *err);
