// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cells from the likeliest down, until they hold enough.
 */
#include "reports/statistics/change_point_suspects.h"

static size_t cell_count(const struct change_point_data *data, size_t lo, size_t hi)
{
	size_t n = 0;

	for (size_t i = lo + 1; i <= hi; i++)
		n += data->mass[i] > data->mass[i - 1];
	return n;
}

size_t change_point_suspects(const struct change_point_data *data,
			     const struct change_point_posterior *posterior, double level)
{
	bool is_taken[CHANGE_POINT_BOOTS_MAX] = { false };
	double held = 0;
	size_t n = 0;

	while (held < level) {
		size_t best = 0;

		for (size_t k = 1; k < posterior->n_positions; k++)
			if (!is_taken[k] && (best == 0 || posterior->p[k] > posterior->p[best]))
				best = k;
		if (best == 0)
			break;
		is_taken[best] = true;
		held += posterior->p[best];
		n += cell_count(data, posterior->position[best - 1], posterior->position[best]);
	}
	return n;
}
