// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walking commits for range.c and range_merge.c; only ever called inside their child
 * processes. libgit2's own walk would read, sort and keep the whole history around a range.
 */
#pragma once

#include "common/text.h"
#include "orchestrator/work/range_commit.h"

/* range_walk(): the first parents of bad never meet good. */
#define RANGE_WALK_APART 1

struct range_entry {
	git_oid id;
	git_oid tree;
	int64_t author_time_s;
	size_t title; /* offset in range_line.titles */
	bool is_merge;
};

/* Newest first: entries[0] is bad, the last one good. Zero-initialise. */
struct range_line {
	struct range_entry *entries;
	size_t n_entries;
	struct text_buffer titles; /* each ends with a zero byte */
};

/* The names of a range's ends and of its repository, for sentences. */
struct range_ends {
	git_repository *repository;
	const char *path;
	const char *good;
	const char *bad;
	git_oid good_id;
	git_oid bad_id;
};

void range_line_done(struct range_line *line);

/*
 * First parents from bad to good. 0, RANGE_WALK_APART, RANGE_WALK_AGAIN, or a refusal
 * (shallow, too long). *ret_line is untouched unless 0. It gives up after a long run of
 * commits that are older than good, so APART says nothing yet about ancestry.
 */
int range_walk_first_parents(const struct range_ends *ends, struct range_line *ret_line,
			     struct error *err);

/*
 * From bad to good over children of good only, first parents preferred. Good must be an
 * ancestor of bad. Reads all of good..bad.
 */
int range_walk_descendants(const struct range_ends *ends, struct range_line *ret_line,
			   struct error *err);

/* Which parent comes next; false: none. */
typedef bool (*range_choose_function)(const void *context, const struct range_raw_commit *commit,
				      git_oid *ret_parent);

/*
 * Appends bad, what @choose finds below it and so on, good. Without a @context (then good may
 * be nowhere) it gives up among commits that are far older than good: RANGE_WALK_APART.
 */
int range_walk_line(const struct range_ends *ends, git_odb *odb, range_choose_function choose,
		    const void *context, struct range_line *line, struct error *err);

int range_odb_open(const struct range_ends *ends, git_odb **ret_odb, struct error *err);
/* The sentence for an object that cannot be read: RANGE_WALK_AGAIN, or -EINVAL in a shallow clone. */
int range_refuse_missing(const struct range_ends *ends, const git_oid *id, struct error *err);
