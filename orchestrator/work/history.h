// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What earlier jobs of this machine say about its scatter from boot to boot: the history
 * that an interval may lean on (reports/statistics/interval.h).
 */
#pragma once

#include "queue/job.h"
#include "queue/store.h"
#include "reports/statistics/interval.h"

/*
 * Pools, newest first and until more would not count, the boots of jobs that have ended with
 * figures and measured on this machine (never in the lab) what @job's first workload measures:
 * s0^2 = sum over kernels of sum (y - ybar)^2 / sum (n_k - 1), y = 100 ln(mean of a boot).
 * The jobs @job_ids are left out. No such job: nu0 is 0. A job that cannot be read is passed over.
 */
void history_learn_without(struct store *store, const int64_t *job_ids, size_t n_ids,
			   const struct job *job, struct interval_history *ret_history);
/* @job_id alone is left out. */
void history_learn(struct store *store, int64_t job_id, const struct job *job,
		   struct interval_history *ret_history);
