// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot simulate bisect`: what a night's bisection would find and cost, by Monte Carlo
 * with the planner's own code, beside what a plain bisection makes of the same worlds.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/progress.h"
#include "common/text.h"
#include "orchestrator/cli/simulate.h"
#include "reports/statistics/bisect_simulate.h"

#define SEEDS_MAX 1000000

enum way {
	WAY_ABBOT,
	WAY_PLAIN,
	WAY_MEDIAN,
	WAY_COUNT,
};

/* JSON: the first one's figures are at the top, where a user looks. */
static const char *const way_keys[WAY_COUNT] = { NULL, "plain", "plain_median_of_3" };

static const struct {
	const char *key;   /* in JSON, where a share is from 0 to 1 */
	const char *label;
	bool is_share;
} figure_rows[] = {
	{ "exact", "culprit named", true },
	{ "single_commit", "  as one commit", true },
	{ "wrong", "wrong commit named", true },
	{ "inconclusive", "inconclusive", true },
	{ "none", "no change seen", true },
	{ "boots_median", "boots, median", false },
	{ "boots_p95", "boots, 95 % below", false },
	{ "builds_median", "builds, median", false },
	{ "builds_p95", "builds, 95 % below", false },
};

static int read_options(const struct cli_arguments *arguments,
			struct bisect_world_options *options, int64_t *ret_seeds,
			struct error *err)
{
	static const char *const required[] = { "--commits", "--step", "--boot-sd" };
	const struct {
		const char *name;
		double otherwise;
		double *value;
	} numbers[] = {
		{ "--step", 0, &options->step_pct },
		{ "--boot-sd", 0, &options->boot_sd_pct },
		{ "--process-sd", 1, &options->process_sd_pct },
		{ "--drift", .1, &options->drift_pct },
		{ "--outliers", 2, &options->outliers_pct },
		{ "--unbuildable", 5, &options->unbuildable_pct },
		{ "--commit-sd", 0, &options->commit_sd_pct },
	};
	int64_t commits = 0, seed = 0;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(required); i++)
		if (!cli_arguments_get(arguments, required[i]))
			return error_set(err, -EINVAL, "give %s", required[i]);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		r = simulate_number(arguments, numbers[i].name, numbers[i].otherwise,
				    numbers[i].value, err);
		if (r < 0)
			return r;
	}
	r = simulate_count(arguments, "--commits", 1, 1, BISECT_WORLD_COMMITS_MAX, &commits, err);
	if (r == 0)
		r = simulate_count(arguments, "--seeds", 1000, 1, SEEDS_MAX, ret_seeds, err);
	if (r == 0)
		r = simulate_count(arguments, "--seed", 1, 0, INT64_MAX, &seed, err);
	if (r < 0)
		return r;
	options->commits = (size_t)commits;
	options->seed = (uint64_t)seed;
	return 0;
}

static int simulate_one(struct bisect_world *world, enum way way, struct bisect_tally *tally,
			struct error *err)
{
	struct bisect_run run = { 0 };
	int r = 0;

	bisect_world_restart(world, way);
	switch (way) {
	case WAY_ABBOT:
		r = bisect_simulate_search(world, &run, err);
		break;
	case WAY_PLAIN:
		r = bisect_simulate_plain(world, 1, &run, err);
		break;
	case WAY_MEDIAN:
		r = bisect_simulate_plain(world, 3, &run, err);
		break;
	case WAY_COUNT:
		break;
	}
	return r < 0 ? r : bisect_tally_add(tally, &run, err);
}

static int simulate_all(struct bisect_world *world, int64_t seeds, struct bisect_tally *tallies,
			struct error *err)
{
	_cleanup_free_ char *what = text_format("simulating %" PRIi64 " bisections", seeds);
	struct progress progress;

	progress_start(&progress, what, -1);
	for (int64_t number = 0; number < seeds; number++) {
		bisect_world_make(world, (uint64_t)number);
		for (enum way way = 0; way < WAY_COUNT; way++) {
			int r = simulate_one(world, way, &tallies[way], err);

			if (r < 0)
				return r;
		}
		progress_update(&progress, (double)(number + 1) / (double)seeds, NULL);
	}
	if (progress.has_shown)
		progress_finish(&progress, "done");
	return 0;
}

