// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel sources by libgit2. The user's repository is only ever read; Abbot's own
 * work tree and index live under the state directory. Every call that opens a
 * repository runs in a child process (subprocess_call), so the daemon stays small.
 */
#pragma once

#include "common/error.h"
#include "queue/job.h"

/*
 * Pins every point of @job: fills commit, tree and title. A job with one point is REV
 * (or A..B): it becomes parent and child here. Refused with one sentence each: unknown or ambiguous
 * revision, merge or root commit given alone, missing / damaged / shallow repository,
 * a range that is not one commit long , a tree without a kernel Makefile.
 * Warnings (a dirty work tree) go to *ret_note, or NULL: caller frees.
 */
int source_resolve(struct job *job, char **ret_note, struct error *err);

/*
 * Makes DIRECTORY/src hold exactly @tree; only files that differ from what is there are
 * rewritten. Crash-safe: an interrupted checkout is completed by the next one. Our own
 * git directory beside it is DIRECTORY/git, with the user's objects as alternates.
 */
int source_checkout(const char *repository, const char *tree, const char *directory,
		    struct error *err);
