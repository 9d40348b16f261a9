// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting checks and keeping the first failure. Which state is expected is the
 * gates' business.
 */
#include "bench/outcome.h"

#include <stdarg.h>
#include <stdio.h>

bool outcome_check(struct outcome *outcome, bool holds, const char *format, ...)
{
	outcome->n_checks++;
	if (holds)
		return true;
	outcome->n_unexpected++;
	if (outcome->reason[0] == '\0') {
		va_list arguments;

		va_start(arguments, format);
		(void)vsnprintf(outcome->reason, sizeof(outcome->reason), format, arguments);
		va_end(arguments);
	}
	return false;
}

void outcome_add_expected(struct outcome *outcome, uint64_t n_checks)
{
	outcome->n_checks += n_checks;
}

double outcome_match_ratio(const struct outcome *outcome)
{
	if (outcome->n_checks == 0)
		return 0;
	return 100.0 * (double)(outcome->n_checks - outcome->n_unexpected) /
	       (double)outcome->n_checks;
}
