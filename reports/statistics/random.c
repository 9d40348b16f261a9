// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SplitMix64 (Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators,
 * 2014) and Marsaglia's polar method for normal deviates.
 */
#include "reports/statistics/random.h"

#include <math.h>

#define GOLDEN_GAMMA 0x9e3779b97f4a7c15u

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

struct random_stream random_stream_make(uint64_t seed, uint64_t number)
{
	return (struct random_stream){ .state = mix(mix(seed + GOLDEN_GAMMA) + number * GOLDEN_GAMMA) };
}

uint64_t random_next(struct random_stream *random)
{
	random->state += GOLDEN_GAMMA;
	return mix(random->state);
}

double random_uniform(struct random_stream *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

double random_normal(struct random_stream *random)
{
	double x, y, square;

	if (random->has_spare) {
		random->has_spare = 0;
		return random->spare;
	}
	do {
		x = 2 * random_uniform(random) - 1;
		y = 2 * random_uniform(random) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square <= 0);
	square = sqrt(-2 * log(square) / square);
	random->spare = y * square;
	random->has_spare = 1;
	return x * square;
}

uint64_t random_below(struct random_stream *random, uint64_t n)
{
	/* The numbers below this are too many for a whole round of 0 .. n-1. */
	uint64_t spare = -n % n;
	uint64_t number;

	do {
		number = random_next(random);
	} while (number < spare);
	return number % n;
}
