// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One action in three steps: intent, act, result. What to do is the planner's, how to
 * do it is the ports'; here is only the order, and what goes into the events.
 */
#include "orchestrator/work/executor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "orchestrator/work/execute_verify.h"
#include "orchestrator/work/history.h"

/* Which events an action leaves behind. */
struct action_events {
	enum event_kind kind;
	bool has_intent;
	bool has_result;
	bool is_note; /* one event, written when the action is finished */
};

/* False for ACTION_IDLE, which leaves none. */
static bool events_of(enum action_kind kind, struct action_events *ret_events)
{
	static const struct action_events table[] = {
		[ACTION_BEGIN] = { EVENT_BEGIN, false, false, true },
		[ACTION_CONFIGURE] = { EVENT_CONFIGURE, true, true, false },
		[ACTION_RANGE] = { EVENT_RANGE, true, true, false },
		[ACTION_SELECT] = { EVENT_SELECT, true, true, false },
		[ACTION_SKIP] = { EVENT_SKIP, false, false, true },
		[ACTION_BUILD] = { EVENT_BUILD, true, true, false },
		[ACTION_INSTALL] = { EVENT_INSTALL, true, true, false },
		[ACTION_HOP] = { EVENT_HOP, true, false, false },
		[ACTION_ARM] = { EVENT_ARM, true, true, false },
		[ACTION_REBOOT] = { EVENT_REBOOT, true, true, false },
		[ACTION_VERIFY] = { EVENT_VERIFY, false, true, false },
		[ACTION_PROFILE] = { EVENT_PROFILE, true, true, false },
		[ACTION_MEASURE] = { EVENT_MEASURE, true, true, false },
		[ACTION_DIAGNOSE] = { EVENT_DIAGNOSE, true, true, false },
		[ACTION_EVIDENCE] = { EVENT_EVIDENCE, true, true, false },
		[ACTION_RESTORE] = { EVENT_RESTORE, true, true, false },
		[ACTION_DISARM] = { EVENT_DISARM, true, true, false },
		[ACTION_RETURN] = { EVENT_RETURN, true, true, false },
		[ACTION_REMOVE] = { EVENT_REMOVE, true, true, false },
		[ACTION_PAUSE] = { EVENT_PAUSE, false, false, true },
		[ACTION_END] = { EVENT_END, false, false, true },
	};

	if (kind == ACTION_IDLE || (size_t)kind >= ARRAY_SIZE(table))
		return false;
	*ret_events = table[kind];
	return true;
}

static int append(struct store *store, const struct ports *ports,
		  const struct run_state *state, const struct observation *observation,
		  const struct action *action, enum event_kind kind, enum event_phase phase,
		  json_t *data, struct error *err)
{
	struct event event;
	int r;

	event_init(&event, state->job_id, kind, phase);
	event.point = action->point;
	event.boot = action->boot;
	event.attempt = action->attempt > 0 ? action->attempt : -1;
	event.process = action->process;
	(void)snprintf(event.boot_id, sizeof(event.boot_id), "%s", observation->boot_id);
	if (data) {
		json_decref(event.data);
		event.data = json_incref(data);
	}
	r = ports->now_ns(ports->context, &event.at_ns);
	if (r < 0)
		(void)error_set_errno(err, r, "cannot read the clock");
	else
		r = store_append(store, &event, err);
	event_done(&event);
	return r;
}

static int make_hop_intent(const struct ports *ports, const struct run_state *state,
			   const struct observation *observation, const struct action *action,
			   json_t **ret_data, struct error *err)
{
	const struct point_state *point = &state->points[action->point];
	char token[33];
	int r = ports->make_token(ports->context, token, err);

	if (r < 0)
		return r;
	*ret_data = json_pack("{s:s, s:s, s:s, s:s}", "token", token, "from_boot_id",
			      observation->boot_id, "build_id", point->build_id, "entry",
			      point->entry);
	return *ret_data ? 0 : error_set(err, -ENOMEM, "out of memory");
}

static int make_profile_intent(const struct ports *ports, const struct run_state *state,
			       json_t **ret_data, struct error *err)
{
	json_t *saved = NULL;
	int r = ports->profile_read(ports->context, state, &saved, err);

	if (r < 0)
		return r;
	*ret_data = json_pack("{s:o}", "saved", saved);
	return *ret_data ? 0 : error_set(err, -ENOMEM, "out of memory");
}

