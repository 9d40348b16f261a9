// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot simulate verdict`: how often the verdict would be right on a machine of given
 * noise.
 */
#include "reports/statistics/simulate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "orchestrator/cli/simulate.h"

#define RUNS_MAX 1000000

static int take_number(const struct cli_arguments *arguments, const char *name, double *number,
		       struct error *err)
{
	return simulate_number(arguments, name, *number, number, err);
}

static int take_count(const struct cli_arguments *arguments, const char *name, int64_t maximum,
		      size_t *count, struct error *err)
{
	int64_t value;
	int r = simulate_count(arguments, name, (int64_t)*count, 0, maximum, &value, err);

	if (r == 0)
		*count = (size_t)value;
	return r;
}

static int take_world(const struct cli_arguments *arguments, struct simulate_world *world,
		      struct error *err)
{
	const struct {
		const char *name;
		double *number;
	} numbers[] = {
		{ "--change", &world->change_pct },	    { "--boot-sd", &world->boot_sd_pct },
		{ "--process-sd", &world->process_sd_pct }, { "--drift", &world->drift_pct },
		{ "--outliers", &world->outliers_pct },
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		int r = take_number(arguments, numbers[i].name, numbers[i].number, err);

		if (r < 0)
			return r;
	}
	return take_count(arguments, "--processes", SIMULATE_PROCESSES_MAX, &world->n_processes, err);
}

static int take_plan(const struct cli_arguments *arguments, struct simulate_plan *plan,
		     struct error *err)
{
	int r = take_number(arguments, "--threshold", &plan->threshold_pct, err);

	if (r == 0)
		r = take_count(arguments, "--boots", INTERVAL_BOOTS_MAX, &plan->boots_first, err);
	if (r == 0 && cli_arguments_get(arguments, "--boots"))
		plan->boots_max = plan->boots_first;
	if (r == 0)
		r = take_count(arguments, "--boots-max", INTERVAL_BOOTS_MAX, &plan->boots_max, err);
	if (r == 0)
		r = take_number(arguments, "--history-df", &plan->history.nu0, err);
	if (r == 0)
		r = take_number(arguments, "--history-sd", &plan->history.s0, err);
	if (!cli_arguments_get(arguments, "--history-sd"))
		plan->history.nu0 = 0;
	return r;
}

static int print_outcome(const struct simulate_outcome *outcome)
{
	for (size_t i = 0; i < SIMULATE_VERDICTS; i++)
		printf("%-13s %6.2f %%   %zu of %zu jobs\n", verdict_word((enum verdict)i),
		       100 * (double)outcome->n_verdicts[i] / (double)outcome->n_runs,
		       outcome->n_verdicts[i], outcome->n_runs);
	printf("%-13s %6.2f     boots a job\n", "mean", outcome->boots_mean);
	return fflush(stdout) == EOF ? error_set_errno(NULL, -errno, "cannot print") : 0;
}

int simulate_verdicts(const struct cli_arguments *arguments, struct error *err)
{
	struct simulate_world world = {
		.change_pct = 2, .boot_sd_pct = 0.7, .process_sd_pct = 1, .drift_pct = 0.1,
		.n_processes = 15,
	};
	struct simulate_plan plan = {
		.threshold_pct = 2, .boots_first = 7, .boots_max = 23, .history.nu0 = 20,
	};
	struct simulate_outcome outcome;
	size_t n_runs = 1000;
	size_t seed = 1;
	int r = take_world(arguments, &world, err);

	if (r == 0)
		r = take_plan(arguments, &plan, err);
	if (r == 0)
		r = take_count(arguments, "--runs", RUNS_MAX, &n_runs, err);
	if (r == 0)
		r = take_count(arguments, "--seed", INT64_MAX, &seed, err);
	if (r == 0)
		r = simulate_verdict(&world, &plan, n_runs, seed, &outcome, err);
	return r < 0 ? r : print_outcome(&outcome);
}
