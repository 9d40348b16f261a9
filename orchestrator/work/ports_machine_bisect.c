// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ports of a bisection: the line of commits between the ends, and one of these as
 * the next point, with its tree and its config. Building it is build.c's as for any point.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/build.h"
#include "orchestrator/work/ports_machine_boot.h"
#include "orchestrator/work/range.h"
#include "orchestrator/work/source.h"

int machine_range(void *context, const struct run_state *state, json_t **ret_result, struct error *err)
{
	const struct job *job = &state->job;
	const struct range_request request = {
		.repository = job->repository,
		.good = job->points[BISECT_GOOD].commit,
		.bad = job->points[BISECT_BAD].commit,
		.paths = (const char *const *)job->paths,
	};
	_cleanup_text_ struct text_buffer ids = { 0 };
	_cleanup_range_ struct range range = { 0 };
	_cleanup_json_ json_t *heavy = json_array();
	int r;

	(void)context;
	r = range_resolve(&request, &range, err);
	for (size_t i = 0; r == 0 && i <= range.n; i++) {
		text_append(&ids, range.commits[i].id);
		if (i > 0 && range.commits[i].weight > 1)
			(void)json_array_append_new(heavy, json_integer((json_int_t)i));
	}
	if (r < 0)
		return r;
	*ret_result = json_pack("{s:s, s:O, s:b}", "ids", ids.text, "heavy", heavy, "first_parents",
				range.is_first_parents);
	return *ret_result ? 0 : error_set(err, -ENOMEM, "Out of memory.");
}

/* A job of the commit alone, as far as source_resolve() wants one. */
static int select_resolve(const struct run_state *state, const char *id, struct job *one, struct error *err)
{
	_cleanup_free_ char *note = NULL;
	int r;

	one->repository = text_duplicate(state->job.repository);
	r = job_add_point(one, "selected", id, err);
	if (r == 0) /* alone it would be taken for a child, and its parent looked for */
		r = job_add_point(one, "good", state->job.points[BISECT_GOOD].commit, err);
	return r < 0 ? r : source_resolve(one, &note, err);
}

int machine_select(void *context, const struct run_state *state, size_t commit, json_t **ret_result,
		   struct error *err)
{
	const struct ports_machine *machine = context;
	const struct build_context build = { .state_directory = machine->state_directory };
	_cleanup_(job_done) struct job one = { 0 };
	_cleanup_json_ json_t *config = NULL;
	struct job to_configure;
	char id[BISECT_ID_SIZE];
	int r;

	bisect_commit_id(state->bisect, commit, id);
	job_init(&one);
	r = select_resolve(state, id, &one, err);
	if (r < 0)
		return r;
	*ret_result = json_pack("{s:s, s:s?}", "tree", one.points[0].tree, "title", one.points[0].title);
	if (!*ret_result)
		return error_set(err, -ENOMEM, "Out of memory.");
	/* Everything of the job but its points; borrowed. */
	to_configure = state->job;
	to_configure.n_points = 1;
	to_configure.points[0] = one.points[0];
	return build_configure(&build, &to_configure, &config, err);
}