/* Never without its "error": what failed must not be taken for done. */
static json_t *error_data(int status, const struct error *err)
{
	json_t *text = json_string(err->text[0] ? err->text : strerror(-status));

	return json_pack("{s:o}", "error", text ? text : json_string("a failure without words"));
}

int executor_begin(struct store *store, const struct ports *ports,
		   const struct run_state *state, const struct observation *observation,
		   const struct action *action, struct error *err)
{
	_cleanup_json_ json_t *data = NULL;
	struct action_events events;
	int r = 0;

	if (!events_of(action->kind, &events) || !events.has_intent)
		return 0;
	if (action->kind == ACTION_HOP)
		r = make_hop_intent(ports, state, observation, action, &data, err);
	else if (action->kind == ACTION_PROFILE)
		r = make_profile_intent(ports, state, &data, err);
	if (r < 0 && action->kind == ACTION_PROFILE) {
		/* Recorded: a kernel whose knobs cannot be read must not be asked for ever. */
		data = error_data(r, err);
		r = append(store, ports, state, observation, action, events.kind, EVENT_RESULT,
			   data, NULL);
		return r < 0 ? r : 1;
	}
	if (r < 0)
		return r;
	return append(store, ports, state, observation, action, events.kind, EVENT_INTENT,
		      data, err);
}

static int act_arm(const struct ports *ports, const struct run_state *state,
		   const struct action *action, json_t **ret_result, struct error *err)
{
	return ports->arm(ports->context, state->points[action->point].entry,
			  state->boots[action->boot].token, ret_result, err);
}

static json_t *note_of(const struct run_state *state, const struct observation *observation,
		       const struct action *action)
{
	(void)state;
	if (action->kind == ACTION_BEGIN)
		return json_pack("{s:s, s:s}", "build_id", observation->build_id, "release",
				 observation->release);
	if (action->kind == ACTION_END)
		return json_pack("{s:s, s:s}", "status", job_status_name(action->status),
				 "reason", action->reason);
	if (action->kind == ACTION_SKIP)
		return json_pack("{s:s}", "reason", action->reason);
	if (action->kind == ACTION_PAUSE)
		return json_pack("{s:s, s:s}", "reason", action->reason, "by", "abbotd");
	return json_object();
}

/* Nothing is built, let alone armed, on a machine that is not fit for it. */
static int act_begin(const struct ports *ports, const struct run_state *state,
		     const struct observation *observation, const struct action *action,
		     json_t **ret_result, struct error *err)
{
	int r = ports->preflight(ports->context, state, err);

	if (r < 0)
		return r;
	*ret_result = note_of(state, observation, action);
	return 0;
}

/* A job that may not begin waits, with the reason, until somebody has mended it and resumes. */
static int append_refusal(struct store *store, const struct ports *ports,
			  const struct run_state *state, const struct observation *observation,
			  const struct action *action, const struct error *act_error,
			  struct error *err)
{
	_cleanup_json_ json_t *data = json_pack("{s:o, s:s}", "reason",
						json_stringn_nocheck(act_error->text, strlen(act_error->text)),
						"by", "abbotd");

	if (!data)
		return error_set(err, -ENOMEM, "out of memory");
	return append(store, ports, state, observation, action, EVENT_PAUSE, EVENT_NOTE, data, err);
}

