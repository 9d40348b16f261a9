// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a bisection must be beyond any job: two commits, one workload, boots enough.
 */
#include <errno.h>
#include <string.h>

#include "queue/job.h"
#include "queue/job_validate.h"

#define BISECT_REBOOTS_MIN 100

int job_validate_bisect(const struct job *job, struct error *err)
{
	if (job->n_points != 2 || strcmp(job->points[0].name, "good") != 0 ||
	    strcmp(job->points[1].name, "bad") != 0)
		return error_set(err, -EINVAL,
				 "a bisection has two points, \"good\" first and then \"bad\", which must come after it");
	if (job->points[0].kernel[0] || job->points[1].kernel[0])
		return error_set(err, -EINVAL, "a bisection builds its kernels: its points are commits");
	/* They would be on the ends alone, and not on the commits between. */
	if (job->points[0].changes.n || job->points[1].changes.n)
		return error_set(err, -EINVAL, "a bisection builds commits as they are: its points take no patches and the like");
	if (job->n_benches > 1)
		return error_set(err, -EINVAL, "a bisection follows one workload, and the job has %zu",
				 job->n_benches);
	if (job->is_exact)
		return error_set(err, -EINVAL, "how many boots a bisection takes is not known beforehand: leave job.exactly out");
	if (job->threshold_pct <= 0)
		return error_set(err, -EINVAL, "a bisection needs a job.threshold above 0");
	if (job->boot.max_reboots < BISECT_REBOOTS_MIN)
		return error_set(err, -ERANGE, "boot.max-reboots is %lld, and a bisection may take a hundred: give it %d at least, better 400",
				 (long long)job->boot.max_reboots, BISECT_REBOOTS_MIN);
	return 0;
}
