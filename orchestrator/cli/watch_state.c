// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The decision alone; asking and acting is orchestrator/cli/watch.c's.
 */
#include "orchestrator/cli/watch_state.h"

void watch_heard(struct watch_state *state, const struct watch_answer *answer)
{
	if (answer->job != state->last.job)
		state->n_cycles = 0;
	state->last = *answer;
	state->is_silent = false;
}

enum watch_step watch_not_heard(struct watch_state *state, const struct watch_policy *policy,
				int64_t now_ms)
{
	int64_t silence_s = policy->silence_s ? policy->silence_s : state->last.silence_s;
	int64_t pause_s = policy->pause_s ? policy->pause_s : silence_s;

	if (!state->is_silent) {
		state->is_silent = true;
		state->silent_ms = now_ms;
	}
	if (!state->last.may_be_silent || now_ms - state->silent_ms < silence_s * 1000)
		return WATCH_WAIT;
	/* The power was cut in this silence: time to boot, and then some. */
	if (state->n_cycles > 0 && state->cycled_ms >= state->silent_ms &&
	    now_ms - state->cycled_ms < pause_s * 1000)
		return WATCH_WAIT;
	return state->n_cycles < policy->at_most ? WATCH_CYCLE : WATCH_GIVE_UP;
}

void watch_cycled(struct watch_state *state, int64_t now_ms)
{
	state->n_cycles++;
	state->cycled_ms = now_ms;
}
