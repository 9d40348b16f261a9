// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In which order the kernels of a design boot. A kernel is its place in the job's list,
 * from 0. Pure.
 */
#pragma once

#include <stddef.h>

/*
 * Kernel of boot @boot in a sweep of @n_kernels (one at least): round 2j is Williams row
 * j, round 2j+1 that row reversed, so that a linear drift cancels over each pair of rounds.
 * E. J. Williams, Experimental designs balanced for the estimation of residual effects
 * of treatments (1949).
 */
size_t order_sweep(size_t n_kernels, size_t boot);

/* Kernel of boot @boot in a ladder of @n_rungs: up to the last one and back, 2 n_rungs - 1 boots. */
size_t order_ladder(size_t n_rungs, size_t boot);
