// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many commits are still under suspicion. Pure.
 */
#pragma once

#include "reports/statistics/change_point_posterior.h"

/*
 * The commits of the likeliest cells that together hold the change with probability @level;
 * those without prior weight are none. @posterior was made of @data.
 */
size_t change_point_suspects(const struct change_point_data *data,
			     const struct change_point_posterior *posterior, double level);
