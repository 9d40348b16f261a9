// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The random numbers, the made-up worlds, and the bisection's demands with a few worlds
 * each (tests/bench/bisect.sh takes a thousand fresh ones).
 */
#include "reports/statistics/tests/vectors.h"

#include <errno.h>
#include <stdlib.h>

#include "reports/statistics/bisect_simulate.h"

#define WORLDS 150

struct row {
	size_t commits;
	double step, boot_sd, unbuildable, commit_sd;
	double exact_min, wrong_max;
	double boots_median_max, boots_p95_max, builds_p95_max;
};

static struct bisect_world_options options_of(const struct row *row)
{
	return (struct bisect_world_options){
		.commits = row->commits, .step_pct = row->step, .boot_sd_pct = row->boot_sd,
		.process_sd_pct = 1, .drift_pct = .1, .outliers_pct = 2,
		.unbuildable_pct = row->unbuildable, .commit_sd_pct = row->commit_sd, .seed = 20,
	};
}

static struct bisect_figures simulate(const struct row *row, size_t plain_boots)
{
	struct bisect_world_options options = options_of(row);
	struct bisect_tally tally = { 0 };
	struct bisect_figures figures;
	struct bisect_world world;
	struct bisect_run run;

	assert_int_equal(bisect_world_init(&world, &options, NULL), 0);
	for (uint64_t number = 0; number < WORLDS; number++) {
		bisect_world_make(&world, number);
		if (plain_boots)
			assert_int_equal(bisect_simulate_plain(&world, plain_boots, &run, NULL), 0);
		else
			assert_int_equal(bisect_simulate_search(&world, &run, NULL), 0);
		assert_int_equal(bisect_tally_add(&tally, &run, NULL), 0);
	}
	bisect_world_done(&world);
	figures = bisect_tally_figures(&tally);
	assert_int_equal(tally.n, WORLDS);
	bisect_tally_done(&tally);
	return figures;
}

