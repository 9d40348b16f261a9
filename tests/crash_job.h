// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole job on the fake machine for the tests of crash_matrix.c and crash_people.c:
 * the lives of its daemon, each a process of its own, and what came of it.
 */
#pragma once

#include "queue/run_state.h"
#include "tests/fake_world.h"

#define WARMUPS 1
#define PROCESSES 2
/* A second workload takes its turn: one process, no warm-up. */
#define BENCHES 2
#define PROCESSES_A_BOOT (WARMUPS + PROCESSES + 1)

struct outcome {
	char *report;
	enum job_status status;
	char reason[256];
	int places;
	int processes;
	int diagnoses;
	int evidences;
	int n_boots;
	int n_reboots;
	double values[3][BENCHES][PROCESSES];
};

void outcome_done(struct outcome *outcome);

/* A job in a state directory of its own, and the machine that it will run on. */
struct crash_job {
	char *directory;
	struct fake_world *world;
};

/* The world is calm until the caller says what is to go wrong. */
struct crash_job crash_job_new(void);
/* The same, but that boots are appended while the result is inconclusive. */
struct crash_job crash_job_new_adaptive(void);
/* A bisection of 40 commits instead: from number 23 on 5 % slower, in some noise. */
struct crash_job crash_job_new_bisection(void);
/* Daemon after daemon, until the job waits or has ended. */
void crash_job_run(const struct crash_job *job);
void crash_job_read(const struct crash_job *job, struct outcome *ret_outcome);
void crash_job_free(struct crash_job *job);

/* Appends a note to the job: by the daemon that lives now, or between two lives. */
void crash_job_note(const struct crash_job *job, enum event_kind kind);

/* Default kernel, not armed, profile restored; and no entry left when @has_ended. */
void assert_machine_is_clean(const struct fake_world *world, bool has_ended);
/* Status, number of boots and values; @place for the message. */
void assert_same_values(const struct outcome *a, const struct outcome *b, int place);
