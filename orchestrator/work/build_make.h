// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One run of make for one kernel in a site's object directory. For build.c only.
 */
#pragma once

#include "orchestrator/work/build_site.h"

struct build_make {
	const char *what;          /* for the progress line: "building child 3f2a1c" */
	const char *local_version;
	const char *config;        /* path; becomes the object directory's .config */
	const char *log;           /* path; appended to */
	int64_t jobs;              /* 0: one for each processor */
	double expected_s;         /* 0: unknown */
	bool has_modules;          /* CONFIG_MODULES=y: they are made too */
	bool shows_progress;
};

struct build_made {
	int exit_status;           /* of make; -1 when a signal ended it */
	bool timed_out;
	bool was_disk_full;        /* it was ended because it left too little space */
	bool is_incremental;       /* objects of an earlier build were there */
	uint64_t cpu_time_ms;
	uint64_t wall_time_ms;
};

/*
 * Crash-safe: objects that an interrupted build may have torn are thrown away first.
 * Returns 0 when make ran to an end, good or bad.
 */
int build_make_run(const struct build_site *site, const struct build_make *make,
		   struct build_made *ret_made, struct error *err);

/*
 * `make modules_install` to below @directory, emptied first, as the build user: lib/modules/RELEASE
 * there. Adds to *made the time, and replaces its exit status and "timed out".
 */
int build_make_install_modules(const struct build_site *site, const struct build_make *make,
			       const char *directory, struct build_made *made, struct error *err);
