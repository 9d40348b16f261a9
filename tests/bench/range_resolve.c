// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolves a range as a bisection does and prints: milliseconds, the most resident kB of
 * this process and its helper, commits. For tests/bench/range.sh.
 */
#include "orchestrator/work/range.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	_cleanup_range_ struct range range = { 0 };
	struct range_request request = { 0 };
	struct rusage own, helper;
	struct error err = { 0 };
	double started_ms = now_ms(), ms;

	if (argc != 4) {
		(void)fprintf(stderr, "usage: range_resolve REPOSITORY GOOD BAD\n");
		return 2;
	}
	request.repository = argv[1];
	request.good = argv[2];
	request.bad = argv[3];
	if (range_resolve(&request, &range, &err) < 0) {
		(void)fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	ms = now_ms() - started_ms;
	(void)getrusage(RUSAGE_SELF, &own);
	(void)getrusage(RUSAGE_CHILDREN, &helper);
	(void)printf("%.1f %ld %zu\n", ms, own.ru_maxrss + helper.ru_maxrss, range.n);
	return 0;
}
