// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every way in which the executor touches the world. The real ones are in
 * orchestrator/work/ports_machine.c; tests bring their own. Each call is idempotent: after
 * a crash it may be made again with the same arguments. Results are JSON objects
 * (new references) that become the data of the action's result event; see
 * queue/event.h for their keys. Calls block; the daemon makes them in a child process.
 */
#pragma once

#include <jansson.h>

#include "common/error.h"
#include "queue/observation.h"
#include "queue/run_state.h"

struct ports {
	void *context;
	int (*observe)(void *context, struct observation *ret_observation, struct error *err);
	int (*now_ns)(void *context, int64_t *ret_now_ns);
	int (*make_token)(void *context, char ret_token[33], struct error *err);
	/* Is the machine fit for the job? -EPERM: refused, what must be mended in @err. */
	int (*preflight)(void *context, const struct run_state *state, struct error *err);
	/* The line of commits of a bisection, see "range" in queue/event.h. */
	int (*range)(void *context, const struct run_state *state, json_t **ret_result,
		     struct error *err);
	/* "tree" and "title" of that commit of the line, and its config. -EPERM: none can be made. */
	int (*select)(void *context, const struct run_state *state, size_t commit,
		      json_t **ret_result, struct error *err);
	/* Makes and compares all configs. -EPERM: refused, the reason in @err. */
	int (*configure)(void *context, const struct run_state *state, json_t **ret_result,
			 struct error *err);
	/* -EPROTO: the kernel does not build (@err: the log's last lines). Else a fault of ours. */
	int (*build)(void *context, const struct run_state *state, int point,
		     json_t **ret_result, struct error *err);
	int (*install)(void *context, const struct run_state *state, int point,
		       json_t **ret_result, struct error *err);
	int (*arm)(void *context, const char *entry, const char *token, json_t **ret_result,
		   struct error *err);
	int (*disarm)(void *context, struct error *err);
	/* The kernel under test that was asked for runs: its time limit is over. */
	int (*stop_deadline)(void *context, struct error *err);
	/* Asks for a reboot; returns before the machine goes down. */
	int (*reboot)(void *context, json_t **ret_result, struct error *err);
	/* What the profile would change, as it is now: becomes "saved" of the intent. */
	int (*profile_read)(void *context, const struct run_state *state, json_t **ret_saved,
			    struct error *err);
	int (*profile_apply)(void *context, const struct run_state *state,
			     json_t **ret_result, struct error *err);
	int (*profile_restore)(void *context, const json_t *saved, json_t **ret_result,
			       struct error *err);
	/* One process of the workload. */
	int (*measure)(void *context, const struct run_state *state, int boot, int process,
		       json_t **ret_result, struct error *err);
	/* After the measured processes, in no figure; what this machine lacks is a note in the result. */
	int (*diagnose)(void *context, const struct run_state *state, int boot,
			json_t **ret_result, struct error *err);
	/* What the boot's last attempt left behind: the log of the kernel, records of a crash. */
	int (*evidence)(void *context, const struct run_state *state, int boot,
			json_t **ret_result, struct error *err);
	int (*remove_entries)(void *context, const struct run_state *state,
			      json_t **ret_result, struct error *err);
};
