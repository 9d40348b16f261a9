// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the queue does for bisections: a range is looked at before it is queued, and
 * `abbot log --bisect` and `--story` tell one.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/range.h"
#include "orchestrator/work/result_build.h"
#include "orchestrator/work/service_internal.h"
#include "queue/job_key.h"

static void rename_point(struct job_point *point, const char *name)
{
	free(point->name);
	point->name = text_duplicate(name);
}

/* One commit: there is nothing to search, a sandwich proves it. */
static void become_sandwich(struct job *job)
{
	job->design = JOB_DESIGN_SANDWICH;
	rename_point(&job->points[0], "parent");
	rename_point(&job->points[1], "child");
	job_list_free(job->paths);
	job->paths = calloc(1, sizeof(*job->paths));
	if (!job->paths)
		abort();
}

int service_bisect_check(struct job *job, char **ret_said, struct error *err)
{
	const struct range_request request = {
		.repository = job->repository,
		/* As the user wrote them, for the sentences. */
		.good = job->points[0].revision,
		.bad = job->n_points > 1 ? job->points[1].revision : "",
		.paths = (const char *const *)job->paths,
	};
	_cleanup_range_ struct range range = { 0 };
	size_t n_heavy = 0;
	int r = job_validate(job, true, err);

	if (r == 0)
		r = range_resolve(&request, &range, err);
	if (r < 0)
		return r;
	if (range.n == 1) {
		become_sandwich(job);
		return 0;
	}
	for (size_t i = 1; i <= range.n; i++)
		n_heavy += range.commits[i].weight > 1;
	*ret_said = n_heavy ? text_format("%zu commits, %zu of them touch the paths", range.n, n_heavy)
			    : text_format("%zu commits", range.n);
	return 0;
}

int service_bisect_log(const struct service_job *job, const char *what, json_t **ret_reply,
		       struct error *err)
{
	struct result result;
	const struct result_bisection *bisection;
	int r = result_build(&job->row, &job->events, &result, err);

	if (r < 0)
		return r;
	bisection = result.bisection;
	if (!bisection)
		r = error_set(err, -EINVAL, "job %lld is no bisection, or it has not begun", (long long)job->row.id);
	else
		*ret_reply = json_pack("{s:s}", "text", strcmp(what, "story") == 0 ? bisection->story
										   : bisection->log);
	result_done(&result);
	return r;
}
