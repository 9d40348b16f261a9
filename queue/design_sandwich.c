// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sandwich: parent, child, parent, ... Each child stands between two boots of the
 * parent, so that drift shows and cancels. Unless the job asked for exactly these boots, the
 * numbers are looked at when they are done, and four boots more are appended as long as they
 * are inconclusive. Schedule and verdict are reports/statistics's (verdict.h), on the first
 * workload whose gates held.
 */
#include "queue/design.h"

#include <string.h>

#include "reports/statistics/verdict.h"

#define ORDER_AUTO "auto"
#define FIRST_BOOTS 7
#define FIRST_BOOTS_WITH_HISTORY 5
#define STEP_BOOTS 4
#define MOST_BOOTS 25
/* Fewer degrees of freedom are no history: interval_make() does not use them. */
#define HISTORY_MIN_DF 5

static bool is_auto(const struct job *job)
{
	return strcmp(job->order, ORDER_AUTO) == 0;
}

static int first_boots(const struct job *job)
{
	return is_auto(job) ? FIRST_BOOTS : (int)strlen(job->order);
}

/* Boots before the first look. */
static int boots_to_begin_with(const struct run_state *state)
{
	if (is_auto(&state->job) && state->history.nu0 >= HISTORY_MIN_DF)
		return FIRST_BOOTS_WITH_HISTORY;
	return first_boots(&state->job);
}

static int point(const struct job *job, int ordinal)
{
	int most = job->is_exact ? first_boots(job) : RUN_STATE_BOOTS_MAX;

	return ordinal < 0 || ordinal >= most ? -1 : ordinal % 2;
}

/* Boots up to the look that is due next. */
static int expected_boots(const struct run_state *state)
{
	int wanted = boots_to_begin_with(state);

	while (!state->job.is_exact && wanted < state->n_boots)
		wanted += STEP_BOOTS;
	return wanted;
}

/* False also where the numbers do not allow a verdict for another reason than their scatter. */
static bool is_inconclusive(const struct run_state *state)
{
	const struct verdict_rule rule = { .threshold_pct = state->job.threshold_pct };
	struct sample samples[MOST_BOOTS];
	struct summary summaries[MOST_BOOTS];
	size_t n_boots = (size_t)state->n_boots;
	size_t bench = run_state_valid_bench(state);
	/* It is the first one's. */
	const struct interval_history *history = bench == 0 ? &state->history : NULL;
	struct sandwich sandwich;
	struct interval interval;

	if (n_boots > MOST_BOOTS || bench >= job_n_benches(&state->job))
		return false;
	for (size_t i = 0; i < n_boots; i++) {
		const struct boot_values *values = &state->boots[i].benches[bench];

		samples[i] = (struct sample){
			.is_child = state->boots[i].point == 1,
			.ordinal = (double)i,
			.values = values->values,
			.n_values = (size_t)values->n_values,
		};
		if (summary_make(samples[i].values, samples[i].n_values, &summaries[i], NULL) < 0)
			return false;
	}
	return sandwich_make(samples, summaries, n_boots, rule.threshold_pct, &sandwich, NULL) == 0 &&
	       interval_make(samples, summaries, n_boots, history, &interval, NULL) == 0 &&
	       verdict_make(&sandwich, &interval, &rule).verdict == VERDICT_INCONCLUSIVE;
}

/* Four boots more, and they would not use up the job's reboots. */
static bool may_append(const struct run_state *state)
{
	return state->n_boots + STEP_BOOTS <= MOST_BOOTS &&
	       state->n_reboots + STEP_BOOTS < state->job.boot.max_reboots;
}

static struct design_answer next(const struct run_state *state)
{
	struct design_answer answer = { .kind = DESIGN_CONCLUDED, .point = -1 };

	if (state->n_boots >= expected_boots(state)) {
		answer.is_inconclusive = !state->job.is_exact && is_inconclusive(state);
		if (!answer.is_inconclusive || !may_append(state))
			return answer;
	}
	return (struct design_answer){
		.kind = DESIGN_BOOT,
		.point = point(&state->job, state->n_boots),
	};
}

const struct design design_sandwich = {
	.name = "sandwich",
	.next = next,
	.expected_boots = expected_boots,
	.point = point,
	.first_boots = first_boots,
};
