// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a second machine may expect of this one, for `abbot watch`: whether it may fall
 * silent now, for how long, and when it may be asked again without disturbing what it
 * measures. Only durations: the clocks of two machines need not agree.
 */
#include "orchestrator/work/service_internal.h"

/* abbot-deadline.timer's: what a kernel that comes up and never reports has. */
#define REPORT_LIMIT_S 1200
#define ASK_AGAIN_S 10
/* A hang during a measurement is noticed this much later at worst. */
#define ASK_AGAIN_MAX_S 3600

/* A kernel of the job is, or is about to be, the one that runs. */
static bool may_be_silent(const struct service_job *job)
{
	return job->state.status == JOB_RUNNING && job->state.has_entries && !job->row.is_emulated;
}

/* Every look wakes the daemon: none until this boot's processes should have ended. */
static int64_t ask_again_s(const struct service_job *job, const json_t *plan)
{
	const struct run_state *state = &job->state;
	const json_t *step = json_array_get(json_object_get(plan, "steps"), 0);
	double left_s = json_number_value(json_object_get(step, "seconds"));
	enum boot_phase phase = state->n_boots ? state->boots[state->n_boots - 1].phase : BOOT_WANTED;

	if (!may_be_silent(job) || (phase != BOOT_VERIFIED && phase != BOOT_PROFILED) ||
	    left_s < ASK_AGAIN_S)
		return ASK_AGAIN_S;
	return left_s > ASK_AGAIN_MAX_S ? ASK_AGAIN_MAX_S : (int64_t)left_s + ASK_AGAIN_S;
}

json_t *service_watch_json(const struct service_job *job, const json_t *plan)
{
	const struct job_boot *boot = &job->state.job.boot;
	/* The test kernel's own time limit goes first, then the default kernel has its time. */
	int64_t silence_s = REPORT_LIMIT_S + boot->settle_s + boot->deadline_s;

	return json_pack("{s:b, s:I, s:I}", "may_be_silent", may_be_silent(job) ? 1 : 0,
			 "silence_s", (json_int_t)silence_s, "ask_again_s",
			 (json_int_t)ask_again_s(job, plan));
}
