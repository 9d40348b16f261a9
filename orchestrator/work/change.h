// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a point's commit and its changes to the tree that will be built, before any build.
 * The user's repository is only read; what is made goes to Abbot's own, from which
 * source_checkout() takes it. Patches and files come with the request and are kept by their
 * SHA-256 below STATE/patches.
 */
#pragma once

#include <jansson.h>

#include "common/error.h"
#include "queue/job.h"

/*
 * Checks that @files ({SHA-256 in hex: base64, ..}, may be NULL) holds what the job's changes
 * name and that the sums are right. *ret_contents: {SHA-256: base64} of these alone, or of
 * what an earlier job left below @state_directory; a new reference.
 */
int change_files_check(const struct job *job, const char *state_directory, const json_t *files,
		       json_t **ret_contents, struct error *err);
/* Durably below STATE/patches, by their sums. */
int change_files_keep(const char *state_directory, const json_t *contents, struct error *err);

/*
 * For each point of the resolved @job with patches, overrides or reverts: applies them in
 * order and sets tree, the commits' ids, titles. Nothing is fuzzed; the sentence names point,
 * change, file and hunk. @state_directory NULL: a trial, nothing is written anywhere.
 * Runs in a child process; blocks.
 */
int change_points_apply(struct job *job, const char *state_directory, const json_t *contents,
			struct error *err);
