// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the interval to one word. Failed gates (page state, wrong kernel, settings
 * that differ) are not judged here: such a job has no verdict at all. Pure.
 */
#pragma once

#include "reports/statistics/interval.h"
#include "reports/statistics/sandwich.h"

enum verdict {
	VERDICT_REGRESSION,
	VERDICT_IMPROVEMENT,
	VERDICT_NO_CHANGE,
	VERDICT_INCONCLUSIVE,
};

/* "REGRESSION", "IMPROVEMENT", "NO CHANGE", "INCONCLUSIVE". */
const char *verdict_word(enum verdict verdict);

struct verdict_rule {
	double threshold_pct;     /* the smallest change worth a verdict */
	bool is_single_look;      /* exactly parent, child, parent was asked for: the 95 % interval decides */
	bool is_higher_better;    /* flips the words, not the arithmetic */
};

struct verdict_result {
	enum verdict verdict;
	bool is_below_threshold;  /* NO_CHANGE, yet the 95 % interval excludes 0 */
	bool is_drift_gate;       /* INCONCLUSIVE because the machine drifted */
	double drift_limit_pct;   /* max(1, |delta|/4); applies to 3 and 5 boots, else 0 */
};

/* Never fails: without bounds the answer is VERDICT_INCONCLUSIVE. */
struct verdict_result verdict_make(const struct sandwich *sandwich,
				   const struct interval *interval,
				   const struct verdict_rule *rule);
