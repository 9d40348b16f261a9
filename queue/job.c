// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job in memory: defaults, points, release. Single values are the business of
 * queue/job_key.c, the job as a whole of queue/job_validate.c.
 */
#include "queue/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job_key.h"

static const char *const design_names[] = {
	[JOB_DESIGN_SANDWICH] = "sandwich",
	[JOB_DESIGN_SWEEP] = "sweep",
	[JOB_DESIGN_LADDER] = "ladder",
	[JOB_DESIGN_BISECT] = "bisect",
};

const char *job_design_name(enum job_design design)
{
	if ((size_t)design >= ARRAY_SIZE(design_names))
		return "unknown";
	return design_names[design];
}

int job_design_from_name(const char *name, enum job_design *ret_design, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(design_names); i++) {
		if (strcmp(name, design_names[i]) == 0) {
			*ret_design = (enum job_design)i;
			return 0;
		}
	}
	return error_set(err, -EINVAL, "there is no design \"%.100s\", known are sandwich, sweep, ladder and bisect", name);
}

void job_init(struct job *job)
{
	*job = (struct job){ 0 };
	for (const struct job_key *key = job_keys; key->section; key++) {
		if (job_section_is_named(key->section))
			continue;
		if (key->type == JOB_KEY_LIST) {
			char ***list = (char ***)(void *)((char *)job + key->offset);

			*list = calloc(1, sizeof(**list));
			if (!*list)
				abort();
			continue;
		}
		/* A preset that its own key refuses is a mistake in the table, found by any test. */
		if (key->preset && job_key_set_text(key, job, key->preset, NULL) < 0)
			abort();
	}
}

static void point_done(struct job_point *point)
{
	free(point->name);
	free(point->revision);
	free(point->title);
	job_changes_done(&point->changes);
	*point = (struct job_point){ 0 };
}

static void bench_done(struct job_bench *bench)
{
	free(bench->name);
	free(bench->workload);
	job_list_free(bench->arguments);
	free(bench->metric);
	*bench = (struct job_bench){ 0 };
}

void job_done(struct job *job)
{
	if (!job)
		return;
	for (size_t i = 0; i < job->n_points; i++)
		point_done(&job->points[i]);
	job->n_points = 0;
	for (size_t i = 0; i < job->n_benches; i++)
		bench_done(&job->benches[i]);
	job->n_benches = 0;
	for (const struct job_key *key = job_keys; key->section; key++) {
		void *member = (char *)job + key->offset;

		if (job_section_is_named(key->section))
			continue;
		if (key->type == JOB_KEY_TEXT) {
			free(*(char **)member);
			*(char **)member = NULL;
		} else if (key->type == JOB_KEY_LIST) {
			job_list_free(*(char ***)member);
			*(char ***)member = NULL;
		}
	}
}

int job_add_point(struct job *job, const char *name, const char *revision, struct error *err)
{
	struct job_point *point;

	if (job->n_points >= JOB_POINTS_MAX)
		return error_set(err, -E2BIG, "a job has at most %d points", JOB_POINTS_MAX);
	for (size_t i = 0; i < job->n_points; i++)
		if (strcmp(job->points[i].name, name) == 0)
			return error_set(err, -EEXIST, "there are two points named \"%.100s\"", name);
	point = &job->points[job->n_points++];
	*point = (struct job_point){
		.name = text_duplicate(name),
		.revision = text_duplicate(revision ? revision : ""),
	};
	return 0;
}
