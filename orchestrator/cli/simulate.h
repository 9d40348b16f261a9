// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `abbot simulate` can simulate: one file and one row of the tables in simulate.c
 * for each subject.
 */
#pragma once

#include "orchestrator/cli/arguments.h"

/*
 * What a subject does with its options: prints the outcome. -EINVAL for options that are
 * missing or wrong, with a sentence.
 */
int simulate_bisect(const struct cli_arguments *arguments, struct error *err);
int simulate_verdicts(const struct cli_arguments *arguments, struct error *err);

/* @name's value, or @otherwise when it was not given. -EINVAL for what is no number. */
int simulate_number(const struct cli_arguments *arguments, const char *name, double otherwise,
		    double *ret_value, struct error *err);
int simulate_count(const struct cli_arguments *arguments, const char *name, int64_t otherwise,
		   int64_t minimum, int64_t maximum, int64_t *ret_value, struct error *err);
