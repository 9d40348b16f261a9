// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data, posterior and selection of a bisection against worked vectors.
 */
#include "reports/statistics/tests/vectors.h"

#include <errno.h>

#include "reports/statistics/change_point_posterior.h"
#include "reports/statistics/change_point_select.h"

#define N 16

static const size_t em_commits[] = { 0, 16, 16, 0, 0, 16, 8, 12, 10, 0, 11, 10, 11 };
static const double em_values[] = {
	.1, 5.3, 4.8, -.4, .3, 5.1, .6, 4.7, .2, .5, 5.6, 10.1, 5.0,
};


static void fill(struct change_point_data *data, size_t n_boots, double last)
{
	assert_int_equal(change_point_data_init(data, N, NULL, NULL), 0);
	for (size_t i = 0; i < n_boots; i++) {
		double y = i + 1 == n_boots && isfinite(last) ? last : em_values[i];

		assert_int_equal(change_point_data_boot(data, em_commits[i], y, NULL), 0);
	}
}

static void posterior_of(const struct change_point_data *data, double tau,
			 struct change_point_posterior *posterior)
{
	struct change_point_range range = { .lo = 0, .hi = data->n };
	struct change_point_model model = {
		.s0 = CHANGE_POINT_S0, .nu0 = CHANGE_POINT_NU0, .tau = tau,
	};

	change_point_posterior_make(data, &range, &model, false, posterior);
}

static void expect_p(const struct change_point_posterior *posterior, const double *expected)
{
	for (size_t k = 1; k < posterior->n_positions; k++)
		assert_six(posterior->p[k], expected[k - 1]);
}

static void expect_choice(const struct change_point_data *data,
			  const struct change_point_posterior *posterior, double tau, size_t commit,
			  double score)
{
	struct change_point_choice choice = change_point_select(data, posterior, tau);

	assert_int_equal(choice.commit, commit);
	assert_six(choice.score, score);
}

static void test_em1(void **state)
{
	static const size_t positions[] = { 0, 8, 10, 11, 12, 16 };
	static const double p[] = { .000012, .001823, .997231, .000926, .000009 };
	struct change_point_data data;
	struct change_point_posterior posterior;

	(void)state;
	fill(&data, 11, (double)NAN);
	posterior_of(&data, .2, &posterior);
	assert_int_equal(posterior.n_positions, 6);
	for (size_t k = 0; k < 6; k++)
		assert_int_equal(posterior.position[k], positions[k]);
	expect_p(&posterior, p);
	assert_six(posterior.mu[0], .243266);
	assert_six(posterior.mu[1], 5.098852);
	assert_six(posterior.s, .496092);
	assert_six(posterior.slope, .042421);
	assert_six(change_point_step(&posterior), 5.098852 - .243266);
	expect_choice(&data, &posterior, .2, 10, .009770);
	change_point_data_done(&data);
}

/* One boot of the last good commit is an outlier; a boot of the next one came after. */
static void test_em2(void **state)
{
	static const double p[] = { .000819, .077891, .921278, .000011, .000000 };
	struct change_point_data data;
	struct change_point_posterior posterior;

	(void)state;
	fill(&data, 13, (double)NAN);
	posterior_of(&data, .2, &posterior);
	expect_p(&posterior, p);
	assert_six(posterior.s, .598910);
	expect_choice(&data, &posterior, .2, 10, .310648);
	change_point_data_done(&data);
}

static void test_em3_without_deviation(void **state)
{
	struct change_point_data data;
	struct change_point_posterior posterior;

	(void)state;
	fill(&data, 11, (double)NAN);
	posterior_of(&data, 0, &posterior);
	assert_six(posterior.p[3], .999133);
	assert_six(posterior.s, .495877);
	change_point_data_done(&data);
}