int executor_act(const struct ports *ports, const struct run_state *state,
		 const struct observation *observation, const struct action *action,
		 json_t **ret_result, struct error *err)
{
	void *context = ports->context;

	switch (action->kind) {
	case ACTION_IDLE:
	case ACTION_HOP:
		return 0;
	case ACTION_BEGIN:
		return act_begin(ports, state, observation, action, ret_result, err);
	case ACTION_PAUSE:
	case ACTION_SKIP:
	case ACTION_END:
		*ret_result = note_of(state, observation, action);
		return 0;
	case ACTION_RANGE:
		return ports->range(context, state, ret_result, err);
	case ACTION_SELECT:
		return ports->select(context, state, action->commit, ret_result, err);
	case ACTION_CONFIGURE:
		return ports->configure(context, state, ret_result, err);
	case ACTION_BUILD:
		return ports->build(context, state, action->point, ret_result, err);
	case ACTION_INSTALL:
		return ports->install(context, state, action->point, ret_result, err);
	case ACTION_ARM:
		return act_arm(ports, state, action, ret_result, err);
	case ACTION_REBOOT:
	case ACTION_RETURN:
		return ports->reboot(context, ret_result, err);
	case ACTION_VERIFY:
		return execute_verify(ports, state, observation, action, ret_result, err);
	case ACTION_PROFILE:
		return ports->profile_apply(context, state, ret_result, err);
	case ACTION_MEASURE:
		return ports->measure(context, state, action->boot, action->process,
				      ret_result, err);
	case ACTION_DIAGNOSE:
		return ports->diagnose(context, state, action->boot, ret_result, err);
	case ACTION_EVIDENCE:
		return ports->evidence(context, state, action->boot, ret_result, err);
	case ACTION_RESTORE:
		return ports->profile_restore(context, state->profile_saved, ret_result, err);
	case ACTION_DISARM:
		return ports->disarm(context, err);
	case ACTION_REMOVE:
		return ports->remove_entries(context, state, ret_result, err);
	}
	return error_set(err, -EINVAL, "unknown action %d", (int)action->kind);
}

/* What the planner and the report may lean on is fixed when the job begins. */
static void add_history(struct store *store, const struct run_state *state, json_t *data)
{
	struct interval_history history;

	history_learn(store, state->job_id, &state->job, &history);
	if (history.nu0 > 0)
		(void)json_object_set_new(data, "history", json_pack("{s:f, s:f}", "s0", history.s0,
								     "nu0", history.nu0));
}

/* Of a bisection: which commit it was, and whether a failure is that commit's own. */
static void add_commit(const struct run_state *state, const struct action *action, int status,
		       json_t *data)
{
	char id[BISECT_ID_SIZE];

	if (!state->bisect || (action->kind != ACTION_SELECT && action->kind != ACTION_BUILD))
		return;
	if (action->kind == ACTION_SELECT) {
		bisect_commit_id(state->bisect, action->commit, id);
		(void)json_object_set_new(data, "index", json_integer((json_int_t)action->commit));
		(void)json_object_set_new(data, "commit", json_string(id));
	}
	if (status == (action->kind == ACTION_SELECT ? -EPERM : -EPROTO))
		(void)json_object_set_new(data, "of_commit", json_true());
}

int executor_finish(struct store *store, const struct ports *ports,
		    const struct run_state *state, const struct observation *observation,
		    const struct action *action, int status, json_t *result,
		    const struct error *act_error, struct error *err)
{
	_cleanup_json_ json_t *data = NULL;
	struct action_events events;

	if (!events_of(action->kind, &events) || (!events.has_result && !events.is_note))
		return 0;
	if (status < 0 && action->kind == ACTION_BEGIN)
		return append_refusal(store, ports, state, observation, action, act_error, err);
	data = result ? json_incref(result) : json_object();
	if (action->kind == ACTION_BEGIN)
		add_history(store, state, data);
	add_commit(state, action, status, data);
	if (status < 0) {
		_cleanup_json_ json_t *failure = error_data(status, act_error);

		(void)json_object_update(data, failure);
	}
	return append(store, ports, state, observation, action, events.kind,
		      events.is_note ? EVENT_NOTE : EVENT_RESULT, data, err);
}

int executor_step(struct store *store, const struct ports *ports, int64_t job_id,
		  struct action *ret_action, struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state;
	_cleanup_json_ json_t *result = NULL;
	struct observation observation = { 0 };
	struct error act_error = { 0 };
	int r;

	run_state_init(&state);
	r = store_load_events(store, job_id, &events, err);
	if (r < 0)
		return r;
	r = run_state_fold(&state, &events, err);
	if (r < 0)
		return r;
	r = ports->observe(ports->context, &observation, err);
	if (r < 0)
		return r;
	plan_next(&state, &observation, ret_action);
	if (ret_action->kind == ACTION_IDLE)
		return 0;
	r = executor_begin(store, ports, &state, &observation, ret_action, err);
	if (r != 0)
		return r;
	r = executor_act(ports, &state, &observation, ret_action, &result, &act_error);
	r = executor_finish(store, ports, &state, &observation, ret_action, r, result,
			    &act_error, err);
	return r < 0 ? r : 1;
}
