// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the events of a bisection change: the line of commits, a commit that becomes a
 * point, a boot that says nothing; and after each event, what the boots so far answer.
 */
#include "queue/run_state_bisect.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/cleanup.h"
#include "queue/run_state_internal.h"
#include "reports/statistics/summary.h"

#define ID_DIGITS (BISECT_ID_SIZE - 1)
/* No history makes boots believed to be alike. 100 ln. */
#define S0_MIN .1
/* What a commit counts that touches a path of the job. */
#define PATH_WEIGHT 10.0

static int weights_read(const json_t *heavy, size_t n, double *weights, struct error *err)
{
	for (size_t i = 0; i < n; i++)
		weights[i] = 1;
	for (size_t i = 0; i < json_array_size(heavy); i++) {
		json_int_t index = json_integer_value(json_array_get(heavy, i));

		if (index < 1 || (size_t)index > n)
			return error_set(err, -EBADMSG, "the line of commits has no commit %lld",
					 (long long)index);
		weights[index - 1] = PATH_WEIGHT;
	}
	return 0;
}

static int bisect_new(const struct run_state *state, const struct event *event,
		      struct bisect **ret_bisect, struct error *err)
{
	const struct change_point_options options = {
		.s0 = state->history.nu0 >= CHANGE_POINT_NU0 ? fmax(state->history.s0, S0_MIN)
							      : CHANGE_POINT_S0,
		.nu0 = CHANGE_POINT_NU0,
		/* What is half as large may still be there in truth. */
		.step_min = state->job.threshold_pct / 2,
		.boots_max = CHANGE_POINT_SEARCH_BOOTS_MAX,
	};
	const char *ids = data_text(event, "ids");
	size_t length = strlen(ids), n = length / ID_DIGITS;
	struct bisect *bisect;
	double *weights;
	int r;

	if (n < 2 || length % ID_DIGITS || strspn(ids, "0123456789abcdef") != length)
		return error_set(err, -EBADMSG, "event %lld holds no line of commits",
				 (long long)event->sequence);
	bisect = calloc(1, sizeof(*bisect));
	weights = calloc(n, sizeof(*weights));
	if (!bisect || !weights) {
		free(bisect);
		free(weights);
		return error_set(err, -ENOMEM, "out of memory");
	}
	bisect->n = n - 1;
	bisect->ids = text_duplicate(ids);
	bisect->is_first_parents = json_is_true(json_object_get(event->data, "first_parents"));
	r = weights_read(json_object_get(event->data, "heavy"), bisect->n, weights, err);
	if (r == 0)
		r = change_point_search_new(bisect->n, weights, &options, &bisect->search, err);
	free(weights);
	if (r < 0)
		bisect_free(bisect);
	else
		*ret_bisect = bisect;
	return r;
}

int run_state_apply_range(struct run_state *state, const struct event *event, struct error *err)
{
	const char *failure = result_error(event);

	if (event->phase != EVENT_RESULT)
		return 0;
	if (failure) {
		replace_text(&state->configure_error, failure);
		return 0;
	}
	if (state->job.design != JOB_DESIGN_BISECT || state->job.n_points != 2 || state->bisect)
		return error_set(err, -EBADMSG, "event %lld gives a line of commits, and none was due",
				 (long long)event->sequence);
	if (bisect_new(state, event, &state->bisect, err) < 0)
		return error_prefix(err, -EBADMSG, "event %lld", (long long)event->sequence);
	state->points[BISECT_BAD].commit_index = state->bisect->n;
	return 0;
}

/* The commit is passed over for good: it neither is good nor bad. */
static void pass_over(struct point_state *point, const char *why)
{
	point->is_passed_over = true;
	if (!point->failure)
		replace_text(&point->failure, why);
}

int run_state_apply_select(struct run_state *state, const struct event *event, struct error *err)
{
	const char *failure = result_error(event);
	bool is_of_commit = json_boolean_value(json_object_get(event->data, "of_commit"));
	json_int_t index = json_integer_value(json_object_get(event->data, "index"));
	struct job_point *point;
	char id[BISECT_ID_SIZE];
	_cleanup_free_ char *name = NULL;
	size_t at = state->job.n_points;
	int r;

	if (event->phase != EVENT_RESULT)
		return 0;
	if (failure && !is_of_commit) {
		replace_text(&state->configure_error, failure);
		return 0;
	}
	if (!state->bisect || index < 1 || (size_t)index >= state->bisect->n ||
	    bisect_point(state, (size_t)index) >= 0)
		return error_set(err, -EBADMSG, "event %lld chooses a commit that cannot be chosen",
				 (long long)event->sequence);
	bisect_commit_id(state->bisect, (size_t)index, id);
	name = text_format("%.12s", id);
	r = job_add_point(&state->job, name, id, err);
	if (r < 0)
		return error_prefix(err, -EBADMSG, "event %lld", (long long)event->sequence);
	point = &state->job.points[at];
	copy_text(point->commit, sizeof(point->commit), id);
	copy_text(point->tree, sizeof(point->tree), data_text(event, "tree"));
	point->title = data_text(event, "title")[0] ? text_duplicate(data_text(event, "title")) : NULL;
	state->points[at].commit_index = (size_t)index;
	if (failure) {
		state->points[at].phase = POINT_BUILD_FAILED;
		pass_over(&state->points[at], failure);
	}
	return 0;
}

