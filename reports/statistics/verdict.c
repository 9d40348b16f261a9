// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The decision rule, threshold and drift gate. Words are left to reports/render.
 */
#include "reports/statistics/verdict.h"

#include <math.h>

static bool is_drifting(const struct sandwich *sandwich, struct verdict_result *result)
{
	const struct sandwich_figures *mean = &sandwich->variants[SUMMARY_MEAN];

	/* From seven boots on the slope term of the model adjusts for drift instead. */
	if (sandwich->n_boots != 3 && sandwich->n_boots != 5)
		return false;
	result->drift_limit_pct = fmax(1, fabs(mean->delta_pct) / 4);
	return fabs(mean->drift_pct) > result->drift_limit_pct;
}

const char *verdict_word(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_REGRESSION:
		return "REGRESSION";
	case VERDICT_IMPROVEMENT:
		return "IMPROVEMENT";
	case VERDICT_NO_CHANGE:
		return "NO CHANGE";
	case VERDICT_INCONCLUSIVE:
		return "INCONCLUSIVE";
	}
	return "";
}

struct verdict_result verdict_make(const struct sandwich *sandwich,
				   const struct interval *interval,
				   const struct verdict_rule *rule)
{
	struct verdict_result result = { .verdict = VERDICT_INCONCLUSIVE };
	const struct interval_bounds *decisive =
		rule->is_single_look ? &interval->ci95 : &interval->ci99;
	const struct interval_bounds *ci95 = &interval->ci95;
	double threshold = rule->threshold_pct;

	if (is_drifting(sandwich, &result)) {
		result.is_drift_gate = true;
		return result;
	}
	if (!interval->has_bounds)
		return result;
	if (decisive->low_pct > 0 && interval->estimate_pct >= threshold) {
		result.verdict = rule->is_higher_better ? VERDICT_IMPROVEMENT : VERDICT_REGRESSION;
	} else if (decisive->high_pct < 0 && interval->estimate_pct <= -threshold) {
		result.verdict = rule->is_higher_better ? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;
	} else if (ci95->low_pct > -threshold && ci95->high_pct < threshold) {
		result.verdict = VERDICT_NO_CHANGE;
		result.is_below_threshold = ci95->low_pct > 0 || ci95->high_pct < 0;
	}
	return result;
}
