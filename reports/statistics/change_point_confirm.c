// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arithmetic of a confirmation. Whether all boots together still point at the pair
 * is change_point_search.c's to ask.
 */
#include "reports/statistics/change_point_confirm.h"

#include <math.h>

#include "reports/statistics/ranked.h"

size_t change_point_confirm_pairs(double s, double step)
{
	double pairs = ceil(26 * s * s / (step * step));

	if (pairs > CHANGE_POINT_PAIRS_MAX)
		return CHANGE_POINT_PAIRS_MAX;
	return pairs < 2 ? 2 : (size_t)pairs;
}

double change_point_confirm_difference(const double *y, size_t pairs)
{
	double differences[CHANGE_POINT_PAIRS_MAX + CHANGE_POINT_PAIRS_AGAIN];

	for (size_t j = 0; j < pairs; j++)
		differences[j] = y[2 * j + 1] - (y[2 * j] + y[2 * j + 2]) / 2;
	/* The median of two is their mean. */
	return ranked_median(differences, pairs);
}

double change_point_confirm_error(double s, size_t pairs)
{
	double m = (double)pairs;

	return s * sqrt(1 / m + (m - .5) / (m * m));
}

bool change_point_confirm_accepts(const struct change_point_proof *proof, double step)
{
	double along = step < 0 ? -proof->difference : proof->difference;

	return along > 2.33 * proof->error && along > .25 * fabs(step);
}

bool change_point_confirm_leaves_rest(const struct change_point_proof *proof,
				      const struct change_point_proof *total, double step_min)
{
	double error = sqrt(proof->error * proof->error + total->error * total->error);

	return fabs(fabs(total->difference) - fabs(proof->difference)) >
	       fmax(step_min, 2.58 * error);
}
