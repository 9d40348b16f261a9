// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A distribution of durations in fixed memory: exact count, mean, deviation and
 * extremes, and quantiles from a log-linear histogram that is right to 0.05 %.
 * Recording allocates nothing and touches four cache lines at most.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#define DISTRIBUTION_BUCKETS 31744 /* up to 2^40 ns, 18 minutes */

struct distribution {
	uint64_t n;
	uint64_t sum_ns;
	uint64_t min_ns;
	uint64_t max_ns;
	double running_mean_ns;  /* Welford (1962): stable for any n */
	double squares_ns2;      /* sum of squared distances from the mean */
	uint32_t buckets[DISTRIBUTION_BUCKETS];
};

/* Every page of it is in memory already, so that recording never faults. NULL: out of memory. */
struct distribution *distribution_new(void);
void distribution_free(struct distribution *distribution);
void distribution_record(struct distribution *distribution, uint64_t duration_ns);

/* Nanoseconds; exact but for rounding. 0 of no durations. */
double distribution_mean_ns(const struct distribution *distribution);
/* With n - 1; 0 below two values. */
double distribution_sd_ns(const struct distribution *distribution);
/* The smallest recorded duration that at least the fraction @quantile (0..1) does not exceed. */
double distribution_quantile_ns(const struct distribution *distribution, double quantile);

/* Divided by @divisor: {"unit","n","mean","sd","min","p50","p90","p99","max"}; null without values. */
json_t *distribution_to_json(const struct distribution *distribution, const char *unit,
			     double divisor);

static inline void cleanup_distribution(struct distribution **distribution)
{
	distribution_free(*distribution);
}

#define _cleanup_distribution_ __attribute__((cleanup(cleanup_distribution)))
