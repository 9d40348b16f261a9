// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared by the fold's two halves: run_state_apply.c (what concerns the job and its
 * points, and the table of kinds) and run_state_boot.c (what concerns one boot).
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "common/text.h"
#include "queue/run_state.h"

static inline const char *data_text(const struct event *event, const char *key)
{
	const char *text = json_string_value(json_object_get(event->data, key));

	return text ? text : "";
}

static inline void copy_text(char *to, size_t size, const char *from)
{
	(void)snprintf(to, size, "%s", from);
}

static inline void replace_text(char **to, const char *from)
{
	free(*to);
	*to = text_duplicate(from);
}

/* The sentence of a failed result, or NULL. */
static inline const char *result_error(const struct event *event)
{
	if (event->phase != EVENT_RESULT)
		return NULL;
	return json_string_value(json_object_get(event->data, "error"));
}

static inline int64_t event_seconds(const struct event *event)
{
	return event->at_ns / 1000000000;
}

static inline struct boot_state *boot_of(struct run_state *state, const struct event *event)
{
	if (event->boot < 0 || event->boot >= state->n_boots)
		return NULL;
	return &state->boots[event->boot];
}

static inline struct point_state *point_of(struct run_state *state, const struct event *event)
{
	if (event->point < 0 || (size_t)event->point >= state->job.n_points)
		return NULL;
	return &state->points[event->point];
}

int run_state_apply_hop(struct run_state *state, const struct event *event,
			 struct error *err);
int run_state_apply_arm(struct run_state *state, const struct event *event,
			 struct error *err);
int run_state_apply_reboot(struct run_state *state, const struct event *event,
			 struct error *err);
int run_state_apply_verify(struct run_state *state, const struct event *event,
			 struct error *err);
int run_state_apply_profile(struct run_state *state, const struct event *event,
			 struct error *err);
int run_state_apply_measure(struct run_state *state, const struct event *event,
			 struct error *err);
int run_state_apply_diagnose(struct run_state *state, const struct event *event,
			     struct error *err);
int run_state_apply_evidence(struct run_state *state, const struct event *event,
			     struct error *err);
int run_state_apply_restore(struct run_state *state, const struct event *event,
			 struct error *err);
