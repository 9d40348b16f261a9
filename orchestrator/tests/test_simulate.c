// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The real `abbot simulate`: keys and ranges of its JSON, the same seed twice, bad input.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "common/cleanup.h"
#include "orchestrator/tests/programs.h"

#define BISECT(...)                                                                       \
	RUN(NULL, programs_path("abbot"), "simulate", "bisect", "--seeds", "30", __VA_ARGS__)

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_real(value))
		fail_msg("\"%s\" is missing or no number", key);
	return json_real_value(value);
}

static void expect_figures(const json_t *figures)
{
	double sum = number(figures, "exact") + number(figures, "wrong") +
		     number(figures, "inconclusive") + number(figures, "none");

	assert_true(sum > .9999 && sum < 1.0001);
	assert_true(number(figures, "single_commit") <= number(figures, "exact"));
	assert_true(number(figures, "boots_median") >= 2);
	assert_true(number(figures, "boots_p95") >= number(figures, "boots_median"));
	assert_true(number(figures, "builds_median") >= 2);
	assert_true(number(figures, "builds_p95") >= number(figures, "builds_median"));
}

static void test_json(void **state)
{
	struct program_output output =
		BISECT("--commits", "64", "--step", "5", "--boot-sd=1", "--json");
	_cleanup_json_ json_t *root = json_loads(output.output, 0, NULL);
	const json_t *world = json_object_get(root, "world");

	(void)state;
	assert_int_equal(output.exit_status, 0);
	assert_non_null(root);
	expect_figures(root);
	expect_figures(json_object_get(root, "plain"));
	expect_figures(json_object_get(root, "plain_median_of_3"));
	assert_true(number(root, "exact") > number(json_object_get(root, "plain"), "exact"));
	assert_int_equal(json_integer_value(json_object_get(world, "commits")), 64);
	assert_int_equal(json_integer_value(json_object_get(world, "seeds")), 30);
	assert_int_equal(json_integer_value(json_object_get(world, "seed")), 1);
	assert_true(number(world, "step_pct") > 4.9 && number(world, "unbuildable_pct") > 4.9);
	program_output_done(&output);
}

static void test_same_seed(void **state)
{
	struct program_output first = BISECT("--commits=64", "--step=2", "--boot-sd=2", "--seed=7");
	struct program_output same = BISECT("--commits=64", "--step=2", "--boot-sd=2", "--seed=7");
	struct program_output other = BISECT("--commits=64", "--step=2", "--boot-sd=2", "--seed=8");

	(void)state;
	assert_int_equal(first.exit_status, 0);
	assert_non_null(strstr(first.output, "30 simulated bisections of 64 commits"));
	assert_string_equal(first.output, same.output);
	assert_string_not_equal(first.output, other.output);
	program_output_done(&first);
	program_output_done(&same);
	program_output_done(&other);
}

static void expect_refusal(struct program_output output, const char *part)
{
	assert_int_equal(output.exit_status, 2);
	assert_string_equal(output.output, "");
	if (!strstr(output.error_output, part))
		fail_msg("\"%s\" is not in: %s", part, output.error_output);
	program_output_done(&output);
}

static void test_refusals(void **state)
{
	const char *abbot = programs_path("abbot");

	(void)state;
	expect_refusal(RUN(NULL, abbot, "simulate"), "say what to simulate");
	expect_refusal(RUN(NULL, abbot, "simulate", "bisekt"), "did you mean \"bisect\"?");
	expect_refusal(RUN(NULL, abbot, "simulate", "bisect", "x"), "one word too many");
	expect_refusal(BISECT("--commits", "64", "--step", "5"), "give --boot-sd");
	expect_refusal(BISECT("--commits", "0", "--step", "5", "--boot-sd", "1"), "--commits 0");
	expect_refusal(BISECT("--commits", "9", "--step", "x", "--boot-sd", "1"), "--step x");
	expect_refusal(BISECT("--commits", "9", "--step", "-95", "--boot-sd", "1"), "step in percent");
	expect_refusal(BISECT("--commits", "9", "--step", "5", "--boot-sd", "nan"), "--boot-sd nan");
	expect_refusal(BISECT("--commits", "9", "--step", "5", "--boot-sd", "1", "--seed", "-1"),
		       "--seed -1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_same_seed),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
