// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commit objects for range_walk.c and range_descendants.c, parsed from the object itself:
 * git_commit_lookup() copies and keeps far more of each. Called inside a child process.
 */
#pragma once

#include <errno.h>
#include <stdint.h>

#include "orchestrator/work/source_git.h"

#define RANGE_TITLE_MAX_BYTES 200
#define RANGE_PARENTS_READ_MAX 64

/* An object was not where it should be: the caller opens the repository again, once. */
#define RANGE_WALK_AGAIN (-ESTALE)

struct range_raw_commit {
	git_oid tree;
	git_oid parents[RANGE_PARENTS_READ_MAX];
	size_t n_parents;
	int64_t author_time_s; /* since 1970; 0 where none is written */
	int64_t committer_time_s;
	const char *title;     /* not terminated, as it was written */
	size_t title_size;
};

/*
 * 0, or RANGE_WALK_AGAIN without a sentence (libgit2's is source_git_message()). The title
 * points into *ret_object, which the caller frees.
 */
int range_commit_read(git_odb *odb, const git_oid *id, git_odb_object **ret_object,
		      struct range_raw_commit *ret_commit);
