// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job of two points told event by event, and the machine as the planner sees it. The
 * helpers add events and change what is seen; they fail the test when an event is refused.
 */
#pragma once

#include "queue/plan.h"

#define DEFAULT_ID "dddddddddddddddddddddddddddddddddddddddd"
#define PARENT_ID "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define CHILD_ID "cccccccccccccccccccccccccccccccccccccccc"
#define NOW_S 1000000

struct scene {
	struct run_state state; /* the test's to run_state_done() */
	struct observation seen;
	int64_t sequence;
	/* The test is asked for evidence; else it is kept as soon as it is asked for. */
	bool asks_for_evidence;
};

/* {point, boot, attempt, process} of an event; -1: none */
#define SCOPE(...) ((const int[4]){ __VA_ARGS__ })
#define JOB_SCOPE SCOPE(-1, -1, -1, -1)

/* Submitted: one warm-up, two measured processes, a settle time of 60 s. */
void set_up(struct scene *scene);
/* Begun, configured, built and installed as well. */
void prepared(struct scene *scene);

/* One event, now, in the boot that runs; @data is a JSON object. */
void happened(struct scene *scene, enum event_kind kind, enum event_phase phase,
	      const int scope[4], const char *data);
/* The same, when it must be refused; the sentence has @words in it. */
void refused(struct scene *scene, enum event_kind kind, enum event_phase phase,
	     const int scope[4], const char *data, const char *words);
/* The intent of a hop from the boot that runs, and the arming begun. */
void hop(struct scene *scene, int point, int boot, int attempt, const char *token);
/* The verdict on boot @boot: "expected", "fell-back", ... */
void came_up(struct scene *scene, int boot, const char *verdict);
/* Boot @boot of @point verified, profiled and wholly measured, in boot id @boot_id. */
void measured(struct scene *scene, int point, int boot, const char *boot_id,
	      const char *build_id);

/* What the planner sees from now on: the kernel that runs; the one-shot ("" is none). */
void running(struct scene *scene, const char *boot_id, const char *build_id, const char *token);
void armed(struct scene *scene, const char *token);

/* The next action; expect() fails the test unless it is of that kind. */
struct action plan(struct scene *scene);
void expect(struct scene *scene, enum action_kind kind);
