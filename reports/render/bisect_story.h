// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bisection told: as a log that `git bisect replay` accepts, and as text for people, each
 * step with its reason. Both are pure functions of one plain struct; the caller owns all that
 * it points at.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "reports/statistics/change_point_search.h"

/* A commit that is bad with this probability, or good with it, is told to git as such. */
#define BISECT_STORY_SURE .99

/* What is believed of a commit in the end. */
enum bisect_mark {
	BISECT_MARK_NONE, /* never tried, or the boots leave it open */
	BISECT_MARK_GOOD,
	BISECT_MARK_BAD,
	BISECT_MARK_SKIP, /* could not be measured */
};

struct bisect_story_commit {
	const char *id;    /* 40 hex digits */
	const char *title; /* one line; "": not known */
	enum bisect_mark mark;
};

enum bisect_step_kind {
	BISECT_STEP_BOOT,      /* measured */
	BISECT_STEP_UNBUILT,   /* did not build */
	BISECT_STEP_UNBOOTED,  /* built, but it does not boot, or gives no number */
	BISECT_STEP_SAME_CODE, /* its kernel is that of another commit: not booted */
	BISECT_STEP_CONFLICT,  /* of a merged branch: does not merge onto the first parent */
	BISECT_STEP_CALLED_GOOD, /* by a person, whatever was measured */
	BISECT_STEP_CALLED_BAD,
	BISECT_STEP_RETEST,    /* a person wants it measured anew */
};

struct bisect_step {
	enum bisect_step_kind kind;
	size_t commit;         /* index in bisect_story.commits */
	enum change_point_phase phase;
	double value;          /* BOOT: the mean, in bisect_story.unit; NaN: a symptom, not a number */
	double bad;            /* probability, after this step, that this commit is bad; NaN: not known yet */
	size_t n_left;         /* commits among which the culprit is then; 0: not known yet */
	size_t twin;           /* SAME_CODE: the commit whose kernel it has */
	const char *note;      /* why, or where the log is; NULL */
};

struct bisect_story {
	const char *good;      /* as the user named the ends */
	const char *bad;
	/* Good, bad and all between on their line first; then those of branches entered. */
	const struct bisect_story_commit *commits;
	size_t n_commits;
	size_t n_line;         /* commits[0] is good, commits[n_line - 1] bad */
	bool is_first_parents; /* every commit of the table lies on bad's first parents */
	bool is_improvement;   /* the bad end is the better one */
	const char *unit;      /* "ns/page" */
	double step_min;       /* 100 ln: the smallest change looked for */
	const struct bisect_step *steps;
	size_t n_steps;
	enum change_point_outcome outcome;
	/* lo and hi are indices of commits, neighbours but for what could not be measured. */
	const struct change_point_found *found;
	size_t n_found;
	size_t n_undecided;    /* parts of the line where a further change may hide */
};

/*
 * Fills what follows from the boots: @steps[].bad and n_left of every boot after the gate, as
 * believed then, and the marks of the @data->n + 1 @commits of the line, as believed now. The
 * BOOT steps are @data's boots, in order. @found: what was proved first, NULL for nothing; it
 * decides for all commits beside it. Takes about a millisecond a boot.
 */
void bisect_story_believe(struct bisect_step *steps, size_t n_steps, struct bisect_story_commit *commits,
			  const struct change_point_data *data, const struct change_point_found *found);

/*
 * The log: `git bisect start`, one line for each marked commit, `#` lines for the rest. Bad
 * and good keep their names, an improvement has the terms fast and slow. After a replay git
 * is where the bisection is: it names the culprit, or the set that it is in. *ret_text ends
 * with a line feed and is the caller's. -EINVAL for ids that are none.
 */
int bisect_story_log(const struct bisect_story *story, char **ret_text, struct error *err);

/* "boot", "unbuilt", ...: for tables; static. */
const char *bisect_step_word(const struct bisect_step *step);

/* The same for people, 80 columns; the caller's. */
char *bisect_story_text(const struct bisect_story *story);
