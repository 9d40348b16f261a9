// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `abbot simulate` can simulate: one file and one row of the table in simulate.c
 * for each subject.
 */
#pragma once

#include "orchestrator/cli/arguments.h"

struct simulate_subject {
	const char *name;
	/* -EINVAL for options that are missing or wrong, with a sentence. Prints the outcome. */
	int (*run)(const struct cli_arguments *arguments, struct error *err);
};

extern const struct simulate_subject simulate_bisect;

/* @name's value, or @otherwise when it was not given. -EINVAL for what is no number. */
int simulate_number(const struct cli_arguments *arguments, const char *name, double otherwise,
		    double *ret_value, struct error *err);
int simulate_count(const struct cli_arguments *arguments, const char *name, int64_t otherwise,
		   int64_t minimum, int64_t maximum, int64_t *ret_value, struct error *err);
