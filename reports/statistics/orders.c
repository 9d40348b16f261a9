// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Williams rows and the ladder's palindrome. How many rounds there are is the job's
 * business.
 */
#include "reports/statistics/orders.h"

/* 0, 1, K-1, 2, K-2, ... */
static size_t williams_first_row(size_t n_kernels, size_t place)
{
	size_t step = (place + 1) / 2;

	return place % 2 || !place ? step : n_kernels - step;
}

size_t order_sweep(size_t n_kernels, size_t boot)
{
	size_t round = boot / n_kernels;
	size_t place = boot % n_kernels;

	if (round % 2)
		place = n_kernels - 1 - place;
	return (williams_first_row(n_kernels, place) + round / 2) % n_kernels;
}

size_t order_ladder(size_t n_rungs, size_t boot)
{
	return boot < n_rungs ? boot : 2 * (n_rungs - 1) - boot;
}