/* In the order of figure_rows. */
static void figures_list(const struct bisect_figures *figures, double *values)
{
	*values++ = figures->share[BISECT_EXACT];
	*values++ = figures->single_commit;
	*values++ = figures->share[BISECT_WRONG];
	*values++ = figures->share[BISECT_INCONCLUSIVE];
	*values++ = figures->share[BISECT_NONE];
	*values++ = figures->boots_median;
	*values++ = figures->boots_p95;
	*values++ = figures->builds_median;
	*values = figures->builds_p95;
}

static void print_text(const struct bisect_world_options *options, int64_t seeds,
		       const struct bisect_figures *figures)
{
	double values[WAY_COUNT][ARRAY_SIZE(figure_rows)];

	printf("%" PRIi64 " simulated bisections of %zu commits: step %g %%, SD between boots %g %%.\n\n",
	       seeds, options->commits, options->step_pct, options->boot_sd_pct);
	printf("  %-20s%12s%12s%12s\n", "", "Abbot", "plain", "plain of 3");
	for (int way = 0; way < WAY_COUNT; way++)
		figures_list(&figures[way], values[way]);
	for (size_t i = 0; i < ARRAY_SIZE(figure_rows); i++) {
		printf("  %-20s", figure_rows[i].label);
		for (int way = 0; way < WAY_COUNT; way++)
			if (figure_rows[i].is_share)
				printf("%10.1f %%", 100 * values[way][i]);
			else
				printf("%12.0f", values[way][i]);
		printf("\n");
	}
	printf("\nPlain: one boot of each commit is believed; of 3: the median of three is.\n");
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		abort();
}

static void set_figures(json_t *object, const struct bisect_figures *figures)
{
	double values[ARRAY_SIZE(figure_rows)];

	figures_list(figures, values);
	for (size_t i = 0; i < ARRAY_SIZE(figure_rows); i++)
		set(object, figure_rows[i].key, json_real(values[i]));
}

static void print_json(const struct bisect_world_options *options, int64_t seeds,
		       const struct bisect_figures *figures)
{
	_cleanup_json_ json_t *object = json_object();
	_cleanup_free_ char *text = NULL;
	json_t *world = json_pack(
		"{s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I}", "commits",
		(json_int_t)options->commits, "step_pct", options->step_pct, "boot_sd_pct",
		options->boot_sd_pct, "process_sd_pct", options->process_sd_pct, "drift_pct",
		options->drift_pct, "outliers_pct", options->outliers_pct, "unbuildable_pct",
		options->unbuildable_pct, "commit_sd_pct", options->commit_sd_pct, "seeds",
		(json_int_t)seeds, "seed", (json_int_t)options->seed);

	set(object, "world", world);
	set_figures(object, &figures[WAY_ABBOT]);
	for (int way = WAY_PLAIN; way < WAY_COUNT; way++) {
		json_t *other = json_object();

		set(object, way_keys[way], other);
		set_figures(other, &figures[way]);
	}
	text = json_dumps(object, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(6));
	if (!text)
		abort();
	printf("%s\n", text);
}

int simulate_bisect(const struct cli_arguments *arguments, struct error *err)
{
	struct bisect_tally tallies[WAY_COUNT] = { 0 };
	struct bisect_figures figures[WAY_COUNT];
	struct bisect_world_options options = { 0 };
	struct bisect_world world;
	int64_t seeds = 0;
	int r;

	r = read_options(arguments, &options, &seeds, err);
	if (r == 0)
		r = bisect_world_init(&world, &options, err);
	if (r < 0)
		return r;
	r = simulate_all(&world, seeds, tallies, err);
	for (int way = 0; way < WAY_COUNT; way++) {
		if (r == 0)
			figures[way] = bisect_tally_figures(&tallies[way]);
		bisect_tally_done(&tallies[way]);
	}
	bisect_world_done(&world);
	if (r < 0)
		return r;
	if (cli_arguments_get(arguments, "--json"))
		print_json(&options, seeds, figures);
	else
		print_text(&options, seeds, figures);
	if (fflush(stdout) == EOF)
		return error_set_errno(err, -errno, "cannot write the outcome");
	return 0;
}