static void test_demands(void **state)
{
	/* The demand less three standard errors of that many worlds. */
	static const struct row rows[] = {
		{ 1024, 5, 1, 5, 0, .99, .005, 34, 50, 18 },
		{ 1024, -5, 1, 5, 0, .99, .005, 34, 50, 18 },
		{ 1024, 5, 1, 5, .2, .99, .005, 34, 50, 18 },
		{ 1024, 2, 1, 5, 0, .98, .01, 110, 300, 30 },
		{ 1024, 5, 3, 5, 0, .97, .01, 130, 300, 30 },
		{ 8192, 5, 1, 5, 0, .99, .005, 40, 70, 25 },
		{ 1024, 5, 1, 20, 0, .99, .005, 36, 52, 40 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		struct bisect_figures figures = simulate(row, 0);
		double slack = 3 * sqrt(row->exact_min * (1 - row->exact_min) / WORLDS);
		double wrong_slack = 3 * sqrt(row->wrong_max * (1 - row->wrong_max) / WORLDS);

		if (figures.share[BISECT_EXACT] < row->exact_min - slack ||
		    figures.share[BISECT_WRONG] > row->wrong_max + wrong_slack ||
		    figures.boots_median > row->boots_median_max ||
		    figures.boots_p95 > row->boots_p95_max ||
		    figures.builds_p95 > row->builds_p95_max) {
			print_error("row %zu: exact %.3f wrong %.3f boots %.0f %.0f builds %.0f\n", i,
				    figures.share[BISECT_EXACT], figures.share[BISECT_WRONG],
				    figures.boots_median, figures.boots_p95, figures.builds_p95);
			fail();
		}
	}
}

static void test_no_culprit(void **state)
{
	static const struct row rows[] = {
		{ .commits = 1024, .boot_sd = 1, .unbuildable = 5 },
		{ .commits = 1024, .boot_sd = .5, .unbuildable = 5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bisect_figures figures = simulate(&rows[i], 0);

		assert_true(figures.share[BISECT_WRONG] <= .02);
		assert_true(figures.share[BISECT_EXACT] <= 0);
		assert_true(figures.share[BISECT_NONE] > .5);
	}
}

/* What everybody does today, for comparison: 0.61 of the culprits with one boot each. */
static void test_plain(void **state)
{
	static const struct row five = { 1024, 5, 1, 5, 0, 0, 0, 0, 0, 0 };
	static const struct row two = { 1024, 2, 1, 5, 0, 0, 0, 0, 0, 0 };
	static const struct row quiet = { 1024, 5, 0.1, 0, 0, 0, 0, 0, 0, 0 };
	struct bisect_world_options options = options_of(&five);
	struct bisect_world world;
	struct bisect_run run;

	(void)state;
	assert_true(fabs(simulate(&five, 1).share[BISECT_EXACT] - .61) < .13);
	assert_true(fabs(simulate(&two, 1).share[BISECT_EXACT] - .08) < .08);
	assert_true(simulate(&quiet, 1).share[BISECT_EXACT] > .65);
	assert_int_equal(bisect_world_init(&world, &options, NULL), 0);
	bisect_world_make(&world, 0);
	assert_int_equal(bisect_simulate_plain(&world, 4, &run, NULL), -EINVAL);
	bisect_world_done(&world);
}

static void test_plain_without_noise(void **state)
{
	struct bisect_world_options options = { .commits = 1000, .step_pct = 5, .seed = 4 };
	struct bisect_world world;
	struct bisect_run run;

	(void)state;
	assert_int_equal(bisect_world_init(&world, &options, NULL), 0);
	for (uint64_t number = 0; number < 50; number++) {
		bisect_world_make(&world, number);
		assert_int_equal(bisect_simulate_plain(&world, 3, &run, NULL), 0);
		assert_int_equal(run.ending, BISECT_EXACT);
		assert_true(run.is_single);
		assert_int_equal(run.boots, 3 * run.builds);
		assert_true(run.builds >= 11 && run.builds <= 12);
	}
	bisect_world_done(&world);
}

static void test_world(void **state)
{
	static const struct row row = { 8192, 5, 0, 20, 0, 0, 0, 0, 0, 0 };
	struct bisect_world_options options = options_of(&row);
	size_t culprit, unbuildable = 0, pairs = 0;
	struct bisect_world world;
	double first;

	(void)state;
	options.process_sd_pct = options.outliers_pct = 0;
	assert_int_equal(bisect_world_init(&world, &options, NULL), 0);
	bisect_world_make(&world, 5);
	culprit = world.culprit;
	for (size_t i = 1; i < world.options.commits; i++) {
		unbuildable += world.is_unbuildable[i];
		pairs += world.is_unbuildable[i] && world.is_unbuildable[i - 1];
	}
	assert_true(unbuildable > 1150 && unbuildable < 1970);
	assert_true(pairs > unbuildable / 3);
	assert_false(world.is_unbuildable[0] || world.is_unbuildable[8192]);
	first = bisect_world_boot(&world, culprit - 1);
	assert_six(bisect_world_boot(&world, culprit) - first, 100 * log(1.05) + .1);
	bisect_world_make(&world, 6);
	assert_int_not_equal(world.culprit, culprit);
	bisect_world_make(&world, 5);
	assert_int_equal(world.culprit, culprit);
	assert_six(bisect_world_boot(&world, culprit - 1), first);
	bisect_world_done(&world);
}

static void test_world_refusals(void **state)
{
	struct bisect_world_options options = { .commits = 10, .step_pct = -95 };
	struct bisect_world world;
	struct error err = { "" };

	(void)state;
	assert_int_equal(bisect_world_init(&world, &options, &err), -EINVAL);
	assert_non_null(strstr(err.text, "step in percent: -95"));
	options.step_pct = (double)NAN;
	assert_int_equal(bisect_world_init(&world, &options, NULL), -EINVAL);
	options.step_pct = 1;
	options.commits = 0;
	assert_int_equal(bisect_world_init(&world, &options, NULL), -EINVAL);
}

/* The first numbers of SplitMix64 from 1234567, as its other implementations give them. */
static void test_generator(void **state)
{
	static const uint64_t expected[] = {
		6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
		4593380528125082431U, 16408922859458223821U,
	};
	struct random_stream random = { .state = 1234567 };

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_true(random_next(&random) == expected[i]);
}

static void test_random(void **state)
{
	struct random_stream random = random_stream_make(1, 0), same = random_stream_make(1, 0);
	struct random_stream other = random_stream_make(1, 1);
	double sum = 0, squares = 0, uniform = 0;
	size_t counts[3] = { 0 };
	const int n = 100000;

	(void)state;
	assert_true(random_next(&random) == random_next(&same));
	assert_true(random_next(&random) != random_next(&other));
	for (int i = 0; i < n; i++) {
		double x = random_normal(&random);

		sum += x;
		squares += x * x;
		uniform += random_uniform(&random);
		counts[random_below(&random, 3)]++;
	}
	assert_true(fabs(sum / n) < .015);
	assert_true(fabs(squares / n - 1) < .02);
	assert_true(fabs(uniform / n - .5) < .005);
	for (int i = 0; i < 3; i++)
		assert_true(fabs((double)counts[i] / n - 1 / 3.) < .008);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_demands),
		cmocka_unit_test(test_no_culprit),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_plain_without_noise),
		cmocka_unit_test(test_world),
		cmocka_unit_test(test_world_refusals),
		cmocka_unit_test(test_generator),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
