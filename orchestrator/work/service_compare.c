// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot compare`: two kernels of any jobs of this store. Whether they may be compared, and what
 * comes out, is reports/render/comparison.c's.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/history.h"
#include "orchestrator/work/result_build.h"
#include "orchestrator/work/service_internal.h"
#include "reports/render/comparison.h"

#define THRESHOLD_MAX_PCT 1000.0

/* One side: its job, and what was measured there. */
struct side {
	struct service_job job;
	struct result result;
	const char *point;      /* borrowed from the request */
};

static void side_done(struct side *side)
{
	service_job_done(&side->job);
	result_done(&side->result);
}

/* "3:child". */
static int read_word(const json_t *request, const char *key, int64_t *ret_job,
		     const char **ret_point, struct error *err)
{
	const char *word = json_string_value(json_object_get(request, key));
	const char *colon = word ? strchr(word, ':') : NULL;
	_cleanup_free_ char *job = colon ? text_format("%.*s", (int)(colon - word), word) : NULL;

	if (!job || !colon[1] || text_parse_i64(job, 1, INT64_MAX, ret_job) < 0)
		return error_set(err, -EINVAL, "\"%.80s\" names no kernel of a job: write JOB:POINT, as 3:child",
				 word ? word : "");
	*ret_point = colon + 1;
	return 0;
}

static int load(const struct service *service, const json_t *request, const char *key,
		struct side *side, struct error *err)
{
	const char *workload = json_string_value(json_object_get(request, "workload"));
	_cleanup_json_ json_t *on_job = NULL;
	int64_t job;
	int r = read_word(request, key, &job, &side->point, err);

	if (r < 0)
		return r;
	on_job = json_pack("{s:I}", "job", (json_int_t)job);
	r = service_job_load(service, on_job, &side->job, err);
	if (r == 0)
		r = result_build(&side->job.row, &side->job.events, &side->result, err);
	if (r == 0 && workload)
		r = result_take_bench(&side->result, workload, err);
	return r;
}

static int set_threshold(const json_t *request, struct result *result, struct error *err)
{
	const json_t *threshold = json_object_get(request, "threshold_pct");
	double value = json_number_value(threshold);

	if (!threshold)
		return 0;
	if (!json_is_number(threshold) || !(value > 0) || value > THRESHOLD_MAX_PCT)
		return error_set(err, -EINVAL, "the threshold is percent, above 0 and at most %g",
				 THRESHOLD_MAX_PCT);
	for (size_t i = 0; i <= result->n_further; i++)
		((struct result *)(uintptr_t)result_bench(result, i))->threshold_pct = value;
	return 0;
}

static int compare(const struct service *service, const json_t *request, struct side *a,
		   struct side *b, char **ret_text, struct error *err)
{
	const char *format = json_string_value(json_object_get(request, "format"));
	bool is_one_job = a->job.row.id == b->job.row.id;
	const int64_t ids[] = { a->job.row.id, b->job.row.id };
	struct metrics_side old = { .result = &a->result };
	struct metrics_side new = { .result = is_one_job ? &a->result : &b->result };
	_cleanup_(comparison_done) struct comparison comparison = { 0 };
	struct interval_history history = { 0 };
	int r = comparison_find_point(old.result, a->point, &old.point, err);

	if (r == 0)
		r = comparison_find_point(new.result, b->point, &new.point, err);
	if (r < 0)
		return r;
	/* What the machine scattered in other jobs; a lab has none. */
	if (a->job.row.machine == STORE_MACHINE_REAL)
		history_learn_without(service->store, ids, 2, &a->job.state.job, &history);
	r = comparison_make(&old, &new, &history, &comparison, err);
	return r < 0 ? r : comparison_render(&comparison, format ? format : "text", ret_text, err);
}

int service_compare(const struct service *service, const json_t *request, json_t **ret_reply,
		    struct error *err)
{
	_cleanup_(side_done) struct side a = { 0 }, b = { 0 };
	_cleanup_free_ char *text = NULL;
	int r = load(service, request, "old", &a, err);

	if (r == 0)
		r = load(service, request, "new", &b, err);
	if (r == 0)
		r = set_threshold(request, &a.result, err);
	if (r == 0)
		r = compare(service, request, &a, &b, &text, err);
	if (r == 0)
		*ret_reply = json_pack("{s:s}", "text", text);
	return r;
}
