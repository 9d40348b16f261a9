// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job as data: which kernels (points), how built, how booted, how measured.
 * Made from a job file (queue/job_file.h) or from the command line, resolved once
 * (orchestrator/work/source.h pins every commit), then kept as JSON in the store.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "queue/job_change.h"

#define JOB_POINTS_MAX 128
#define JOB_BENCHES_MAX 16
#define JOB_PROCESSES_MAX 10000
#define JOB_KERNEL_KEY_SIZE 65
#define JOB_OBJECT_ID_SIZE 65 /* SHA-1 or SHA-256 in hex, and NUL */

enum job_design {
	JOB_DESIGN_SANDWICH,
	JOB_DESIGN_SWEEP,
	JOB_DESIGN_LADDER,
	JOB_DESIGN_BISECT,
};

enum job_differences {
	JOB_DIFFERENCES_REFUSE,
	JOB_DIFFERENCES_ALLOW,
};

/* One kernel. The same point may be booted several times. */
struct job_point {
	char *name;                      /* "parent", "child" */
	char *revision;                  /* as the user wrote it */
	char commit[JOB_OBJECT_ID_SIZE]; /* full id; "" until resolved */
	char tree[JOB_OBJECT_ID_SIZE];   /* with the changes */
	struct job_changes changes;      /* on top of the commit, in this order */
	char *title;                     /* the commit's subject line; NULL until resolved */
	/*
	 * A kernel that is already in the store: it is looked up, never built. Set by
	 * the lab for its guest; "" otherwise.
	 */
	char kernel[JOB_KERNEL_KEY_SIZE];
};

struct job_build {
	char *config;         /* "running", a path (holds a '/'), or a make target ("tinyconfig") */
	char **fragments;     /* paths, applied in this order; NULL-terminated, never NULL */
	enum job_differences config_differences;
	int64_t jobs;         /* make -jN; 0: one for each processor */
	char *sandbox;        /* "auto", "required", "none" */
};

struct job_boot {
	char *cmdline;        /* added to the default entry's; may be "" */
	char *preempt;        /* "auto", "none", "voluntary", "lazy", "full" */
	int64_t settle_s;     /* wait after the boot before anything is measured */
	int64_t deadline_s;   /* after settle_s: a system that is not up by then is not measured */
	int64_t max_attempts; /* for each boot of the design, of a kernel that never came up */
	int64_t max_reboots;  /* for the job */
	int64_t not_before_s; /* no test kernel is booted before; since 1970, 0: at once */
	bool accepts_hang_risk; /* see PREFLIGHT_HANG_RISK, boot/preflight.h */
};

struct job_measure {
	char *workload;        /* of abbot-bench: "mprotect-toggle" */
	char **arguments;      /* more arguments for it; NULL-terminated, never NULL */
	char *metric;          /* the headline: "iteration" */
	int64_t cpu;           /* -1: the highest-numbered online one */
	int64_t warmups;
	int64_t processes;     /* measured ones */
	int64_t timeout_s;     /* for one process */
	char *governor;        /* "performance", or "keep" */
	char *turbo;           /* "off", "on", "keep" */
	enum job_differences profile_differences;
	char **diagnoses;      /* "perf", "functions=A,B"; NULL-terminated, never NULL */
};

/* One of the workloads of a job that has several: every boot runs them all. */
struct job_bench {
	char *name;            /* of its section of the job file */
	char *workload;
	char **arguments;      /* NULL-terminated, or NULL: none */
	char *metric;          /* NULL: the workload's first */
	int64_t warmups;       /* -1: those of [measure]; likewise the next */
	int64_t processes;
};

struct job {
	char *name;
	enum job_design design;
	bool is_exact;         /* --exactly: one look, nothing appended */
	char *order;           /* of a sandwich, "PCP": P is points[0], C is points[1] */
	int64_t rounds;        /* of a sweep: boots of each kernel */
	double threshold_pct;  /* the smallest change worth a verdict */
	char **paths;          /* of a bisection: commits that touch them are likelier; NULL-terminated, never NULL */
	char *repository;      /* path; NULL when every point names a kernel */
	size_t n_points;
	struct job_point points[JOB_POINTS_MAX];
	struct job_build build;
	struct job_boot boot;
	struct job_measure measure;
	size_t n_benches;      /* 0: one workload, that of `measure` */
	struct job_bench benches[JOB_BENCHES_MAX];
};

/* Every member at its default (see abbot.job(5)); no points. Never fails. */
void job_init(struct job *job);
void job_done(struct job *job);

/* Appends a point; the strings are copied. -E2BIG beyond JOB_POINTS_MAX, -EEXIST for a name twice. */
int job_add_point(struct job *job, const char *name, const char *revision, struct error *err);

/* Appends a workload, its other members at their defaults. -E2BIG, or -EEXIST for a name twice. */
int job_add_bench(struct job *job, const char *name, const char *workload, struct error *err);
/* Workloads in each boot, at least 1. The first is the headline's. */
size_t job_n_benches(const struct job *job);
/* Workload @index with every default filled in; borrows the job's texts. */
struct job_bench job_bench_at(const struct job *job, size_t index);

/* One process of a boot. */
struct job_process {
	size_t bench;          /* whose */
	int64_t index;         /* among that workload's, warm-ups first, from 0 */
	bool is_warmup;
};

/* Processes in each boot, warm-ups included. */
int64_t job_n_processes(const struct job *job);
/*
 * Which process is the @process-th of boot @boot, both from 0. Several workloads take turns, a
 * process each; each turn, and each boot, begins one workload later, so that within every
 * boot each workload comes first as often as another and no kernel has an order of its own.
 */
struct job_process job_process_at(const struct job *job, int boot, int64_t process);

/*
 * Is it a job that could run: names, ranges, design and number of points, order.
 * With @must_be_resolved also every commit and tree. One sentence on failure.
 */
int job_validate(const struct job *job, bool must_be_resolved, struct error *err);

/* Both directions of the stored form; keys are those of the job file, nested by section. */
json_t *job_to_json(const struct job *job); /* new reference, never NULL */
/* Strict: unknown keys, wrong types and absurd sizes are refused. @ret_job is initialised here. */
int job_from_json(const json_t *json, struct job *ret_job, struct error *err);

/* The word of the job file; -EINVAL names the nearest known one. */
const char *job_design_name(enum job_design design);
int job_design_from_name(const char *name, enum job_design *ret_design, struct error *err);
