// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot queue`'s --patch, --override, --revert, --config-set and --patched-cmdline: one
 * revision becomes two points or a ladder; files are read here, as the user who asks, and fetched, since the daemon
 * reads nobody's files.
 */
#pragma once

#include <jansson.h>

#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "queue/job.h"

struct queue_changes {
	json_t *files;             /* {SHA-256: base64}, for the request */
	struct text_buffer notes;  /* lines for the user */
	const char *archive;       /* of message ids; NULL: the usual one */
	char *cache;               /* what was fetched */
};

/* What is fetched is kept below @state_directory, where that may be written. */
void queue_changes_init(struct queue_changes *changes, const char *state_directory);
void queue_changes_done(struct queue_changes *changes);

bool queue_is_change_option(const char *name);
bool queue_has_changes(const struct cli_arguments *arguments);

/*
 * Makes the points of a job from one revision and the options: plain and patched, in the order
 * that --control says; with --each a ladder with a rung for each change.
 */
int queue_changes_add_points(struct job *job, const struct cli_arguments *arguments,
			     struct queue_changes *changes, struct error *err);

/* Reads what the points' changes name, relative to @directory (NULL: the current one). */
int queue_changes_load(struct job *job, const char *directory, struct queue_changes *changes,
		       struct error *err);
