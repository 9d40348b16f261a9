// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whole bisections on scripted machines: the order of the boots, each ending, skips,
 * confirmation, several changes.
 */
#include "reports/statistics/tests/vectors.h"

#include <errno.h>
#include <stdlib.h>

#include "reports/statistics/change_point_gate.h"
#include "reports/statistics/change_point_search.h"
#include "reports/statistics/random.h"

#define TRACE_MAX CHANGE_POINT_BOOTS_MAX

/* A machine whose levels are known; two changes at most. */
struct machine {
	size_t n;
	size_t culprits[2];
	double steps[2];
	double sd;
	bool (*is_broken)(size_t commit);
	bool is_first_proof_spoilt;  /* the pair looks alike in its first confirmation */
	bool is_proof_hit;           /* the second boot of lo in the first one is an outlier */
	bool is_proof_spoilt;        /* in each one: hi looks like lo */
	struct random_stream random;

	struct change_point_search *search;
	size_t n_trace;
	struct change_point_request trace[TRACE_MAX];
	size_t builds;
};

static double value_of(struct machine *machine, const struct change_point_request *request)
{
	double y = machine->sd > 0 ? machine->sd * random_normal(&machine->random) : 0;

	if (machine->is_proof_hit && machine->n_trace > 2 &&
	    request->phase == CHANGE_POINT_CONFIRMING &&
	    machine->trace[machine->n_trace - 2].phase == CHANGE_POINT_CONFIRMING) {
		machine->is_proof_hit = false;
		return y + 2 * machine->steps[0];
	}
	if (machine->is_proof_spoilt && request->phase == CHANGE_POINT_CONFIRMING)
		return y;
	if (machine->is_first_proof_spoilt && request->phase == CHANGE_POINT_CONFIRMING)
		return y + machine->steps[0] / 2;
	if (machine->is_first_proof_spoilt && machine->n_trace > 0 &&
	    machine->trace[machine->n_trace - 1].phase == CHANGE_POINT_CONFIRMING)
		machine->is_first_proof_spoilt = false;
	for (int i = 0; i < 2; i++)
		if (machine->culprits[i] && request->commit >= machine->culprits[i])
			y += machine->steps[i];
	return y;
}

static const struct change_point_answer *bisect(struct machine *machine,
						const struct change_point_options *options)
{
	struct change_point_request request, same;

	assert_int_equal(change_point_search_new(machine->n, NULL, options, &machine->search, NULL),
			 0);
	while (change_point_search_next(machine->search, &request)) {
		assert_true(change_point_search_next(machine->search, &same));
		assert_int_equal(same.commit, request.commit);
		assert_true(request.commit <= machine->n);
		machine->builds += !request.is_built;
		if (machine->is_broken && machine->is_broken(request.commit)) {
			assert_int_equal(change_point_search_fail(machine->search, NULL), 0);
			continue;
		}
		assert_int_equal(change_point_search_boot(machine->search,
							  value_of(machine, &request), NULL), 0);
		machine->trace[machine->n_trace++] = request;
	}
	assert_int_equal(change_point_search_data(machine->search)->n_boots, machine->n_trace);
	assert_int_equal(change_point_search_boot(machine->search, 0, NULL), -EINVAL);
	assert_int_equal(change_point_search_fail(machine->search, NULL), -EINVAL);
	return change_point_search_answer(machine->search);
}

static void expect_pair(const struct change_point_found *found, size_t lo, size_t hi)
{
	assert_int_equal(found->lo, lo);
	assert_int_equal(found->hi, hi);
}

