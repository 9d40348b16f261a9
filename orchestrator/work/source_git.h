// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libgit2 as source.c and checkout.c use it: one set of global options, errors in
 * sentences, releases. Only ever called inside a child process (subprocess_call).
 */
#pragma once

#include <git2.h>
#include <stdbool.h>

#include "common/cleanup.h"
#include "common/error.h"

#define SOURCE_SHORT_ID_SIZE 13

/*
 * Once in each child: no ownership validation (other users' repositories are only
 * read), no system or user configuration, extensions that do not change objects.
 */
int source_git_start(struct error *err);

/*
 * Runs @function apart and within @cpu_limit_s (or less, when RLIMIT_CPU is less): libgit2
 * 1.5 reads a truncated loose object for ever. Then the sentence says that @repository is damaged.
 */
struct json_t;
int source_git_call(int (*function)(void *context, struct json_t **ret_result, struct error *err),
		    void *context, const char *repository, unsigned cpu_limit_s,
		    struct json_t **ret_result, struct error *err);

/* Bare, with a work tree, a linked worktree. One sentence on failure. */
int source_git_open(const char *path, git_repository **ret_repository, struct error *err);

/* libgit2's last message, or a stand-in; valid until its next call. */
const char *source_git_message(void);
/* The negative errno nearest to a libgit2 return value. */
int source_git_errno(int code);

/*
 * A sentence about changes, staged or not, that no commit has; untracked files say nothing.
 * NULL when there are none, or it cannot be told cheaply. Caller frees.
 */
char *source_git_dirty_note(git_repository *repository, const char *path);

const char *source_git_short(const git_oid *id, char buffer[SOURCE_SHORT_ID_SIZE]);

static inline void cleanup_git_repository(git_repository **repository)
{
	git_repository_free(*repository);
}

static inline void cleanup_git_object(git_object **object)
{
	git_object_free(*object);
}

static inline void cleanup_git_commit(git_commit **commit)
{
	git_commit_free(*commit);
}

static inline void cleanup_git_tree(git_tree **tree)
{
	git_tree_free(*tree);
}
