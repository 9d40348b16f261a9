// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The result model: all that a report may say, made from a job's events
 * (orchestrator/work/result_build.h) or from a table of numbers (points_tsv.h), then
 * completed by result_estimate() and given to any renderer (render.h).
 * Absent text is NULL, an absent number NAN, an absent list empty.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/statistics/interval.h"
#include "reports/statistics/ladder.h"
#include "reports/statistics/sandwich.h"
#include "reports/statistics/summary.h"
#include "reports/statistics/sweep.h"
#include "reports/statistics/verdict.h"

enum result_status {
	RESULT_QUEUED,
	RESULT_RUNNING,
	RESULT_PAUSED,
	RESULT_DONE,
	RESULT_INCONCLUSIVE,
	RESULT_INVALID,        /* a gate failed: no figure may stand in the headline */
	RESULT_FAILED,
	RESULT_CANCELLED,
};

struct result_fact {
	char *name;
	char *value;
};

struct result_facts {
	struct result_fact *items;
	size_t n;
};

struct result_texts {
	char **items;
	size_t n;
};

#define RESULT_NONE SIZE_MAX /* as a boot or point: of no one in particular */

/* result_finding.h */
struct result_finding {
	const char *kind;      /* "panic", "drift"; static */
	size_t boot;           /* from 0, or RESULT_NONE */
	size_t point;          /* from 0, or RESULT_NONE */
	int attempt;           /* of that boot, from 1; 0: does not apply */
	char *text;
	char *workload;        /* of a job with several: whose figures it is about; NULL: the first's, or all */
};

struct result_findings {
	struct result_finding *items;
	size_t n;
};

/* The mean of one more metric of the workload ("protect") in one boot. */
struct result_phase {
	char *name;
	double mean;
};

/* One kernel. points[0] is the baseline (parent). */
struct result_point {
	char *name;
	char *revision;        /* as asked for */
	char *commit;          /* full id */
	char *title;
	char *tree;            /* full id, with the changes */
	struct result_texts changes; /* on top of the commit, in order, a line each */
	char *kernel_key;
	char *build_id;
	char *release;
	char *config_sha256;
	char *compiler;
	char *failure;         /* why there is no kernel */
	char *log_tail;        /* last lines of a failed build, may hold line feeds */
};

/* One boot, its last attempt only. Warm-ups are in no mean and no n. */
struct result_boot {
	size_t point;
	double ordinal;        /* place among the boots; from 0 */
	int attempt;           /* from 1; 0: does not apply */
	bool is_complete;      /* every measured process has its value */
	char *label;           /* "parent-a"; NULL: the point's name */
	char *boot_id;
	char *build_id;        /* of the kernel that ran */
	char *release;
	char *unexpected;      /* a gate that failed here */
	double *values;
	size_t n_values;
	double *warmups;
	size_t n_warmups;
	struct result_phase *phases;
	size_t n_phases;
	struct result_facts diagnosis; /* after the last process: "calls of X", "perf" */
};

/* A phase over all boots, by the sandwich's arithmetic. */
struct result_phase_figures {
	char *name;
	double midpoint;
	double child;
	double delta_pct;
	double drift_pct;
};

struct result_estimates {
	bool is_present;       /* a sandwich's: what follows up to has_sweep */
	struct sandwich sandwich;
	struct interval interval;
	struct verdict_result verdict;
	bool is_single_look;
	struct result_phase_figures *phases;
	size_t n_phases;
	bool has_sweep;
	struct sweep sweep;    /* its kernels are the result's points */
	bool has_ladder;
	struct ladder ladder;  /* its rungs are the result's points */
};

/* To whom a mail goes. Absent: the mail's lint says what is missing. */
struct result_mail {
	char *subject_prefix;  /* "mm/mprotect"; NULL: that of the child's title */
	char *reply_to;        /* message id of the mail that is answered, or NULL */
	struct result_texts to;
	struct result_texts cc;
	char *note;            /* why the tree names nobody, or NULL */
};

/* One step of a bisection. */
struct result_bisection_step {
	char *commit;
	size_t index;          /* in the line of commits; 0 is good */
	const char *what;      /* "boot", "unbuilt", ...; static */
	double value;          /* mean of the boot, or NAN */
	double bad;            /* probability after it that the commit is bad, or NAN */
};

