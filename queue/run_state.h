// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_state = fold(events): everything the planner may know about a job. Pure: no
 * I/O, no clock. After a crash the same events give the same state.
 */
#pragma once

#include <stdbool.h>

#include "common/error.h"
#include "queue/bisect.h"
#include "queue/event.h"
#include "queue/job.h"
#include "reports/statistics/interval.h"

#define RUN_STATE_BOOTS_MAX 512

enum job_status {
	JOB_QUEUED,
	JOB_RUNNING,
	JOB_PAUSED,
	JOB_DONE,
	JOB_INCONCLUSIVE,
	JOB_INVALID,
	JOB_FAILED,
	JOB_CANCELLED,
};

enum point_phase {
	POINT_RESOLVED,
	POINT_BUILT,
	POINT_INSTALLED,
	POINT_BUILD_FAILED,
};

struct point_state {
	enum point_phase phase;
	char kernel_key[65];
	char build_id[41];
	char release[66];
	char entry[64];        /* boot entry id, once installed */
	char code_id[65];      /* equal for kernels of the same code; "" unknown */
	size_t commit_index;   /* of a bisection: in the line of commits */
	bool is_passed_over;   /* of a bisection: the commit cannot be measured, and that is no verdict */
	char *failure;         /* why it did not build, was not installed or was passed over; NULL */
};

enum boot_phase {
	BOOT_WANTED,           /* the design asked for it (or it must be tried again) */
	BOOT_HOPPING,          /* hop intent written: armed and rebooted, or about to be */
	BOOT_VERIFIED,         /* the expected kernel runs */
	BOOT_PROFILED,
	BOOT_MEASURED,         /* every process has its result */
	BOOT_DONE,             /* profile restored */
	BOOT_GIVEN_UP,         /* attempts used up */
};

/* The headline metric of each measured process of one workload so far. */
struct boot_values {
	double *values;
	int n_values;
	char *invalid_reason;        /* a gate failed: page state, semantics; NULL */
};

/* What the verification table of boot/verify.h said; "" before. */
struct boot_state {
	int point;
	enum boot_phase phase;
	int attempt;                 /* of the current or last hop, from 1; 0 before */
	int failures;                /* attempts that failed: fell back, or lost half-way */
	bool was_paused;             /* paused half-way: losing this attempt is no failure */
	char token[33];
	char from_boot_id[37];       /* boot id when the hop was decided */
	char boot_id[37];            /* of the verified boot */
	char verdict[24];            /* last verify verdict: see boot/verify.h */
	int64_t reboot_asked_s;      /* time of the last reboot result in this hop, or 0 */
	int reboot_failures;
	int n_reboot_asks;           /* results of reboots in this hop, good or bad */
	bool was_arm_begun;          /* before that, a fall-back says nothing about the kernel */
	bool was_measure_started;    /* a process has been started in this attempt */
	int n_processes;             /* results so far in this attempt, warm-ups included */
	struct boot_values benches[JOB_BENCHES_MAX]; /* of each workload of the job */
	bool is_diagnosed;           /* a diagnosis has its result, good or bad */
	int n_diagnoses;             /* begun in this attempt */
	int64_t decided_s;           /* time of the current or last hop's intent */
	bool is_evidence_kept;       /* of this attempt, or there was none to be had */
	int n_evidences;             /* begun for this attempt */
	char *crash;                 /* what the last crash of a kernel here left behind; NULL */
	char *profile;               /* canonical JSON of the profile in force; NULL */
	bool is_skipped;             /* of a bisection: over, and it says nothing */
	char *error;                 /* an action on this boot failed for good; NULL */
};

struct run_state {
	int64_t job_id;
	struct job job;
	enum job_status status;
	char *reason;                /* of a pause or an end; NULL */
	bool is_cancel_requested;
	char *cancel_by;
	bool has_begun;
	bool is_unbegun_pause;       /* it was queued when it was paused */
	char default_build_id[41];
	struct interval_history history; /* of this machine, as the job began; nu0 0: none */
	bool is_configured;
	char *configure_error;       /* refused configuration: ends the job; NULL */
	struct point_state points[JOB_POINTS_MAX];
	struct bisect *bisect;       /* owned; NULL before the line of commits is known */
	int n_boots;                 /* that the design has asked for so far */
	struct boot_state *boots;
	int n_reboots;               /* hops and returns, tries included */
	int consecutive_fallbacks;   /* of points that had booted before */
	char *stop_reason;           /* the loader or somebody interfered: pause; NULL */
	bool is_profile_open;        /* profile intent without restore */
	int profile_boot;            /* which boot's */
	char profile_boot_id[37];
	json_t *profile_saved;       /* what to put back; owned, NULL */
	bool has_entries;            /* an install intent with no later successful remove */
	char return_boot_id[37];     /* boot id when the last return was asked for; "" */
	int64_t return_asked_s;
	int return_failures;
	int n_return_boots;          /* boots in which a return was asked for since the last hop */
	int remove_failures;
	char *remove_error;          /* of the last failure; NULL */
};

/* The state before any event. The caller's to run_state_done(), which takes NULL. */
void run_state_init(struct run_state *state);
void run_state_done(struct run_state *state);

/* Folds one more event in. -EBADMSG with a sentence for events that contradict each other. */
int run_state_apply(struct run_state *state, const struct event *event, struct error *err);

/* init and apply all. */
int run_state_fold(struct run_state *ret_state, const struct event_list *events,
		   struct error *err);

/* Everything that this boot was for has been measured (restored or rebooted since). */
bool boot_state_is_complete(const struct boot_state *boot);

/* Nothing more is to be done in this boot: it is complete, or skipped. */
bool boot_state_is_over(const struct boot_state *boot);
/* Of a bisection: the kernel of boot @boot, between the ends, was never measured. */
bool run_state_may_skip(const struct run_state *state, int boot);

/*
 * The boot, from 0, in which a gate of workload @bench failed first; -1: in none. Such a workload
 * has no number any more, the others keep theirs.
 */
int run_state_bench_fault(const struct run_state *state, size_t bench);
/* The first workload without such a boot; as many as the job has: there is none left. */
size_t run_state_valid_bench(const struct run_state *state);

/* Nothing can happen to the job any more. */
bool run_state_is_ended(const struct run_state *state);
const char *job_status_name(enum job_status status);
