// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entering a merge that a bisection found: the branch that it brought, and each commit of
 * the branch merged onto the first parent, in memory. What is looked for in which order is
 * the planner's. Every call reads in a child process and blocks.
 */
#pragma once

#include "orchestrator/work/range.h"

/* range_merge_tree(): the commit does not merge; the bisection skips it. */
#define RANGE_MERGE_CONFLICT 1

struct range_branch {
	unsigned n_parents;         /* of the merge; an octopus has more than two */
	char first[RANGE_ID_SIZE];  /* the merge's first parent */
	char base[RANGE_ID_SIZE];   /* where the branch begins: merge base of first and tip */
	char tip[RANGE_ID_SIZE];    /* the branch's last commit, the parent that was asked for */
};

/*
 * The branch that came in by parent @number (2, 3, ...) of @merge (any spelling). Its commits
 * are range_resolve() of base..tip. One sentence: no merge, no such parent, a branch without
 * common history, one that the first parent already had, a shallow clone.
 */
int range_merge_enter(const char *repository, const char *merge, unsigned number,
		      struct range_branch *ret_branch, struct error *err);

/*
 * The tree of @commit merged onto @first (40 hex digits each), as `git merge` would: a tree
 * for source_checkout() with the same @directory, where its new objects are kept. 0,
 * RANGE_MERGE_CONFLICT, or negative. The user's repository is only read.
 */
int range_merge_tree(const char *repository, const char *directory, const char *first, const char *commit,
		     char ret_tree[RANGE_ID_SIZE], struct error *err);
