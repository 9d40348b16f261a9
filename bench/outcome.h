// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether a process measured what it meant to: every check that a gate makes is counted,
 * and the first one that fails leaves its sentence. No check stops the run.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct outcome {
	uint64_t n_checks;
	uint64_t n_unexpected;
	char reason[512];       /* of the first unexpected result; "" when there is none */
};

/* Counts one check. When it does not hold, the sentence is kept if it is the first. Returns @holds. */
bool outcome_check(struct outcome *outcome, bool holds, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Counts @n_checks at once of which all held. */
void outcome_add_expected(struct outcome *outcome, uint64_t n_checks);

/* 100 when every check held; 0 when nothing was checked, which proves nothing. */
double outcome_match_ratio(const struct outcome *outcome);
