// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the store's ended jobs for their scatter between boots of one kernel.
 */
#include "orchestrator/work/history.h"

#include <math.h>
#include <string.h>

#include "common/cleanup.h"
#include "queue/run_state.h"
#include "reports/statistics/summary.h"

/* More degrees of freedom count as these (interval_make()). */
#define ENOUGH_DF 20

struct pool {
	double squares;
	double df;
};

static bool is_same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool is_same_bench(const struct job *a, const struct job *b)
{
	struct job_bench x = job_bench_at(a, 0), y = job_bench_at(b, 0);
	size_t i = 0;

	if (!is_same_text(x.workload, y.workload) || !is_same_text(x.metric, y.metric) ||
	    x.processes != y.processes)
		return false;
	while (x.arguments && x.arguments[i] && y.arguments && y.arguments[i] &&
	       strcmp(x.arguments[i], y.arguments[i]) == 0)
		i++;
	return (!x.arguments || !x.arguments[i]) && (!y.arguments || !y.arguments[i]);
}

static void pool_point(struct pool *pool, const struct run_state *state, int point)
{
	double sum = 0, squares = 0, first = 0;
	int n = 0;

	for (int i = 0; i < state->n_boots; i++) {
		const struct boot_values *values = &state->boots[i].benches[0];
		double y;

		if (state->boots[i].point != point || values->n_values == 0)
			continue;
		y = 100 * log(summary_mean(values->values, (size_t)values->n_values));
		if (n++ == 0)
			first = y; /* about the first: the squares of small numbers */
		sum += y - first;
		squares += (y - first) * (y - first);
	}
	if (n < 2)
		return;
	pool->squares += fmax(0, squares - sum * sum / n);
	pool->df += n - 1;
}

static void pool_job(struct pool *pool, struct store *store, int64_t id, const struct job *job)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state = { 0 };

	if (store_load_events(store, id, &events, NULL) < 0 ||
	    run_state_fold(&state, &events, NULL) < 0)
		return;
	if ((state.status != JOB_DONE && state.status != JOB_INCONCLUSIVE) ||
	    run_state_bench_fault(&state, 0) >= 0 || !is_same_bench(&state.job, job))
		return;
	for (size_t i = 0; i < state.job.n_points; i++)
		pool_point(pool, &state, (int)i);
}

static bool is_among(int64_t id, const int64_t *ids, size_t n_ids)
{
	for (size_t i = 0; i < n_ids; i++)
		if (ids[i] == id)
			return true;
	return false;
}

void history_learn_without(struct store *store, const int64_t *job_ids, size_t n_ids,
			   const struct job *job, struct interval_history *ret_history)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	struct pool pool = { 0 };

	*ret_history = (struct interval_history){ 0 };
	if (store_list_jobs(store, &list, NULL) < 0)
		return;
	for (size_t i = list.n_jobs; i > 0 && pool.df < ENOUGH_DF; i--)
		if (list.jobs[i - 1].machine == STORE_MACHINE_REAL && !is_among(list.jobs[i - 1].id, job_ids, n_ids))
			pool_job(&pool, store, list.jobs[i - 1].id, job);
	if (pool.df > 0)
		*ret_history = (struct interval_history){
			.s0 = sqrt(pool.squares / pool.df),
			.nu0 = pool.df,
		};
}

void history_learn(struct store *store, int64_t job_id, const struct job *job,
		   struct interval_history *ret_history)
{
	history_learn_without(store, &job_id, 1, job, ret_history);
}
