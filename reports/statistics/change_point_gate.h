// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is there a difference between the two ends at all, large enough and certain enough to
 * look for? Pure. Quantiles come from libRmath (qt).
 */
#pragma once

#include "reports/statistics/change_point_posterior.h"

#define CHANGE_POINT_STEP_MIN 1.0 /* 100 ln: the smallest change worth a search */

enum change_point_gate {
	CHANGE_POINT_GATE_PASS,
	CHANGE_POINT_GATE_NO_CHANGE,
	CHANGE_POINT_GATE_MORE, /* the boots so far do not tell */
};

/* Half the width of what the ends' boots leave open about their difference, 100 ln. */
double change_point_gate_width(const struct change_point_posterior *posterior, double nu0);

/* @posterior: of the two ends. */
enum change_point_gate change_point_gate_judge(const struct change_point_posterior *posterior,
					       double nu0, double step_min);

/* False once the boots of the search took the difference back. @posterior: of all boots. */
bool change_point_gate_holds(const struct change_point_posterior *posterior, double nu0,
			     double step_min);
