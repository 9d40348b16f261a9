// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Between the files that judge a job; job_validate() of queue/job.h is what others call.
 */
#pragma once

#include "common/error.h"
#include "queue/job.h"

/* Of a job, point or workload (@what): fit for file names and boot entry titles. */
int job_validate_name(const char *what, const char *name, struct error *err);

/* Each workload has its metric, the names differ, and a boot's processes are no more than allowed. */
int job_validate_benches(const struct job *job, struct error *err);

/* measure.diagnose: "perf" or "functions=A,B", each once. */
int job_validate_diagnoses(const struct job *job, struct error *err);
/* The points, workloads and limits of a bisection. */
int job_validate_bisect(const struct job *job, struct error *err);
