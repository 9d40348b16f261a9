// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How probable it is, after all boots, that the change lies at each commit. Two levels
 * (before and after the change), a linear drift over the boots, Student-t noise, and a
 * commit's own deviation tau; all fitted by expectation and maximisation. Pure.
 */
#pragma once

#include "reports/statistics/change_point.h"

#define CHANGE_POINT_TAU 0.2   /* until the gate knows how large the change is */
#define CHANGE_POINT_S0 0.7    /* SD between boots, before there is history */
#define CHANGE_POINT_NU0 4.0   /* and what that is worth, in degrees of freedom */

struct change_point_model {
	double s0;
	double nu0;
	double tau;
};

/* Over the positions that have boots, ascending: position 0 is good, the last one is bad. */
struct change_point_posterior {
	size_t n_positions;
	size_t position[CHANGE_POINT_BOOTS_MAX];
	size_t boots[CHANGE_POINT_BOOTS_MAX]; /* at that position */
	double p[CHANGE_POINT_BOOTS_MAX];     /* the change is after the position before, up to here */
	double bad[CHANGE_POINT_BOOTS_MAX];   /* the change is at or before this position */
	double mu[2];                         /* 100 ln: the good and the bad level */
	double s;                             /* scale between boots */
	double slope;                         /* 100 ln a boot */
	double t_mean;                        /* the time at which the levels hold */
};

/*
 * Uses the boots of the commits in @range, or only those of its two ends. Both ends must
 * have been booted and differ.
 */
void change_point_posterior_make(const struct change_point_data *data,
				 const struct change_point_range *range,
				 const struct change_point_model *model, bool is_ends_only,
				 struct change_point_posterior *ret_posterior);

/* |bad level - good level| */
double change_point_step(const struct change_point_posterior *posterior);