int run_state_apply_skip(struct run_state *state, const struct event *event, struct error *err)
{
	struct boot_state *boot = boot_of(state, event);

	if (!boot || !run_state_may_skip(state, event->boot))
		return error_set(err, -EBADMSG, "event %lld skips a boot that cannot be skipped",
				 (long long)event->sequence);
	/* The search is told by the feed, which passes the commit over. */
	boot->phase = BOOT_GIVEN_UP;
	replace_text(&state->points[boot->point].failure, data_text(event, "reason"));
	return 0;
}

bool run_state_may_skip(const struct run_state *state, int boot)
{
	int point = state->boots[boot].point;

	if (!state->bisect || point == BISECT_GOOD || point == BISECT_BAD)
		return false;
	return change_point_data_count(change_point_search_data(state->bisect->search),
				       state->points[point].commit_index) == 0;
}

/* A point that was built of the same code, and was measured or passed over; -1: none. */
static int twin_of(const struct run_state *state, int point)
{
	const struct change_point_data *data = change_point_search_data(state->bisect->search);
	const char *code = state->points[point].code_id;

	for (int i = 0; code[0] && i < (int)state->job.n_points; i++) {
		const struct point_state *other = &state->points[i];

		if (i != point && strcmp(other->code_id, code) == 0 &&
		    (other->is_passed_over || change_point_data_count(data, other->commit_index)))
			return i;
	}
	return -1;
}

/* What the search said to an answer; @answer is kept when it was taken. */
static bool take(struct bisect *bisect, const struct bisect_answer *answer, int r,
		 const struct error *err)
{
	if (r < 0)
		replace_text(&bisect->fault, err->text);
	else if (bisect->n_answers < BISECT_ANSWERS_MAX)
		bisect->answers[bisect->n_answers++] = *answer;
	return r == 0;
}

/* No boot of its own is needed: it has no kernel, or that of another commit. */
static bool answer_without_boot(struct run_state *state, struct bisect_answer *answer)
{
	struct bisect *bisect = state->bisect;
	struct point_state *point = &state->points[answer->point];
	struct error err = { 0 };
	int twin = twin_of(state, answer->point);

	if (twin >= 0) {
		answer->twin = state->points[twin].commit_index;
		answer->kind = BISECT_TWIN;
		if (!state->points[twin].is_passed_over)
			return take(bisect, answer,
				    change_point_search_twin(bisect->search, answer->twin, &err), &err);
		pass_over(point, "its kernel is that of a commit that was passed over");
	} else if (!point->is_passed_over) {
		return false;
	} else {
		answer->kind = BISECT_NOT_BUILT;
	}
	return take(bisect, answer, change_point_search_fail(bisect->search, &err), &err);
}

/* The boot's kernel cannot be measured: the boot counts for nothing. */
static bool answer_by_skip(struct run_state *state, struct bisect_answer *answer, int ordinal,
			   const char *why)
{
	struct bisect *bisect = state->bisect;
	struct error err = { 0 };

	if (!run_state_may_skip(state, ordinal))
		return false;
	answer->kind = BISECT_NOT_BOOTED;
	state->boots[ordinal].is_skipped = true;
	bisect->n_fed++;
	pass_over(&state->points[answer->point], why);
	return take(bisect, answer, change_point_search_fail(bisect->search, &err), &err);
}

static bool answer_by_boot(struct run_state *state, struct bisect_answer *answer)
{
	struct bisect *bisect = state->bisect;
	struct error err = { 0 };
	int ordinal = bisect->n_fed;
	const struct boot_state *boot = ordinal < state->n_boots ? &state->boots[ordinal] : NULL;
	const struct boot_values *values = boot ? &boot->benches[0] : NULL;
	double y;

	if (!boot || boot->point != answer->point)
		return false;
	if (boot->phase == BOOT_GIVEN_UP)
		return answer_by_skip(state, answer, ordinal,
				      boot->crash ? boot->crash : "it does not boot, or does not stay up");
	if (!boot_state_is_complete(boot))
		return false;
	if (values->invalid_reason || values->n_values == 0)
		return answer_by_skip(state, answer, ordinal,
				      values->invalid_reason ? values->invalid_reason : "it gave no value");
	y = 100 * log(summary_mean(values->values, (size_t)values->n_values));
	bisect->n_fed++;
	answer->boot = ordinal;
	return take(bisect, answer, change_point_search_boot(bisect->search, y, &err), &err);
}

void run_state_bisect_feed(struct run_state *state)
{
	struct bisect *bisect = state->bisect;
	struct change_point_request request;
	bool is_answered = true;

	while (is_answered && !bisect->fault &&
	       change_point_search_next(bisect->search, &request)) {
		struct bisect_answer answer = {
			.kind = BISECT_MEASURED,
			.phase = request.phase,
			.commit = request.commit,
			.point = bisect_point(state, request.commit),
			.boot = -1,
		};

		is_answered = answer.point >= 0 &&
			      ((!request.is_built && answer_without_boot(state, &answer)) ||
			       (!bisect->fault && answer_by_boot(state, &answer)));
	}
}
