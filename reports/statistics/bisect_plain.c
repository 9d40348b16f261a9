// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bisection to compare with: halve the range, believe every boot. What does not
 * build is skipped; the nearest commit to the middle takes its place.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "reports/statistics/bisect_simulate.h"
#include "reports/statistics/ranked.h"

#define BOOTS_EACH_MAX 3

static double boot_median(struct bisect_world *world, size_t commit, size_t boots_each,
			  struct bisect_run *run)
{
	double y[BOOTS_EACH_MAX];

	for (size_t i = 0; i < boots_each; i++)
		y[i] = bisect_world_boot(world, commit);
	run->boots += boots_each;
	return ranked_median(y, boots_each);
}

/* The commit nearest to the middle of lo and hi that was not skipped, or 0. */
static size_t middle_of(const bool *is_skipped, size_t lo, size_t hi)
{
	size_t middle = lo + (hi - lo) / 2;

	for (size_t offset = 0; middle + offset < hi || middle > lo + offset; offset++) {
		if (middle > lo + offset && !is_skipped[middle - offset])
			return middle - offset;
		if (middle + offset < hi && middle + offset > lo && !is_skipped[middle + offset])
			return middle + offset;
	}
	return 0;
}

int bisect_simulate_plain(struct bisect_world *world, size_t boots_each,
			  struct bisect_run *ret_run, struct error *err)
{
	size_t lo = 0, hi = world->options.commits, middle;
	struct bisect_run run = { .builds = 2 };
	_cleanup_free_ bool *is_skipped = NULL;
	double good, bad;

	if (boots_each < 1 || boots_each > BOOTS_EACH_MAX)
		return error_set(err, -EINVAL, "give 1 to %d boots a commit", BOOTS_EACH_MAX);
	is_skipped = calloc(hi + 1, sizeof(*is_skipped));
	if (!is_skipped)
		return error_set(err, -ENOMEM, "out of memory for %zu commits", hi);
	good = boot_median(world, lo, boots_each, &run);
	bad = boot_median(world, hi, boots_each, &run);
	while ((middle = middle_of(is_skipped, lo, hi))) {
		double y;

		run.builds++;
		is_skipped[middle] = world->is_unbuildable[middle];
		if (is_skipped[middle])
			continue;
		y = boot_median(world, middle, boots_each, &run);
		if (fabs(y - bad) < fabs(y - good))
			hi = middle;
		else
			lo = middle;
	}
	run.ending = world->culprit > lo && world->culprit <= hi ? BISECT_EXACT : BISECT_WRONG;
	run.is_single = run.ending == BISECT_EXACT && hi - lo == 1;
	*ret_run = run;
	return 0;
}
