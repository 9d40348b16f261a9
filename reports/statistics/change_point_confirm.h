// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The proof of a found pair of commits: fresh boots lo hi lo hi .. lo, judged by
 * themselves; and whether the pair explains the whole difference of the ends. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CHANGE_POINT_PAIRS_MAX 8
#define CHANGE_POINT_PAIRS_AGAIN 3 /* more of them, when the pair does not explain all */

/* How many boots of hi it takes; of lo one more. */
size_t change_point_confirm_pairs(double s, double step);

/*
 * The mean (of two) or median of hi_j - (lo_j + lo_{j+1})/2, 100 ln. @y: 2 @pairs + 1
 * values in the order booted, lo first.
 */
double change_point_confirm_difference(const double *y, size_t pairs);

/* The standard error of that difference. */
double change_point_confirm_error(double s, size_t pairs);

struct change_point_proof {
	double difference;
	double error;
};

/* @step: signed, the bad level less the good one. */
bool change_point_confirm_accepts(const struct change_point_proof *proof, double step);

/*
 * The ends differ by @total, the pair by something else: there must be other changes.
 * Both are measured, so both errors count.
 */
bool change_point_confirm_leaves_rest(const struct change_point_proof *proof,
				      const struct change_point_proof *total, double step_min);
