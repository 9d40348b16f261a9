// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plan_next(): what to do next. Pure: no I/O, no clock, no environment; everything
 * it may use is in its two arguments. The executor carries the action out.
 */
#pragma once

#include "queue/observation.h"
#include "queue/run_state.h"

enum action_kind {
	ACTION_IDLE,      /* nothing before wake_at_s (0: until somebody asks for something) */
	ACTION_BEGIN,     /* note the default kernel */
	ACTION_CONFIGURE, /* make, check and compare every point's config */
	ACTION_RANGE,     /* of a bisection: the line of commits */
	ACTION_SELECT,    /* point, commit: that commit of the line becomes the point, with its config */
	ACTION_SKIP,      /* boot, point, reason: the kernel cannot be measured */
	ACTION_BUILD,     /* point */
	ACTION_INSTALL,   /* point */
	ACTION_HOP,       /* boot, point, attempt: write the intent with a fresh token */
	ACTION_ARM,       /* boot, point: set the one-shot with the intent's token */
	ACTION_REBOOT,    /* boot: into the armed entry */
	ACTION_VERIFY,    /* boot: say what came up */
	ACTION_PROFILE,   /* boot: apply the machine profile */
	ACTION_MEASURE,   /* boot, process */
	ACTION_DIAGNOSE,  /* boot: what the job wants looked at after the last process */
	ACTION_EVIDENCE,  /* boot, attempt: keep what its kernel left behind */
	ACTION_RESTORE,   /* put the machine profile back */
	ACTION_DISARM,    /* clear the one-shot; reason */
	ACTION_RETURN,    /* reboot into the default kernel */
	ACTION_REMOVE,    /* take away entries and installed files */
	ACTION_PAUSE,     /* reason */
	ACTION_END,       /* status, reason */
};

struct action {
	enum action_kind kind;
	int point;
	int boot;
	int attempt;
	int process;
	size_t commit;           /* ACTION_SELECT */
	int64_t wake_at_s;       /* ACTION_IDLE: CLOCK_REALTIME seconds, 0: no time set */
	enum job_status status;  /* ACTION_END */
	char reason[512];
};

/* Fills all of *ret_action; keeps nothing of its arguments and allocates nothing. */
void plan_next(const struct run_state *state, const struct observation *observation,
	       struct action *ret_action);

/* A static word for logs and for people. */
const char *action_kind_name(enum action_kind kind);
