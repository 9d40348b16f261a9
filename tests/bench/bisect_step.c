// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long one decision of a bisection takes: 8,192 commits, bisections that go on to
 * their limit of 300 boots. Also all decisions of one, as after a restart.
 */
#include <stdio.h>
#include <time.h>

#include "reports/statistics/bisect_world.h"
#include "reports/statistics/change_point_search.h"

#define COMMITS 8192
#define WORLDS 40
#define GOAL_MS 50.0

/* Of processor time: what else the machine does is not ours. */
static double now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

struct cost {
	double slowest_ms;      /* one decision */
	double whole_ms;        /* all of the slowest bisection */
	size_t boots_max;
};

static int run_world(struct bisect_world *world, struct cost *cost, struct error *err)
{
	_cleanup_change_point_ struct change_point_search *search = NULL;
	struct change_point_request request;
	double whole_ms = 0;
	size_t boots = 0;
	int r = change_point_search_new(COMMITS, NULL, NULL, &search, err);

	while (r == 0 && change_point_search_next(search, &request)) {
		bool is_broken = world->is_unbuildable[request.commit];
		double y = is_broken ? 0 : bisect_world_boot(world, request.commit);
		double start_ms = now_ms(), took_ms;

		r = is_broken ? change_point_search_fail(search, err)
			      : change_point_search_boot(search, y, err);
		took_ms = now_ms() - start_ms;
		whole_ms += took_ms;
		if (took_ms > cost->slowest_ms)
			cost->slowest_ms = took_ms;
		boots += !is_broken;
	}
	if (whole_ms > cost->whole_ms)
		cost->whole_ms = whole_ms;
	if (boots > cost->boots_max)
		cost->boots_max = boots;
	return r;
}

int main(void)
{
	struct bisect_world_options options = {
		.commits = COMMITS, .step_pct = 4, .boot_sd_pct = 4, .process_sd_pct = 1,
		.drift_pct = .1, .outliers_pct = 2, .unbuildable_pct = 20, .seed = 1,
	};
	struct error err = { "" };
	struct cost cost = { 0 };
	struct bisect_world world;
	int r = bisect_world_init(&world, &options, &err);

	if (r < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (uint64_t number = 0; number < WORLDS && r == 0; number++) {
		bisect_world_make(&world, number);
		r = run_world(&world, &cost, &err);
	}
	bisect_world_done(&world);
	if (r < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	printf("bisection of %d commits: slowest decision %.2f ms of CPU time (goal %g), all of a search %.0f ms, up to %zu boots: %s\n",
	       COMMITS, cost.slowest_ms, GOAL_MS, cost.whole_ms, cost.boots_max,
	       cost.slowest_ms < GOAL_MS ? "met" : "missed");
	return 0;
}
