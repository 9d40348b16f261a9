// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws boots and asks for verdicts.
 */
#include "reports/statistics/simulate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "reports/statistics/random.h"

#define BOOTS_STEP 4
#define OUTLIER_PCT 10.0
#define BASE 100.0

/* Everything of one job; values belong to it. */
struct job {
	struct sample samples[INTERVAL_BOOTS_MAX];
	struct summary summaries[INTERVAL_BOOTS_MAX];
	double *values;
};

static int boot(struct job *job, size_t index, const struct simulate_world *world,
		struct random_stream *random, struct error *err)
{
	double *values = job->values + index * world->n_processes;
	double level = BASE * (1 + world->drift_pct / 100 * (double)index) *
		       exp(world->boot_sd_pct / 100 * random_normal(random));

	if (index % 2)
		level *= 1 + world->change_pct / 100;
	if (random_uniform(random) < world->outliers_pct / 100)
		level *= 1 + OUTLIER_PCT / 100;
	for (size_t i = 0; i < world->n_processes; i++)
		values[i] = level * exp(world->process_sd_pct / 100 * random_normal(random));
	job->samples[index] = (struct sample){
		.is_child = index % 2,
		.ordinal = (double)index,
		.values = values,
		.n_values = world->n_processes,
	};
	return summary_make(values, world->n_processes, &job->summaries[index], err);
}

static int look(const struct job *job, size_t n_boots, const struct simulate_plan *plan,
		enum verdict *ret_verdict, struct error *err)
{
	const struct verdict_rule rule = {
		.threshold_pct = plan->threshold_pct,
		.is_single_look = n_boots == SIMULATE_BOOTS_FIRST_MIN &&
				  plan->boots_max == plan->boots_first,
	};
	struct sandwich sandwich;
	struct interval interval;
	int r;

	r = sandwich_make(job->samples, job->summaries, n_boots, plan->threshold_pct, &sandwich, err);
	if (r < 0)
		return r;
	r = interval_make(job->samples, job->summaries, n_boots,
			  plan->history.nu0 > 0 ? &plan->history : NULL, &interval, err);
	if (r < 0)
		return r;
	*ret_verdict = verdict_make(&sandwich, &interval, &rule).verdict;
	return 0;
}

static int run_job(struct job *job, const struct simulate_world *world,
		   const struct simulate_plan *plan, struct random_stream *random,
		   struct simulate_outcome *outcome, struct error *err)
{
	enum verdict verdict = VERDICT_INCONCLUSIVE;
	size_t n_boots = 0;
	size_t n_wanted = plan->boots_first;

	do {
		int r;

		for (; n_boots < n_wanted; n_boots++) {
			r = boot(job, n_boots, world, random, err);
			if (r < 0)
				return r;
		}
		r = look(job, n_boots, plan, &verdict, err);
		if (r < 0)
			return r;
		n_wanted += BOOTS_STEP;
	} while (verdict == VERDICT_INCONCLUSIVE && n_wanted <= plan->boots_max);
	outcome->n_verdicts[verdict]++;
	outcome->boots_mean += (double)n_boots;
	return 0;
}

static int check(const struct simulate_world *world, const struct simulate_plan *plan,
		 size_t n_runs, struct error *err)
{
	if (world->n_processes < 1 || world->n_processes > SIMULATE_PROCESSES_MAX)
		return error_set(err, -EINVAL, "a boot has 1 to %d processes", SIMULATE_PROCESSES_MAX);
	if (world->change_pct <= -100)
		return error_set(err, -EINVAL, "a change of %g %% would leave no time at all",
				 world->change_pct);
	if (world->boot_sd_pct < 0 || world->process_sd_pct < 0)
		return error_set(err, -EINVAL, "a standard deviation is not negative");
	if (plan->boots_first < SIMULATE_BOOTS_FIRST_MIN || plan->boots_first % 2 == 0)
		return error_set(err, -EINVAL, "a job begins with an odd number of boots, 3 at least");
	if (plan->boots_max < plan->boots_first || plan->boots_max > INTERVAL_BOOTS_MAX)
		return error_set(err, -EINVAL, "the most boots are %zu to %d", plan->boots_first,
				 INTERVAL_BOOTS_MAX);
	if (1 + world->drift_pct / 100 * (double)plan->boots_max <= 0)
		return error_set(err, -EINVAL, "a drift of %g %% a boot would leave no time at all",
				 world->drift_pct);
	if (!n_runs)
		return error_set(err, -EINVAL, "simulate one run at least");
	return 0;
}

int simulate_verdict(const struct simulate_world *world, const struct simulate_plan *plan,
		     size_t n_runs, uint64_t seed, struct simulate_outcome *ret_outcome,
		     struct error *err)
{
	struct simulate_outcome outcome = { .n_runs = n_runs };
	_cleanup_free_ struct job *job = NULL;
	_cleanup_free_ double *values = NULL;
	int r;

	r = check(world, plan, n_runs, err);
	if (r < 0)
		return r;
	job = calloc(1, sizeof(*job));
	values = calloc(plan->boots_max * world->n_processes, sizeof(*values));
	if (!job || !values)
		return error_set(err, -ENOMEM, "out of memory");
	job->values = values;
	for (size_t i = 0; i < n_runs; i++) {
		struct random_stream random = random_stream_make(seed, i);

		r = run_job(job, world, plan, &random, &outcome, err);
		if (r < 0)
			return r;
	}
	outcome.boots_mean /= (double)n_runs;
	*ret_outcome = outcome;
	return 0;
}
