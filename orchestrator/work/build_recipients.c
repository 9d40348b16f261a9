// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which commits of a job the tree's script is asked about. Asking is maintainers.c's.
 */
#include "orchestrator/work/build_recipients.h"

#include "orchestrator/work/maintainers.h"

int build_recipients_add(const struct build_site *site, const struct job *job, json_t *result,
			 struct error *err)
{
	const struct maintainers_request request = {
		.repository = job->repository,
		.parent = &job->points[0],
		.child = &job->points[1],
		.tree = site->source,
		.scratch = site->directory,
		.timeout_ms = MAINTAINERS_SECONDS * 1000,
	};
	int r;

	if (job->n_points < 2 || job->design == JOB_DESIGN_SWEEP)
		return 0;
	r = build_site_checkout(site, job->repository, job->points[1].tree, err);
	if (r == 0)
		(void)json_object_set_new(result, "recipients", maintainers_find(&request));
	return r;
}
