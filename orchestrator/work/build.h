// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From an exact commit to a kernel in the kernel store: one work tree and one object
 * directory for each repository, incremental, unprivileged, with fixed Kbuild metadata.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "common/error.h"
#include "queue/job.h"

#define BUILD_USER "abbot-build"

struct build_context {
	const char *state_directory;
	double expected_s;        /* for progress; 0: unknown */
	bool shows_progress;      /* on standard error */
	/* In place of "-ab" and the key's digits; part of the key. NULL: normal. For the lab's default kernel. */
	const char *local_version_override;
	long long min_free_bytes; /* refuse to start with less; 0: 2 GiB */
	long long reserved_bytes; /* end a build that leaves less; 0: 256 MiB */
	long long max_memory_bytes; /* of each of its processes; 0: what the machine has */
};

/*
 * The "configure" port: for each point checks the tree out, makes the seed config,
 * normalises, olddefconfig, asserts, stores it under STATE/configs/; then compares.
 * -EPERM: refused (a symbol did not hold, configs differ), the diff in @err.
 */
int build_configure(const struct build_context *context, const struct job *job,
		    json_t **ret_result, struct error *err);

/*
 * The "build" port for point @point: *ret_meta as in kernel_store.h, with "reused": true
 * when the key was there. -EPROTO: it does not build; *ret_meta (status "failed") is set too,
 * kept in the store, and @err holds the log's last lines. A point with job_point.kernel
 * set is only looked up.
 */
int build_kernel(const struct build_context *context, const struct job *job, size_t point,
		 json_t **ret_meta, struct error *err);