static void test_em4(void **state)
{
	struct change_point_data data;
	struct change_point_posterior posterior;

	(void)state;
	fill(&data, 7, 2.6);
	posterior_of(&data, .2, &posterior);
	expect_p(&posterior, (const double[]){ .623633, .376367 });
	expect_choice(&data, &posterior, .2, 8, .806404);
	change_point_data_done(&data);

	fill(&data, 7, .2);
	posterior_of(&data, .2, &posterior);
	assert_six(posterior.p[1], .001235);
	expect_choice(&data, &posterior, .2, 12, .079549);
	change_point_data_done(&data);
}

/* A falling level is the same picture upside down. */
static void test_mirrored(void **state)
{
	struct change_point_data data, mirrored;
	struct change_point_posterior posterior, other;

	(void)state;
	fill(&data, 13, (double)NAN);
	fill(&mirrored, 13, (double)NAN);
	for (size_t i = 0; i < mirrored.n_boots; i++)
		mirrored.boots[i].y *= -1;
	posterior_of(&data, .2, &posterior);
	posterior_of(&mirrored, .2, &other);
	expect_p(&other, &posterior.p[1]);
	assert_six(other.s, posterior.s);
	assert_six(other.mu[1], -posterior.mu[1]);
	change_point_data_done(&data);
	change_point_data_done(&mirrored);
}

