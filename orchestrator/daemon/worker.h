// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One action of the executor in a forked child, its outcome over a pipe: the daemon
 * stays small, answers its socket, and sleeps while a benchmark runs.
 */
#pragma once

#include <jansson.h>
#include <sys/types.h>

#include "common/error.h"
#include "common/text.h"
#include "orchestrator/work/executor.h"

struct worker {
	pid_t pid; /* 0: none runs */
	int fd;    /* the pipe's end; readable when the outcome comes */
	struct text_buffer output;
};

/* @in_child is called first in the child (to close descriptors); may be NULL. */
int worker_start(struct worker *worker, const struct ports *ports, const struct run_state *state,
		 const struct observation *observation, const struct action *action,
		 void (*in_child)(void *context), void *context, struct error *err);

/* Reads what is there. 1: the outcome is complete; 0: more will come; negative errno. */
int worker_read(struct worker *worker);

/*
 * Reaps the child and says what executor_act() returned: its status, its result (new
 * reference or NULL) and its sentence. A child that died is a failure with a sentence.
 */
int worker_finish(struct worker *worker, json_t **ret_result, struct error *err);

/* Kills the child, if one runs, and reaps it. */
void worker_kill(struct worker *worker);
