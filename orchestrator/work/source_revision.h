// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From words to commits: one revision, a commit against its parent, a range of one.
 * Only called inside a child process (subprocess_call).
 */
#pragma once

#include "orchestrator/work/source_git.h"

struct source_pair {
	git_commit *parent;
	git_commit *child;
	char *parent_revision; /* how a user would write it: "REV^", "A" */
	char *child_revision;
};

/* Frees what source_revision_pair() filled; NULL is fine. */
void source_pair_done(struct source_pair *pair);

/* Any spelling that git knows; tags are peeled. @path names the repository in sentences. */
int source_revision_find(git_repository *repository, const char *path, const char *revision,
			 git_commit **ret_commit, struct error *err);

/* REV: the commit and its only parent. A..B: B must be the commit right after A. */
int source_revision_pair(git_repository *repository, const char *path, const char *revision,
			 struct source_pair *ret_pair, struct error *err);