static void test_information(void **state)
{
	static const struct {
		double p;
		size_t n_boots, more;
		double step, expected;
	} rows[] = {
		{ .5, 0, 1, 5, .820294 },
		{ .5, 0, 3, 2, .700679 },
		{ .1, 1, 1, 5, .348678 },
		{ .98, 2, 1, 2, .023069 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct change_point_trial trial = {
			.p = rows[i].p, .n_boots = rows[i].n_boots, .step = rows[i].step, .s = 1,
			.tau = .2,
		};

		assert_six(change_point_information(&trial, rows[i].more), rows[i].expected);
	}
}

/* Only the ends count for the gate, and a part of the range has its own ends. */
static void test_parts(void **state)
{
	struct change_point_range all = { 0, N }, upper = { 10, 16 };
	struct change_point_model model = { .s0 = .7, .nu0 = 4, .tau = .2 };
	struct change_point_data data;
	struct change_point_posterior posterior;

	(void)state;
	fill(&data, 13, (double)NAN);
	change_point_posterior_make(&data, &all, &model, true, &posterior);
	assert_int_equal(posterior.n_positions, 2);
	assert_int_equal(posterior.boots[0], 4);
	assert_int_equal(posterior.boots[1], 3);
	assert_six(posterior.p[1], 1);
	assert_six(posterior.t_mean, (0 + 1 + 2 + 3 + 4 + 5 + 9) / 7.);
	change_point_posterior_make(&data, &upper, &model, false, &posterior);
	assert_int_equal(posterior.n_positions, 4);
	assert_int_equal(posterior.position[0], 10);
	assert_int_equal(posterior.boots[1], 2);
	change_point_data_done(&data);
}

/* A path that the user names weighs ten: the search begins there. */
static void test_weights(void **state)
{
	double weights[N];
	struct change_point_data data;
	struct change_point_posterior posterior;

	(void)state;
	for (size_t i = 0; i < N; i++)
		weights[i] = i == 2 ? 100 : 1;
	assert_int_equal(change_point_data_init(&data, N, weights, NULL), 0);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(change_point_data_boot(&data, em_commits[i], em_values[i], NULL), 0);
	posterior_of(&data, .2, &posterior);
	assert_int_equal(change_point_select(&data, &posterior, .2).commit, 3);
	change_point_data_done(&data);
	weights[5] = 0;
	assert_int_equal(change_point_data_init(&data, N, weights, NULL), -EINVAL);
}

/* A failed commit is passed over, and its neighbours are avoided. */
static void test_failures(void **state)
{
	struct change_point_data data;
	struct change_point_posterior posterior;
	size_t first, second;

	(void)state;
	assert_int_equal(change_point_data_init(&data, 64, NULL, NULL), 0);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(change_point_data_boot(&data, em_commits[i] ? 64 : 0, em_values[i],
							NULL), 0);
	posterior_of(&data, .2, &posterior);
	first = change_point_select(&data, &posterior, .2).commit;
	assert_int_equal(first, 32);
	assert_int_equal(change_point_data_fail(&data, first, NULL), 0);
	second = change_point_select(&data, &posterior, .2).commit;
	assert_true(second != first);
	assert_true(second > first + 4 || second + 4 < first);
	assert_int_equal(change_point_data_distance(&data, second),
			 second > first ? second - first : first - second);
	assert_int_equal(change_point_data_left(&data, 31, 33), 0);
	assert_int_equal(change_point_data_left(&data, 30, 34), 2);
	change_point_data_done(&data);
}

static void test_refusals(void **state)
{
	struct change_point_data data;
	struct error err = { "" };

	(void)state;
	assert_int_equal(change_point_data_init(&data, 0, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "needs 1 to"));
	assert_int_equal(change_point_data_init(&data, 3, NULL, NULL), 0);
	assert_int_equal(change_point_data_boot(&data, 4, 1, NULL), -EINVAL);
	assert_int_equal(change_point_data_boot(&data, 3, (double)NAN, NULL), -EINVAL);
	assert_int_equal(change_point_data_fail(&data, 4, NULL), -EINVAL);
	assert_int_equal(change_point_data_fail(&data, 2, NULL), 0);
	assert_int_equal(change_point_data_fail(&data, 2, NULL), 0);
	assert_int_equal(data.n_failed, 1);
	assert_int_equal(change_point_data_boot(&data, 2, 1, NULL), -EINVAL);
	for (size_t i = 0; i < CHANGE_POINT_BOOTS_MAX; i++)
		assert_int_equal(change_point_data_boot(&data, 1, 1, NULL), 0);
	assert_int_equal(change_point_data_boot(&data, 1, 1, NULL), -E2BIG);
	assert_int_equal(change_point_data_fail(&data, 1, NULL), -EINVAL);
	change_point_data_done(&data);
}

static void test_twins_hold_no_change(void **unused)
{
	struct change_point_data data;

	(void)unused;
	assert_int_equal(change_point_data_init(&data, 16, NULL, NULL), 0);
	assert_int_equal(change_point_data_boot(&data, 0, 1, NULL), 0);
	assert_int_equal(change_point_data_boot(&data, 16, 5, NULL), 0);
	/* Commit 8 is the kernel of good: the change is after it. */
	assert_int_equal(change_point_data_twin(&data, 8, 0, NULL), 0);
	assert_int_equal(change_point_data_left(&data, 0, 16), 7);
	assert_true(change_point_data_is_twin(&data, 3));
	assert_false(change_point_data_is_twin(&data, 9));
	assert_true(data.mass[8] <= 0 && data.mass[16] > 7.9 && data.mass[16] < 8.1);
	/* What was measured, or is its own twin, cannot be one. */
	assert_int_equal(change_point_data_twin(&data, 16, 0, NULL), -EINVAL);
	assert_int_equal(change_point_data_twin(&data, 9, 9, NULL), -EINVAL);
	assert_int_equal(change_point_data_twin(&data, 9, 4, NULL), -EINVAL);
	/* Something else was measured between: only the commit itself is known. */
	assert_int_equal(change_point_data_boot(&data, 12, 1, NULL), 0);
	assert_int_equal(change_point_data_twin(&data, 10, 16, NULL), 0);
	assert_false(change_point_data_is_twin(&data, 14));
	assert_int_equal(change_point_data_left(&data, 12, 16), 3);
	change_point_data_done(&data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_em1),
		cmocka_unit_test(test_em2),
		cmocka_unit_test(test_em3_without_deviation),
		cmocka_unit_test(test_em4),
		cmocka_unit_test(test_mirrored),
		cmocka_unit_test(test_information),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_twins_hold_no_change),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
