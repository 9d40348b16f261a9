// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Seeded random numbers for simulations: the same seed gives the same numbers on every
 * machine. Not for secrets. Pure.
 */
#pragma once

#include <stdint.h>

struct random_stream {
	uint64_t state;
	double spare;       /* the normal deviates come in pairs */
	int has_spare;
};

/* Streams of one seed that differ in @number are independent of each other. */
struct random_stream random_stream_make(uint64_t seed, uint64_t number);
uint64_t random_next(struct random_stream *random);
/* In [0, 1). */
double random_uniform(struct random_stream *random);
/* Mean 0, SD 1. */
double random_normal(struct random_stream *random);
/* 0 .. @n - 1; @n at least 1. */
uint64_t random_below(struct random_stream *random, uint64_t n);
