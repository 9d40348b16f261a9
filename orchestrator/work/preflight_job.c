// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a job asks of the machine's check: how many kernels, whether any is built here.
 */
#include "orchestrator/work/preflight_job.h"

#include "boot/preflight.h"
#include "common/cleanup.h"

/* A bisection keeps the ends and one pair installed, not more (queue/plan_bisect.c). */
#define BISECT_KERNELS 4

static int judge(const struct boot_paths *paths, const struct preflight_request *request,
		 struct error *err)
{
	_cleanup_json_ json_t *lines = NULL;
	int r = preflight_run(paths, request, &lines, err);

	return r > 0 ? preflight_refuse(lines, err) : r;
}

int preflight_job_queue(const struct boot_paths *paths, const char *state_directory,
			const struct job *job, struct error *err)
{
	struct preflight_request request = {
		.occasion = PREFLIGHT_QUEUE,
		.state_directory = state_directory,
		.kernels = job->design == JOB_DESIGN_BISECT ? BISECT_KERNELS : (int)job->n_points,
		.accepts_hang_risk = job->boot.accepts_hang_risk,
	};

	for (size_t i = 0; i < job->n_points; i++)
		request.builds |= job->points[i].kernel[0] == '\0';
	return judge(paths, &request, err);
}

int preflight_job_begin(const struct boot_paths *paths, const char *state_directory,
			const struct run_state *state, struct error *err)
{
	struct preflight_request request = {
		.occasion = PREFLIGHT_BEGIN,
		.state_directory = state_directory,
		.accepts_hang_risk = state->job.boot.accepts_hang_risk,
	};

	for (size_t i = 0; i < state->job.n_points; i++) {
		enum point_phase phase = state->points[i].phase;

		request.kernels += phase == POINT_RESOLVED || phase == POINT_BUILT;
		request.builds |= phase == POINT_RESOLVED && state->job.points[i].kernel[0] == '\0';
	}
	if (state->job.design == JOB_DESIGN_BISECT) {
		/* Commits to come are built as well. */
		request.kernels = BISECT_KERNELS;
		request.builds = true;
	}
	return judge(paths, &request, err);
}
