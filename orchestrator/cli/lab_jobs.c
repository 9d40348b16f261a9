// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adding the rehearsals, ending what the machine left open, and how they ended. What
 * happens in between is lab_host.c's and lab_run.c's.
 */
#include "orchestrator/cli/lab_jobs.h"

#include <errno.h>
#include <stdio.h>

#include "common/cleanup.h"
#include "common/now.h"
#include "common/text.h"

/* On failure *ret_state is empty; else it is the caller's to run_state_done(). */
static int load_state(struct store *store, int64_t job_id, struct run_state *ret_state,
		      struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	int r = store_load_events(store, job_id, &events, err);

	run_state_init(ret_state);
	return r < 0 ? r : run_state_fold(ret_state, &events, err);
}

static int require_real(struct store *store, int64_t job_id, struct error *err)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	_cleanup_(run_state_done) struct run_state state;
	int r = load_state(store, job_id, &state, err);

	if (r == 0 && state.job.design == JOB_DESIGN_BISECT)
		r = error_set(err, -EINVAL,
			      "job %lld is a bisection, which the lab cannot rehearse: its kernels are not known beforehand",
			      (long long)job_id);
	if (r == 0)
		r = store_list_jobs(store, &list, err);
	for (size_t i = 0; i < list.n_jobs && r == 0; i++)
		if (list.jobs[i].id == job_id && list.jobs[i].is_emulated)
			return error_set(err, -EINVAL, "job %lld is a lab run itself; rehearse job %lld",
					 (long long)job_id, (long long)list.jobs[i].rehearses);
	return r;
}

/* The same job again, as a record of the lab's own. */
static int add_rehearsal(struct store *store, int64_t job_id, bool counts_instructions,
			 int64_t *ret_id, struct error *err)
{
	_cleanup_(run_state_done) struct run_state state;
	int r = load_state(store, job_id, &state, err);

	if (r < 0)
		return r;
	r = store_add_job(store, &state.job,
			  counts_instructions ? STORE_MACHINE_COUNTED : STORE_MACHINE_EMULATED,
			  job_id, now_realtime_ns(), ret_id, err);
	if (r == 0)
		fprintf(stderr, "rehearsing job %lld as job %lld\n", (long long)job_id,
			(long long)*ret_id);
	return r;
}

int lab_jobs_add(struct store *store, const struct lab_jobs *jobs, bool counts_instructions,
		 struct lab_jobs *rehearsals, struct error *err)
{
	int r = 0;

	for (size_t i = 0; i < jobs->n_jobs && r == 0; i++)
		r = require_real(store, jobs->ids[i], err);
	for (size_t i = 0; i < jobs->n_jobs && r == 0; i++) {
		r = add_rehearsal(store, jobs->ids[i], counts_instructions, &rehearsals->ids[i], err);
		if (r == 0)
			rehearsals->n_jobs++;
	}
	return r;
}

void lab_jobs_end(struct lab_host *host, const struct lab_jobs *rehearsals, const char *reason)
{
	for (size_t i = 0; i < rehearsals->n_jobs && host->store; i++) {
		_cleanup_(run_state_done) struct run_state state;
		_cleanup_free_ char *paused = NULL;

		host->job_id = rehearsals->ids[i];
		if (load_state(host->store, host->job_id, &state, NULL) == 0 &&
		    state.status == JOB_PAUSED)
			paused = text_format("it was paused in the lab, where nobody resumes it: %s",
					     state.reason);
		(void)lab_host_fail(host, paused ? paused : reason, NULL);
	}
}

int lab_jobs_are_done(struct store *store, const struct lab_jobs *rehearsals, struct error *err)
{
	int are_done = 1;

	for (size_t i = 0; i < rehearsals->n_jobs; i++) {
		_cleanup_(run_state_done) struct run_state state;
		int r = load_state(store, rehearsals->ids[i], &state, err);

		if (r < 0)
			return r;
		if (state.status != JOB_DONE)
			are_done = 0;
	}
	return are_done;
}
