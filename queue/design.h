// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An experiment design answers one question: given what was measured so far, which
 * point boots next, or is the experiment over? One const table a design; pure.
 */
#pragma once

#include "queue/run_state.h"

enum design_answer_kind {
	DESIGN_BOOT,       /* boot `point` next */
	DESIGN_SELECT,     /* commit `commit` of the line becomes a point first */
	DESIGN_CONCLUDED,  /* all that was to be measured is measured */
};

struct design_answer {
	enum design_answer_kind kind;
	int point;
	size_t commit;        /* DESIGN_SELECT: index in the line of commits */
	bool is_inconclusive; /* concluded, and there is no verdict */
};

struct design {
	const char *name;
	/* Called when boots 0..n_boots-1 are all over (boot_state_is_over()). */
	struct design_answer (*next)(const struct run_state *state);
	/* Boots in all, as far as can be said now: for plans and estimates. */
	int (*expected_boots)(const struct run_state *state);
	/* Which point the @ordinal-th boot is for; -1 unknown. */
	int (*point)(const struct job *job, int ordinal);
	/* Boots of a job that has not begun. */
	int (*first_boots)(const struct job *job);
};

/* The job's design; static, never NULL for a job that was validated. */
const struct design *design_of(const struct job *job);

/* What a job that has not begun will boot. */
int design_first_boots(const struct job *job);

/* For designs whose boots are all known beforehand: the first_boots() and then the end. */
struct design_answer design_next_fixed(const struct run_state *state);
int design_expected_fixed(const struct run_state *state);

extern const struct design design_sandwich;
extern const struct design design_sweep;
extern const struct design design_ladder;
extern const struct design design_bisect;
