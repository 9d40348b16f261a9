// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which commit to boot next: the one whose answer tells most about where the change is,
 * for each boot or build that it costs. Pure.
 */
#pragma once

#include "reports/statistics/change_point_posterior.h"

struct change_point_choice {
	size_t commit;
	double score;  /* bits for one boot's worth of effort */
};

/*
 * @posterior was made of @data. Every position that has boots is taken to be built, and
 * no other. Never fails: there is always a built commit.
 */
struct change_point_choice change_point_select(const struct change_point_data *data,
					       const struct change_point_posterior *posterior,
					       double tau);

/* One commit that may be booted: how likely it is bad, and how far its boots would tell. */
struct change_point_trial {
	double p;       /* that it has the change */
	size_t n_boots; /* it has had */
	double step;    /* between the levels */
	double s;
	double tau;
};

/* What @more boots of it tell, in bits. */
double change_point_information(const struct change_point_trial *trial, size_t more);
