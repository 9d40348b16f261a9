// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events read back from a damaged or forged store: refused with a sentence, or folded into
 * a state from which the planner makes one of its actions.
 */
#include "common/cleanup.h"
#include "queue/plan.h"
#include "queue/tests/hostile_rows.h"

static void plan_all(const struct run_state *state)
{
	struct observation seen = { .now_s = 1000000, .uptime_s = 1000, .is_system_ready = true };
	struct action action;

	for (int i = 0; i < 8; i++) {
		(void)snprintf(seen.boot_id, sizeof(seen.boot_id), "%s",
			       i & 1 ? "22222222-2222-2222-2222-222222222222" : "11111111-1111-1111-1111-111111111111");
		(void)snprintf(seen.build_id, sizeof(seen.build_id), "%s",
			       i & 2 ? "dddddddddddddddddddddddddddddddddddddddd" : "cccccccccccccccccccccccccccccccccccccccc");
		seen.is_armed = i & 4;
		(void)snprintf(seen.armed_token, sizeof(seen.armed_token), "%s", i & 4 ? "t1" : "");
		plan_next(state, &seen, &action);
		FUZZ_REQUIRE(*action_kind_name(action.kind));
		/* A job that has ended asks for nothing, whatever the machine looks like. */
		FUZZ_REQUIRE(!run_state_is_ended(state) || action.kind == ACTION_IDLE);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(event_list_done) struct event_list events = hostile_rows_read(data, size);
	struct run_state state;
	struct error err = { .text = "" };

	if (run_state_fold(&state, &events, &err) < 0) {
		FUZZ_REQUIRE(err.text[0]);
		return 0;
	}
	if (events.n_events)
		plan_all(&state);
	run_state_done(&state);
	return 0;
}
