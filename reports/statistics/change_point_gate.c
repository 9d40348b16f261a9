// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rule before and during the search. When it is asked is change_point_search.c's.
 */
#include "reports/statistics/change_point_gate.h"

#define MATHLIB_STANDALONE 1
#include <Rmath.h>
#include <math.h>

double change_point_gate_width(const struct change_point_posterior *posterior, double nu0)
{
	double good = (double)posterior->boots[0];
	double bad = (double)posterior->boots[posterior->n_positions - 1];
	double df = good + bad - 3 + nu0;

	return qt(.995, df, 1, 0) * posterior->s * sqrt(1.4 * (1 / good + 1 / bad));
}

bool change_point_gate_holds(const struct change_point_posterior *posterior, double nu0,
			     double step_min)
{
	double step = change_point_step(posterior);

	return step >= step_min && step > change_point_gate_width(posterior, nu0);
}

enum change_point_gate change_point_gate_judge(const struct change_point_posterior *posterior,
					       double nu0, double step_min)
{
	double width = change_point_gate_width(posterior, nu0);

	if (change_point_gate_holds(posterior, nu0, step_min))
		return CHANGE_POINT_GATE_PASS;
	if (change_point_step(posterior) + .8 * width < step_min)
		return CHANGE_POINT_GATE_NO_CHANGE;
	return CHANGE_POINT_GATE_MORE;
}