static void test_order_of_boots(void **state)
{
	static const char gate[] = "GBBGGB";
	struct machine machine = { .n = 100, .culprits = { 37 }, .steps = { 5 } };
	const struct change_point_answer *answer = bisect(&machine, NULL);
	const struct change_point_found *found = &answer->found[0];
	size_t since = 0;

	(void)state;
	assert_int_equal(answer->outcome, CHANGE_POINT_FOUND);
	assert_int_equal(answer->n_found, 1);
	expect_pair(found, 36, 37);
	assert_six(found->share_pct, 100);
	assert_six(found->proof.difference, 5);
	assert_int_equal(found->first_boot + 2 * found->pairs + 1, machine.n_trace);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(machine.trace[i].commit, gate[i] == 'G' ? 0 : 100);
	for (size_t i = 6; i < found->first_boot; i++) {
		bool is_end = machine.trace[i].commit == 0 || machine.trace[i].commit == 100;

		since = is_end ? 0 : since + 1;
		assert_true(since <= 4);
		assert_int_equal(is_end, machine.trace[i].phase == CHANGE_POINT_REFERENCE);
	}
	for (size_t i = found->first_boot; i < machine.n_trace; i++)
		assert_int_equal(machine.trace[i].commit, (i - found->first_boot) % 2 ? 37 : 36);
	change_point_search_free(machine.search);
}

/* The first reference boot is good, the next one bad. */
static void test_reference_in_turn(void **state)
{
	struct machine machine = { .n = 100000, .culprits = { 33333 }, .steps = { -5 } };
	size_t expected = 0, n = 0;

	(void)state;
	assert_int_equal(bisect(&machine, NULL)->outcome, CHANGE_POINT_FOUND);
	for (size_t i = 0; i < machine.n_trace; i++) {
		if (machine.trace[i].phase != CHANGE_POINT_REFERENCE)
			continue;
		assert_int_equal(machine.trace[i].commit, expected);
		expected = expected ? 0 : machine.n;
		n++;
	}
	assert_true(n >= 3);
	change_point_search_free(machine.search);
}

static void test_nothing_to_find(void **state)
{
	struct machine machine = { .n = 100 };
	struct machine small = { .n = 100, .culprits = { 50 }, .steps = { .95 } };
	const struct change_point_answer *answer = bisect(&machine, NULL);

	(void)state;
	assert_int_equal(answer->outcome, CHANGE_POINT_NONE);
	assert_int_equal(answer->n_found, 0);
	assert_int_equal(machine.n_trace, 10);
	assert_int_equal(machine.builds, 2);
	change_point_search_free(machine.search);
	/* So near the smallest step that ten looks do not tell. */
	assert_int_equal(bisect(&small, NULL)->outcome, CHANGE_POINT_INCONCLUSIVE);
	assert_int_equal(small.n_trace, 6 + 9 * 4);
	change_point_search_free(small.search);
}

static bool is_inside(size_t commit)
{
	return commit > 0 && commit < 20;
}

static bool is_around_culprit(size_t commit)
{
	return commit >= 30 && commit <= 33;
}

static bool is_bad_end(size_t commit)
{
	return commit == 20;
}

static void test_commits_that_do_not_build(void **state)
{
	struct machine all = { .n = 20, .culprits = { 7 }, .steps = { 5 }, .is_broken = is_inside };
	struct machine some = { .n = 64, .culprits = { 32 }, .steps = { 5 },
				.is_broken = is_around_culprit };
	struct machine end = { .n = 20, .culprits = { 7 }, .steps = { 5 }, .is_broken = is_bad_end };
	const struct change_point_answer *answer = bisect(&all, NULL);

	(void)state;
	assert_int_equal(answer->outcome, CHANGE_POINT_FOUND);
	expect_pair(&answer->found[0], 0, 20);
	assert_int_equal(all.builds, 21);
	answer = bisect(&some, NULL);
	assert_int_equal(answer->outcome, CHANGE_POINT_FOUND);
	expect_pair(&answer->found[0], 29, 34);
	answer = bisect(&end, NULL);
	assert_int_equal(answer->outcome, CHANGE_POINT_NO_END);
	assert_int_equal(answer->n_found, 0);
	change_point_search_free(all.search);
	change_point_search_free(some.search);
	change_point_search_free(end.search);
}

static void test_adjacent(void **state)
{
	struct machine machine = { .n = 1, .culprits = { 1 }, .steps = { -3 } };
	const struct change_point_answer *answer = bisect(&machine, NULL);

	(void)state;
	assert_int_equal(answer->outcome, CHANGE_POINT_FOUND);
	expect_pair(&answer->found[0], 0, 1);
	assert_six(answer->total, -3);
	change_point_search_free(machine.search);
}

