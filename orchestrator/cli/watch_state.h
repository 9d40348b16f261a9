// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When `abbot watch` cuts another machine's power. Pure: what was heard and the time are
 * arguments. Calling sequence: watch_heard() or watch_not_heard() after each look, then do
 * what it says, watch_cycled() after every run of the power-cycle command.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct watch_policy {
	int64_t silence_s; /* longest silence; 0: what the machine itself says */
	int64_t pause_s;   /* between two runs of the command; 0: as long as the silence */
	int64_t at_most;   /* runs of the command for one job */
};

/* What the machine said. */
struct watch_answer {
	int64_t job;        /* 0: it has none */
	bool may_be_silent; /* test kernels are installed: it may be in one, or on the way */
	int64_t silence_s;  /* in which it should be heard again */
};

enum watch_step {
	WATCH_WAIT,    /* look again later */
	WATCH_CYCLE,   /* run the power-cycle command now */
	WATCH_GIVE_UP, /* the command was run as often as allowed, and it is still silent */
};

struct watch_state {
	struct watch_answer last;    /* all zero until it was reached */
	bool is_silent;
	int64_t silent_ms;           /* monotonic: the first look since then that got no answer */
	int64_t n_cycles;            /* for last.job */
	int64_t cycled_ms;           /* when the command last ended */
};

/* It answered. A job that is another one has its own number of runs. */
void watch_heard(struct watch_state *state, const struct watch_answer *answer);

/*
 * It did not. The silence is counted from the first such look, since the one before may be
 * long ago. Never WATCH_CYCLE for a machine that was not reached, or should not be silent.
 */
enum watch_step watch_not_heard(struct watch_state *state, const struct watch_policy *policy,
				int64_t now_ms);

/* The command was run, with success or not. */
void watch_cycled(struct watch_state *state, int64_t now_ms);
