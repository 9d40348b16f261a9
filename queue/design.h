// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An experiment design answers one question: given what was measured so far, which
 * point boots next, or is the experiment over? One const table a design; pure.
 */
#pragma once

#include "queue/run_state.h"

enum design_answer_kind {
	DESIGN_BOOT,       /* boot `point` next */
	DESIGN_CONCLUDED,  /* all that was to be measured is measured */
};

struct design_answer {
	enum design_answer_kind kind;
	int point;
};

struct design {
	const char *name;
	/* Called when boots 0..n_boots-1 are all BOOT_DONE. */
	struct design_answer (*next)(const struct run_state *state);
	/* Boots in all, as far as can be said now: for plans and estimates. */
	int (*expected_boots)(const struct run_state *state);
	/* Which point the @ordinal-th boot is for, for plans; -1 unknown. */
	int (*expected_point)(const struct run_state *state, int ordinal);
};

/* The job's design; static, never NULL for a job that was validated. */
const struct design *design_of(const struct job *job);

extern const struct design design_sandwich;
