// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The histogram and its figures. Below 1024 ns each duration has its own bucket; above,
 * each power of two is cut into 1024 equal ones. It knows no clock and no workload.
 */
#include "bench/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUB_BUCKET_BITS 10
#define SUB_BUCKETS (1U << SUB_BUCKET_BITS)

static uint32_t bucket_of(uint64_t duration_ns)
{
	if (duration_ns < SUB_BUCKETS)
		return (uint32_t)duration_ns;

	unsigned int shift = 63U - (unsigned int)__builtin_clzll(duration_ns) - SUB_BUCKET_BITS;
	uint64_t index = (uint64_t)shift * SUB_BUCKETS + (duration_ns >> shift);

	return index < DISTRIBUTION_BUCKETS ? (uint32_t)index : DISTRIBUTION_BUCKETS - 1;
}

/* The middle of the bucket: exact where a bucket is one nanosecond wide. */
static double bucket_value_ns(uint32_t bucket)
{
	if (bucket < 2 * SUB_BUCKETS)
		return bucket;

	uint32_t shift = bucket / SUB_BUCKETS - 1;
	double width = ldexp(1.0, (int)shift);

	return (double)(bucket - shift * SUB_BUCKETS) * width + (width - 1) / 2;
}

struct distribution *distribution_new(void)
{
	struct distribution *distribution = malloc(sizeof(*distribution));

	if (!distribution)
		return NULL;
	/* A plain memset would be merged into calloc(), which leaves the pages to be faulted in. */
	explicit_bzero(distribution, sizeof(*distribution));
	return distribution;
}

void distribution_free(struct distribution *distribution)
{
	free(distribution);
}

void distribution_record(struct distribution *distribution, uint64_t duration_ns)
{
	if (distribution->n == 0 || duration_ns < distribution->min_ns)
		distribution->min_ns = duration_ns;
	if (duration_ns > distribution->max_ns)
		distribution->max_ns = duration_ns;
	distribution->n++;
	distribution->sum_ns += duration_ns;

	double distance = (double)duration_ns - distribution->running_mean_ns;

	distribution->running_mean_ns += distance / (double)distribution->n;
	distribution->squares_ns2 +=
		distance * ((double)duration_ns - distribution->running_mean_ns);
	distribution->buckets[bucket_of(duration_ns)]++;
}

double distribution_mean_ns(const struct distribution *distribution)
{
	return distribution->n ? (double)distribution->sum_ns / (double)distribution->n : 0;
}

double distribution_sd_ns(const struct distribution *distribution)
{
	if (distribution->n < 2)
		return 0;
	return sqrt(distribution->squares_ns2 / (double)(distribution->n - 1));
}

double distribution_quantile_ns(const struct distribution *distribution, double quantile)
{
	/* 0.07 * 20000 is a little more than 1400: that must not become the 1401st. */
	double wanted = ceil(quantile * (double)distribution->n - 1e-6);
	double seen = 0;

	for (uint32_t bucket = 0; bucket < DISTRIBUTION_BUCKETS; bucket++) {
		seen += distribution->buckets[bucket];
		if (distribution->buckets[bucket] == 0 || seen < wanted)
			continue;
		double value = bucket_value_ns(bucket);

		value = fmax(value, (double)distribution->min_ns);
		return fmin(value, (double)distribution->max_ns);
	}
	return (double)distribution->max_ns;
}

json_t *distribution_to_json(const struct distribution *distribution, const char *unit,
			     double divisor)
{
	if (distribution->n == 0)
		return json_null();
	json_t *json = json_pack("{s:s, s:I, s:f, s:f, s:f}",
		"unit", unit,
		"n", (json_int_t)distribution->n,
		"mean", distribution_mean_ns(distribution) / divisor,
		"sd", distribution_sd_ns(distribution) / divisor,
		"min", (double)distribution->min_ns / divisor);

	if (distribution->n < 2)
		(void)json_object_set_new(json, "sd", json_null());
	(void)json_object_set_new(json, "p50",
		json_real(distribution_quantile_ns(distribution, 0.50) / divisor));
	(void)json_object_set_new(json, "p90",
		json_real(distribution_quantile_ns(distribution, 0.90) / divisor));
	(void)json_object_set_new(json, "p99",
		json_real(distribution_quantile_ns(distribution, 0.99) / divisor));
	(void)json_object_set_new(json, "max",
		json_real((double)distribution->max_ns / divisor));
	return json;
}