struct result_bisection {
	const char *outcome;   /* "found", "none", "inconclusive", "open"; static */
	struct result_texts culprits; /* ids, oldest first: several where those between cannot be measured */
	double probability;    /* that the change is among them */
	double change_pct;     /* theirs */
	size_t n_commits;      /* from good to bad, good not counted */
	size_t n_kernels;
	size_t n_boots;
	size_t n_passed_over;
	struct result_bisection_step *steps;
	size_t n_steps;
	char *story;           /* for people */
	char *log;             /* for git bisect replay */
};

struct result {
	int64_t job_id;        /* 0: not a job, but numbers measured elsewhere */
	char *name;
	char *source;          /* the file that the numbers came from */
	bool is_emulated;      /* measured on a machine in QEMU */
	bool is_counted;       /* and its clock counted instructions: no time at all */
	int64_t rehearses;     /* the job that this lab run rehearsed, or 0 */
	enum result_status status;
	char *reason;
	char *design;          /* "sandwich" (also where NULL), "sweep", "ladder", "bisect" */
	char *order;           /* "PCP"; of a sweep or ladder "ABBA", see result_order_letter() */
	bool is_exact;         /* one look, nothing appended */
	double threshold_pct;
	struct interval_history history; /* of this machine and benchmark; nu0 0: none */
	bool is_higher_better;
	char *repository;
	char *workload;
	char *metric;
	char *unit;            /* "ns/page" */
	int64_t warmups;
	int64_t processes;
	struct result_point *points;
	size_t n_points;
	struct result_boot *boots;
	size_t n_boots;
	/* Kernel configs of the points, compared after normalisation. */
	bool is_config_compared;
	bool is_config_equal;
	struct result_texts config_differences;
	struct result_facts held_equal;   /* same on every boot */
	struct result_facts measured_on;  /* machine and environment */
	struct result_texts warnings;     /* for people: what the findings say, equal ones once */
	struct result_findings findings;  /* for programs */
	struct result_mail mail;
	struct result_estimates estimates;
	/* One for each boot, when every boot has values; NULL else. */
	struct summary *summaries;
	struct result_bisection *bisection; /* owned; NULL: no bisection */
	char *bench;           /* this workload's name in the job; NULL: the job has one only */
	/* The job's other workloads, measured in the same boots; none has further ones. */
	struct result *further;
	size_t n_further;
};

/* An empty result; the caller's to result_done(), which takes NULL. */
void result_init(struct result *result);
void result_done(struct result *result);

/* The @index-th workload: the result itself, then the further ones; NULL beyond these. */
const struct result *result_bench(const struct result *result, size_t index);

/* Some workload of the job is INVALID, another one is not. */
bool result_is_partly_invalid(const struct result *result);

/* Makes the result that of workload @name alone. -EINVAL, with the known names, where it has none. */
int result_take_bench(struct result *result, const char *name, struct error *err);

/* Both return the new element, zeroed; out of memory aborts, as in common/text.h. */
void result_point_done(struct result_point *point);
struct result_point *result_add_point(struct result *result, const char *name);
struct result_boot *result_add_boot(struct result *result, size_t point);
void result_boot_add_value(struct result_boot *boot, double value);
void result_boot_add_warmup(struct result_boot *boot, double value);
void result_boot_add_phase(struct result_boot *boot, const char *name, double mean);
/* Forgets what an earlier attempt of this boot gave. */
void result_boot_reset(struct result_boot *boot);
/* Releases the texts; the list is empty then. */
void result_texts_clear(struct result_texts *texts);
void result_texts_add(struct result_texts *texts, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void result_facts_add(struct result_facts *facts, const char *name, const char *value);
/* By name, so that equal input gives equal reports. */
void result_facts_sort(struct result_facts *facts);

/* Static words, as JSON has them. */
const char *result_status_name(enum result_status status);
/* In either case of letters; -EINVAL for an unknown word. */
int result_status_from_name(const char *name, enum result_status *ret_status);
bool result_is_sweep(const struct result *result);
bool result_is_ladder(const struct result *result);
/* One letter a kernel in the order of a sweep or ladder: A to Z, a to z, then '*'. */
char result_order_letter(size_t point);
const char *result_boot_label(const struct result *result, const struct result_boot *boot);

/*
 * Fills summaries, and the estimates of the design where the status is DONE or INCONCLUSIVE
 * and every boot is complete; adds the warnings that follow from the numbers. -EINVAL with a sentence
 * for values or an order that cannot be compared.
 */
int result_estimate(struct result *result, struct error *err);
