// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The run state as a whole: its life, its words, the fold. What each kind of event
 * changes is in run_state_apply.c.
 */
#include "queue/run_state.h"

#include <stdlib.h>
#include <string.h>

void run_state_init(struct run_state *state)
{
	memset(state, 0, sizeof(*state));
	job_init(&state->job);
	state->status = JOB_QUEUED;
	state->profile_boot = -1;
}

static void boot_state_done(struct boot_state *boot)
{
	for (size_t i = 0; i < JOB_BENCHES_MAX; i++) {
		free(boot->benches[i].values);
		free(boot->benches[i].invalid_reason);
	}
	free(boot->profile);
	free(boot->crash);
	free(boot->error);
}

void run_state_done(struct run_state *state)
{
	if (!state)
		return;
	for (size_t i = 0; i < JOB_POINTS_MAX; i++)
		free(state->points[i].failure);
	for (int i = 0; i < state->n_boots; i++)
		boot_state_done(&state->boots[i]);
	free(state->boots);
	bisect_free(state->bisect);
	free(state->reason);
	free(state->cancel_by);
	free(state->configure_error);
	free(state->stop_reason);
	free(state->remove_error);
	json_decref(state->profile_saved);
	job_done(&state->job);
	memset(state, 0, sizeof(*state));
}

int run_state_fold(struct run_state *ret_state, const struct event_list *events,
		   struct error *err)
{
	struct run_state state;

	run_state_init(&state);
	for (size_t i = 0; i < events->n_events; i++) {
		int r = run_state_apply(&state, &events->events[i], err);

		if (r < 0) {
			run_state_done(&state);
			return r;
		}
	}
	*ret_state = state;
	return 0;
}

bool run_state_is_ended(const struct run_state *state)
{
	switch (state->status) {
	case JOB_QUEUED:
	case JOB_RUNNING:
	case JOB_PAUSED:
		return false;
	case JOB_DONE:
	case JOB_INCONCLUSIVE:
	case JOB_INVALID:
	case JOB_FAILED:
	case JOB_CANCELLED:
		return true;
	}
	return true;
}

bool boot_state_is_complete(const struct boot_state *boot)
{
	return boot->phase == BOOT_MEASURED || boot->phase == BOOT_DONE;
}

bool boot_state_is_over(const struct boot_state *boot)
{
	return boot->is_skipped || boot_state_is_complete(boot);
}

int run_state_bench_fault(const struct run_state *state, size_t bench)
{
	for (int i = 0; i < state->n_boots; i++)
		if (!state->boots[i].is_skipped && state->boots[i].benches[bench].invalid_reason)
			return i;
	return -1;
}

size_t run_state_valid_bench(const struct run_state *state)
{
	size_t n = job_n_benches(&state->job);
	size_t bench = 0;

	while (bench < n && run_state_bench_fault(state, bench) >= 0)
		bench++;
	return bench;
}

const char *job_status_name(enum job_status status)
{
	switch (status) {
	case JOB_QUEUED:
		return "queued";
	case JOB_RUNNING:
		return "running";
	case JOB_PAUSED:
		return "paused";
	case JOB_DONE:
		return "done";
	case JOB_INCONCLUSIVE:
		return "inconclusive";
	case JOB_INVALID:
		return "invalid";
	case JOB_FAILED:
		return "failed";
	case JOB_CANCELLED:
		return "cancelled";
	}
	return "unknown";
}
