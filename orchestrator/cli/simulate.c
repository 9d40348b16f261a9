// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot simulate verdict`: how often the verdict would be right on a machine of given
 * noise. Needs no queue, no daemon and no privilege.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "reports/statistics/simulate.h"

#define RUNS_MAX 1000000

static const struct verb_option options[] = {
	{ "--change", "PCT", "true change of the child; 2 unless said" },
	{ "--boot-sd", "PCT", "scatter between boots of one kernel; 0.7 unless said" },
	{ "--process-sd", "PCT", "scatter between processes of one boot; 1 unless said" },
	{ "--processes", "N", "processes in each boot; 15 unless said" },
	{ "--drift", "PCT", "drift of the machine in each boot; 0.1 unless said" },
	{ "--outliers", "PCT", "share of boots that are 10 % slower; 0 unless said" },
	{ "--threshold", "PCT", "smallest change worth a verdict; 2 unless said" },
	{ "--boots", "N", "boots before the first look; 7 unless said" },
	{ "--boots-max", "N", "most boots, four more at a look; 23, or --boots, unless said" },
	{ "--history-sd", "PCT", "scatter between boots that earlier jobs measured" },
	{ "--history-df", "N", "its degrees of freedom; 20 unless said" },
	{ "--runs", "N", "jobs to simulate; 1000 unless said" },
	{ "--seed", "N", "another number, other jobs; 1 unless said" },
	{ NULL, NULL, NULL },
};

static int take_number(const struct cli_arguments *arguments, const char *name, double *number,
		       struct error *err)
{
	const char *word = cli_arguments_get(arguments, name);

	if (word && text_parse_double(word, number) < 0)
		return error_set(err, -EINVAL, "%s %s: give a number", name, word);
	return 0;
}

static int take_count(const struct cli_arguments *arguments, const char *name, int64_t maximum,
		      size_t *count, struct error *err)
{
	const char *word = cli_arguments_get(arguments, name);
	int64_t value = 0;

	if (!word)
		return 0;
	if (text_parse_i64(word, 0, maximum, &value) < 0)
		return error_set(err, -EINVAL, "%s %s: give a whole number up to %lld", name, word,
				 (long long)maximum);
	*count = (size_t)value;
	return 0;
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
	static const char *const names[SIMULATE_VERDICTS] = {
		[VERDICT_REGRESSION] = "REGRESSION",
		[VERDICT_IMPROVEMENT] = "IMPROVEMENT",
		[VERDICT_NO_CHANGE] = "NO CHANGE",
		[VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
	};

	for (size_t i = 0; i < SIMULATE_VERDICTS; i++)
		printf("%-13s %6.2f %%   %zu of %zu jobs\n", names[i],
		       100 * (double)outcome->n_verdicts[i] / (double)outcome->n_runs,
		       outcome->n_verdicts[i], outcome->n_runs);
	printf("%-13s %6.2f     boots a job\n", "mean", outcome->boots_mean);
	return fflush(stdout) == EOF ? 3 : 0;
}

static int run(const struct cli *cli, int argc, char **argv)
{
	struct cli_arguments arguments _cleanup_arguments_ = { 0 };
	struct simulate_world world = {
		.change_pct = 2, .boot_sd_pct = 0.7, .process_sd_pct = 1, .drift_pct = 0.1,
		.n_processes = 15,
	};
	struct simulate_plan plan = {
		.threshold_pct = 2, .boots_first = 7, .boots_max = 23, .history.nu0 = 20,
	};
	struct simulate_outcome outcome;
	struct error err = { "" };
	size_t n_runs = 1000;
	size_t seed = 1;
	int r;

	(void)cli;
	r = cli_arguments_parse(&verb_simulate, argc, argv, &arguments, &err);
	if (r == 0 && (arguments.n_words != 1 || strcmp(arguments.words[0], "verdict") != 0))
		r = error_set(&err, -EINVAL, "say what to simulate: verdict");
	if (r == 0)
		r = take_world(&arguments, &world, &err);
	if (r == 0)
		r = take_plan(&arguments, &plan, &err);
	if (r == 0)
		r = take_count(&arguments, "--runs", RUNS_MAX, &n_runs, &err);
	if (r == 0)
		r = take_count(&arguments, "--seed", INT64_MAX, &seed, &err);
	if (r < 0)
		return cli_fail_usage(&verb_simulate, &err);
	r = simulate_verdict(&world, &plan, n_runs, seed, &outcome, &err);
	if (r < 0)
		return cli_fail(r, &err);
	return print_outcome(&outcome);
}

const struct verb verb_simulate = {
	.name = "simulate",
	.synopsis = "simulate [OPTION...] verdict",
	.summary = "Say how often the verdict is right on a machine of given noise",
	.options = options,
	.run = run,
};
