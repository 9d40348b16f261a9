// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bisection as part of the run state: the line of commits, the search over it
 * (reports/statistics/change_point_search.h) and how far the job's boots have answered it.
 * Made and kept by the fold; pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "queue/job.h"
#include "reports/statistics/change_point_search.h"

#define BISECT_ID_SIZE 41
/* The points that every bisection has; further ones are commits between them. */
#define BISECT_GOOD 0
#define BISECT_BAD 1

struct run_state;

enum bisect_answer_kind {
	BISECT_MEASURED,
	BISECT_NOT_BUILT,   /* no kernel: no config, or it does not build */
	BISECT_NOT_BOOTED,  /* a kernel that cannot be measured */
	BISECT_TWIN,        /* the kernel of another commit, code for code */
};

/* One request of the search and what answered it. */
struct bisect_answer {
	enum bisect_answer_kind kind;
	enum change_point_phase phase;
	size_t commit;
	int point;
	int boot;           /* MEASURED; else -1 */
	size_t twin;        /* TWIN: the other commit */
};

#define BISECT_ANSWERS_MAX (CHANGE_POINT_BOOTS_MAX + JOB_POINTS_MAX)

struct bisect {
	size_t n;                  /* index of the bad end; 0 is the good one */
	char *ids;                 /* n + 1 times 40 hex digits, good first */
	bool is_first_parents;     /* every commit is the first parent of the next */
	struct change_point_search *search;
	int n_fed;                 /* boots of the run state that the search has seen */
	struct bisect_answer answers[BISECT_ANSWERS_MAX];
	size_t n_answers;
	char *fault;               /* the search cannot go on; NULL */
};

void bisect_free(struct bisect *bisect);

/* The full id of commit @index. */
void bisect_commit_id(const struct bisect *bisect, size_t index, char ret_id[BISECT_ID_SIZE]);
/* Which point of the job is commit @index of the line; -1: none yet. */
int bisect_point(const struct run_state *state, size_t index);

/* What the search cost so far and, roughly, what is left of it. */
struct bisect_outlook {
	int boots_left;
	int builds_left;
	size_t n_suspects; /* commits that together hold the change with .99 or more */
};

/* Without a line of commits yet: for one of a thousand. */
struct bisect_outlook bisect_outlook_make(const struct run_state *state);

/*
 * The culprits of a found pair: the commits after @ret_first - 1 up to @ret_last, without
 * those at either side whose kernel is that of a measured end of the pair.
 */
void bisect_found_commits(const struct bisect *bisect, const struct change_point_found *found,
			  size_t *ret_first, size_t *ret_last);

/* Why it ended, one sentence into @text; the search must have ended. */
void bisect_say_end(const struct run_state *state, char *text, size_t size);
