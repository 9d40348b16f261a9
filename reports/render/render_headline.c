// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sentence at the top of every report.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render_internal.h"

/* What the headline compares: the first kernel that is not the baseline. */
static const char *child_name(const struct result *result)
{
	return result->n_points > 1 ? result->points[1].name : "child";
}

static const char *parent_name(const struct result *result)
{
	return result->n_points > 0 ? result->points[0].name : "parent";
}

const char *render_verdict_word(const struct result *result)
{
	if (result->estimates.is_present)
		return verdict_word(result->estimates.verdict.verdict);
	if (result->estimates.has_sweep)
		return "SWEEP";
	if (result->estimates.has_ladder)
		return "LADDER";
	return result_status_name(result->status);
}

/*
 * The number beside the verdict. From five boots on the classic delta, which counts outlier
 * boots and drift, may contradict the estimate that decided.
 */
double render_delta_pct(const struct result *result)
{
	const struct result_estimates *estimates = &result->estimates;

	if (estimates->sandwich.n_boots > 3)
		return estimates->interval.estimate_pct;
	return estimates->sandwich.variants[SUMMARY_MEAN].delta_pct;
}

int render_level_pct(const struct result *result)
{
	return result->estimates.is_single_look ||
	       result->estimates.verdict.verdict == VERDICT_NO_CHANGE ? 95 : 99;
}

/* "95 % interval +27.01 to +53.82 %" of the interval that decides. */
static char *interval_words(const struct result *result)
{
	const struct interval *interval = &result->estimates.interval;
	int level = render_level_pct(result);
	const struct interval_bounds *bounds = level == 95 ? &interval->ci95 : &interval->ci99;
	char range[RENDER_RANGE_SIZE];

	if (!interval->has_bounds)
		return text_duplicate("too few boots for an interval");
	if (interval->is_deterministic)
		return text_duplicate("deterministic: boots of one kernel agree exactly");
	return text_format("%d %% interval %s", level, render_range(bounds, range));
}

static char *change_sentence(const struct result *result, const char *interval)
{
	double delta_pct = render_delta_pct(result);
	const char *what = result->is_counted ? "instructions" : result->unit;

	return text_format("%s: %s takes %.2f %% %s%s%s than %s (%s).", verdict_word(result->estimates.verdict.verdict),
			   child_name(result), fabs(delta_pct),
			   render_more_word(result, delta_pct), what ? " " : "", what ? what : "",
			   parent_name(result), interval);
}

static char *no_change_sentence(const struct result *result, const char *interval)
{
	double delta_pct = render_delta_pct(result);
	char delta[RENDER_PCT_SIZE];

	return text_format("NO CHANGE: %s against %s is %s, inside the threshold of %g %% (%s)%s.",
			   child_name(result), parent_name(result),
			   render_pct(delta_pct, delta), result->threshold_pct, interval,
			   result->estimates.verdict.is_below_threshold
				   ? "; detectable, but below the threshold" : "");
}

static char *inconclusive_sentence(const struct result *result, const char *interval)
{
	const struct sandwich_figures *mean = &result->estimates.sandwich.variants[SUMMARY_MEAN];
	char delta[RENDER_PCT_SIZE];
	char drift[RENDER_PCT_SIZE];

	if (result->estimates.verdict.is_drift_gate)
		return text_format("INCONCLUSIVE: the machine drifted by %s between the %s boots; %s is %s.",
				   render_pct(mean->drift_pct, drift), parent_name(result),
				   child_name(result), render_pct(render_delta_pct(result), delta));
	return text_format("INCONCLUSIVE: %s against %s is %s, which these boots do not settle (%s; threshold %g %%).",
			   child_name(result), parent_name(result),
			   render_pct(render_delta_pct(result), delta), interval, result->threshold_pct);
}

static char *estimate_sentence(const struct result *result)
{
	_cleanup_free_ char *interval = interval_words(result);

	switch (result->estimates.verdict.verdict) {
	case VERDICT_REGRESSION:
	case VERDICT_IMPROVEMENT:
		return change_sentence(result, interval);
	case VERDICT_NO_CHANGE:
		return no_change_sentence(result, interval);
	case VERDICT_INCONCLUSIVE:
		return inconclusive_sentence(result, interval);
	}
	return text_duplicate("");
}

static char *progress_sentence(const struct result *result)
{
	size_t n_complete = 0;

	for (size_t i = 0; i < result->n_boots; i++)
		n_complete += result->boots[i].is_complete;
	if (result->bisection)
		return text_format("RUNNING: %zu boots measured so far; no commit is named yet.", n_complete);
	return text_format("RUNNING: %zu of %zu boots measured so far; no figure yet.", n_complete,
			   result->order ? strlen(result->order) : result->n_boots);
}

char *render_headline(const struct result *result)
{
	_cleanup_free_ char *reason = render_clean(result->reason ? result->reason : "no reason was given",
						   true);
	char *line_end = strchr(reason, '\n');

	/* A reason may carry a build log behind its first line; that is printed below. */
	if (line_end)
		*line_end = '\0';
	switch (result->status) {
	case RESULT_QUEUED:
		return text_duplicate("QUEUED: nothing has run yet.");
	case RESULT_RUNNING:
		return progress_sentence(result);
	case RESULT_DONE:
	case RESULT_INCONCLUSIVE:
		if (result->estimates.is_present)
			return estimate_sentence(result);
		if (result->estimates.has_sweep)
			return render_headline_sweep(result);
		if (result->estimates.has_ladder)
			return render_headline_ladder(result);
		break;
	case RESULT_PAUSED:
	case RESULT_INVALID:
	case RESULT_FAILED:
	case RESULT_CANCELLED:
		break;
	}
	if (result->status == RESULT_INVALID && result_is_partly_invalid(result))
		return text_format("INVALID: %s has no number, the other workloads do: %s", result->bench,
				   reason);
	return text_format("%s: %s", result_status_name(result->status), reason);
}
