// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where worlds come from. How they are searched is left to bisect_simulate.c.
 */
#include "reports/statistics/bisect_world.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define PROCESSES 15.0
#define OUTLIER_PCT 10.0
#define RUN_MEAN 8.0
#define STREAMS_EACH 8 /* of random numbers, for one world */

static int check_range(const char *what, double value, double low, double high, struct error *err)
{
	if (value >= low && value <= high)
		return 0;
	return error_set(err, -EINVAL, "%s: %g is not from %g to %g", what, value, low, high);
}

static int check_options(const struct bisect_world_options *options, struct error *err)
{
	const struct {
		const char *what;
		double value, low, high;
	} rows[] = {
		{ "commits", (double)options->commits, 1, BISECT_WORLD_COMMITS_MAX },
		{ "step in percent", options->step_pct, -90, 1000 },
		{ "SD between boots in percent", options->boot_sd_pct, 0, 100 },
		{ "SD between processes in percent", options->process_sd_pct, 0, 100 },
		{ "drift in percent a boot", options->drift_pct, -10, 10 },
		{ "outliers in percent", options->outliers_pct, 0, 100 },
		{ "unbuildable in percent", options->unbuildable_pct, 0, 100 },
		{ "SD between commits in percent", options->commit_sd_pct, 0, 100 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int r = check_range(rows[i].what, rows[i].value, rows[i].low, rows[i].high, err);

		if (r < 0)
			return r;
	}
	return 0;
}

int bisect_world_init(struct bisect_world *world, const struct bisect_world_options *options,
		      struct error *err)
{
	int r = check_options(options, err);

	if (r < 0)
		return r;
	*world = (struct bisect_world){ .options = *options };
	world->is_unbuildable = calloc(options->commits + 1, sizeof(*world->is_unbuildable));
	world->effect = calloc(options->commits + 1, sizeof(*world->effect));
	if (world->is_unbuildable && world->effect)
		return 0;
	bisect_world_done(world);
	return error_set(err, -ENOMEM, "out of memory for %zu commits", options->commits);
}

void bisect_world_done(struct bisect_world *world)
{
	free(world->is_unbuildable);
	free(world->effect);
	world->is_unbuildable = NULL;
	world->effect = NULL;
}

/* Half of them alone, half in runs. The ends always build. */
static void break_builds(struct bisect_world *world, struct random_stream *random)
{
	double rate = world->options.unbuildable_pct / 100;
	size_t run = 0;

	for (size_t i = 1; i < world->options.commits; i++) {
		if (random_uniform(random) < rate / (2 * RUN_MEAN))
			run = 1 + (size_t)(log1p(-random_uniform(random)) / log1p(-1 / RUN_MEAN));
		world->is_unbuildable[i] = random_uniform(random) < rate / 2 || run > 0;
		if (run > 0)
			run--;
	}
}

void bisect_world_make(struct bisect_world *world, uint64_t number)
{
	const struct bisect_world_options *options = &world->options;
	struct random_stream random = random_stream_make(options->seed, number * STREAMS_EACH);

	world->number = number;
	world->culprit = 1 + random_below(&random, options->commits);
	if (options->step_pct == 0)
		world->culprit = 0;
	break_builds(world, &random);
	for (size_t i = 0; i <= options->commits && options->commit_sd_pct > 0; i++)
		world->effect[i] = options->commit_sd_pct * random_normal(&random);
	bisect_world_restart(world, 0);
}

void bisect_world_restart(struct bisect_world *world, uint64_t stream)
{
	world->noise = random_stream_make(world->options.seed,
					  world->number * STREAMS_EACH + 1 + stream);
	world->n_boots = 0;
}

double bisect_world_boot(struct bisect_world *world, size_t commit)
{
	const struct bisect_world_options *options = &world->options;
	double y = world->effect[commit] + options->drift_pct * (double)world->n_boots++;
	/* The mean of normal processes is drawn at once. */
	double processes = options->process_sd_pct / 100 / sqrt(PROCESSES) *
			   random_normal(&world->noise);

	if (world->culprit && commit >= world->culprit)
		y += 100 * log1p(options->step_pct / 100);
	y += options->boot_sd_pct * random_normal(&world->noise);
	y += 100 * log1p(fmax(processes, -.99));
	if (random_uniform(&world->noise) < options->outliers_pct / 100)
		y += 100 * log1p(OUTLIER_PCT / 100);
	return y;
}
