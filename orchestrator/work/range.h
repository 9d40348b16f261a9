// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From GOOD..BAD to the commits of a bisection: one line of history from good to bad,
 * oldest first, each commit a child of the one before it. The repository is only read,
 * in a child process.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"
#include "common/error.h"

#define RANGE_ID_SIZE 41
#define RANGE_COMMITS_MAX 200000
/* What a commit counts beforehand when it touches a path that the user named; others: 1. */
#define RANGE_PATH_WEIGHT 10.0

struct range_commit {
	char id[RANGE_ID_SIZE];
	const char *title;     /* first line of its message, printable; owned by the range */
	int64_t author_time_s; /* since 1970 */
	bool is_merge;
	double weight;         /* prior weight; of commits[0] without meaning */
};

/* commits[0] is good, commits[n] is bad. */
struct range {
	size_t n;
	struct range_commit *commits;
	bool is_first_parents; /* false: good is reached through a merge's later parent only */
	char *titles;
};

struct range_request {
	const char *repository;
	const char *good;         /* any spelling that git knows */
	const char *bad;
	const char *const *paths; /* hints, files or directories; ends with NULL; may be NULL */
};

/*
 * "A..B" in two, each the caller's to free; an absent end is HEAD, as in git. -EINVAL and
 * a sentence without two dots, or with three.
 */
int range_split(const char *revision, char **ret_good, char **ret_bad, struct error *err);

/*
 * The line is git rev-list --first-parent --ancestry-path GOOD..BAD: first parents from bad,
 * and where a merge reaches good only through a later parent, that parent. Released by
 * range_done(). Blocks: about 10 us a commit, much longer only where good lies on no first
 * parent. One sentence each: ends alike, swapped, unrelated, good no ancestor of bad, shallow
 * clone, too many commits, a path that is at neither end. A repository that is repacked
 * meanwhile is opened once more.
 */
int range_resolve(const struct range_request *request, struct range *ret_range, struct error *err);
void range_done(struct range *range);

#define _cleanup_range_ _cleanup_(range_done)
