// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verb table of `abbot`: one file a verb, one row a verb (verb_table.c). Usage
 * text, man page and completion are checked against this table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Options given before the verb. */
struct cli {
	const char *state_directory; /* --state DIR, else /var/lib/abbot */
	bool is_state_given;
	const char *socket_path;     /* the daemon's; NULL: --state without --socket, never ask it */
};

struct verb_option {
	const char *name;     /* "--exactly" */
	const char *argument; /* "ORDER", or NULL for a flag */
	const char *help;
};

struct verb {
	const char *name;
	const char *synopsis; /* "queue [OPTION...] REV | A B | A..B | --file-job FILE" */
	const char *summary;  /* one line */
	const struct verb_option *options; /* ended by a NULL name */
	const char *const *words; /* what its first word may be, NULL-terminated; NULL: free */
	/*
	 * Returns the exit status: 0 good, 1 the answer is no (refused, not safe),
	 * 2 usage or bad input, 3 a fault. Prints one sentence to stderr on failure.
	 */
	int (*run)(const struct cli *cli, int argc, char **argv); /* argv[0] is the verb */
};

extern const struct verb *const verb_table[]; /* NULL-terminated, in help order */

extern const struct verb verb_check, verb_queue, verb_plan, verb_lab, verb_list, verb_status,
	verb_log, verb_report, verb_bundle, verb_compare, verb_analyze, verb_simulate, verb_cancel, verb_pause,
	verb_resume, verb_kernels, verb_watch;

/* The verb of that name, or NULL. */
const struct verb *verb_find(const char *name);
/* The nearest verb's name for a message, or NULL. */
const char *verb_nearest(const char *name);