/* Two changes: each found, with its share, whichever is found first. */
static void test_several_changes(void **state)
{
	static const double steps[][2] = { { 6, 4 }, { 5, 10 } };

	(void)state;
	for (size_t row = 0; row < 2; row++) {
		struct machine machine = {
			.n = 1000, .culprits = { 300, 700 }, .sd = .3,
			.steps = { steps[row][0], steps[row][1] },
			.random = random_stream_make(1, 2),
		};
		const struct change_point_answer *answer = bisect(&machine, NULL);

		assert_int_equal(answer->outcome, CHANGE_POINT_FOUND);
		assert_int_equal(answer->n_found, 2);
		assert_int_equal(answer->n_undecided, 0);
		/* The larger one comes first. */
		expect_pair(&answer->found[row], 299, 300);
		expect_pair(&answer->found[1 - row], 699, 700);
		assert_true(fabs(answer->found[row].share_pct - (row ? 33 : 60)) < 12);
		assert_true(fabs(answer->found[1 - row].share_pct - (row ? 67 : 40)) < 12);
		change_point_search_free(machine.search);
	}
}

/* A step back hides half of a step: the ends alone do not tell. */
static void test_changes_that_cancel(void **state)
{
	struct machine machine = {
		.n = 200, .culprits = { 60, 150 }, .steps = { 8, -4 }, .sd = .3,
		.random = random_stream_make(7, 7),
	};
	const struct change_point_answer *answer = bisect(&machine, NULL);

	(void)state;
	assert_int_equal(answer->outcome, CHANGE_POINT_FOUND);
	assert_int_equal(answer->n_found, 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(answer->found[i].proof.difference > 0 ? 60 : 150,
				 answer->found[i].hi);
	change_point_search_free(machine.search);
}

static size_t proofs_of(const struct machine *machine)
{
	size_t proofs = 0;

	/* One may follow the other at once: a proof begins with its lo, booted twice then. */
	for (size_t i = 1; i < machine->n_trace; i++)
		proofs += machine->trace[i].phase == CHANGE_POINT_CONFIRMING &&
			  (machine->trace[i - 1].phase != CHANGE_POINT_CONFIRMING ||
			   machine->trace[i - 1].commit == machine->trace[i].commit);
	return proofs;
}

static void test_refused_proof(void **state)
{
	struct machine machine = {
		.n = 100, .culprits = { 41 }, .steps = { 5 }, .is_first_proof_spoilt = true,
	};
	const struct change_point_answer *answer = bisect(&machine, NULL);

	(void)state;
	assert_true(proofs_of(&machine) >= 2);
	assert_int_equal(answer->outcome, CHANGE_POINT_FOUND);
	expect_pair(&answer->found[0], 40, 41);
	change_point_search_free(machine.search);
}

/* All boots together are still sure, the proof by itself is not: it does not count. */
static void test_proof_stands_alone(void **state)
{
	struct machine machine = {
		.n = 100, .culprits = { 41 }, .steps = { 5 }, .is_proof_hit = true,
	};
	const struct change_point_answer *answer = bisect(&machine, NULL);

	(void)state;
	assert_int_equal(proofs_of(&machine), 2);
	assert_int_equal(answer->outcome, CHANGE_POINT_FOUND);
	expect_pair(&answer->found[0], 40, 41);
	change_point_search_free(machine.search);
}

/* The pair never stands its test, and is never named. */
static void test_every_proof_refused(void **state)
{
	struct machine machine = {
		.n = 4, .culprits = { 3 }, .steps = { 5 }, .is_proof_spoilt = true, .sd = .01,
		.random = random_stream_make(11, 1),
	};
	const struct change_point_answer *answer = bisect(&machine, NULL);

	(void)state;
	assert_int_equal(answer->outcome, CHANGE_POINT_INCONCLUSIVE);
	assert_int_equal(answer->n_found, 0);
	assert_int_equal(proofs_of(&machine), 7);
	change_point_search_free(machine.search);
}

static void test_limits(void **state)
{
	struct change_point_options options = {
		.s0 = .7, .nu0 = 4, .step_min = 1, .boots_max = 20,
	};
	struct machine machine = {
		.n = 1000, .culprits = { 400 }, .steps = { 2 }, .sd = 1,
		.random = random_stream_make(3, 3),
	};
	struct error err = { "" };

	(void)state;
	assert_int_equal(bisect(&machine, &options)->outcome, CHANGE_POINT_INCONCLUSIVE);
	assert_true(machine.n_trace >= 20 && machine.n_trace < 24);
	change_point_search_free(machine.search);
	options.boots_max = CHANGE_POINT_SEARCH_BOOTS_MAX + 1;
	assert_int_equal(change_point_search_new(9, NULL, &options, &machine.search, &err), -EINVAL);
	assert_non_null(strstr(err.text, "300"));
	options.boots_max = 300;
	options.s0 = 0;
	assert_int_equal(change_point_search_new(9, NULL, &options, &machine.search, NULL), -EINVAL);
	assert_int_equal(change_point_search_new(0, NULL, NULL, &machine.search, NULL), -EINVAL);
	change_point_search_free(NULL);
}

static void test_gate(void **state)
{
	struct change_point_posterior posterior = {
		.n_positions = 2, .boots = { 3, 3 }, .mu = { 10, 14 }, .s = 1,
	};

	(void)state;
	/* qt(.995, 7) sqrt(1.4 (1/3 + 1/3)) */
	assert_six(change_point_gate_width(&posterior, 4), 3.499483 * sqrt(1.4 * 2 / 3));
	assert_int_equal(change_point_gate_judge(&posterior, 4, 1), CHANGE_POINT_GATE_PASS);
	assert_int_equal(change_point_gate_judge(&posterior, 4, 4.1), CHANGE_POINT_GATE_MORE);
	assert_int_equal(change_point_gate_judge(&posterior, 4, 7), CHANGE_POINT_GATE_NO_CHANGE);
	posterior.mu[1] = 13;
	assert_int_equal(change_point_gate_judge(&posterior, 4, 1), CHANGE_POINT_GATE_MORE);
	assert_false(change_point_gate_holds(&posterior, 4, 1));
}

static void test_proof(void **state)
{
	/* A level that rises by one a boot: the pairs' neighbours cancel it. */
	const double y[] = { 0, 6, 2, 8, 4, 40, 6 };
	struct change_point_proof proof = { .difference = 5, .error = 1 };
	struct change_point_proof total = { .difference = -10.6 };

	(void)state;
	assert_int_equal(change_point_confirm_pairs(1, 5), 2);
	assert_int_equal(change_point_confirm_pairs(1, -2), 7);
	assert_int_equal(change_point_confirm_pairs(1, 1), 8);
	assert_six(change_point_confirm_difference(y, 2), 5);
	assert_six(change_point_confirm_difference(y, 3), 5);
	assert_six(change_point_confirm_error(2, 2), 2 * sqrt(.5 + 1.5 / 4));
	assert_true(change_point_confirm_accepts(&proof, 5));
	assert_false(change_point_confirm_accepts(&proof, -5));
	assert_false(change_point_confirm_accepts(&proof, 20));
	proof.error = 2.2;
	assert_false(change_point_confirm_accepts(&proof, 5));
	/* 2.58 times 2.2 is 5.676 */
	assert_false(change_point_confirm_leaves_rest(&proof, &total, 1));
	total.difference = -10.7;
	assert_true(change_point_confirm_leaves_rest(&proof, &total, 1));
	assert_false(change_point_confirm_leaves_rest(&proof, &total, 6));
	total.error = .5;
	assert_false(change_point_confirm_leaves_rest(&proof, &total, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_of_boots),
		cmocka_unit_test(test_reference_in_turn),
		cmocka_unit_test(test_nothing_to_find),
		cmocka_unit_test(test_commits_that_do_not_build),
		cmocka_unit_test(test_adjacent),
		cmocka_unit_test(test_several_changes),
		cmocka_unit_test(test_changes_that_cancel),
		cmocka_unit_test(test_refused_proof),
		cmocka_unit_test(test_proof_stands_alone),
		cmocka_unit_test(test_every_proof_refused),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_proof),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
