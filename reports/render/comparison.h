// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any two kernels of any jobs: may they be compared, and what comes out.
 */
#pragma once

#include "reports/render/metrics.h"

#define COMPARISON_JSON_SCHEMA 1

struct comparison {
	const struct metrics_side *old; /* borrowed, with their results */
	const struct metrics_side *new;
	struct metrics metrics;
	struct result_texts warnings;
};

void comparison_done(struct comparison *comparison);

/* The kernel of that name. -ENOENT, with the known names. */
int comparison_find_point(const struct result *result, const char *name, size_t *ret_point,
			  struct error *err);

/*
 * @old->result and @new->result are the same object where both kernels are of one job. -EPERM
 * with every reason why they cannot be compared: a job without a valid result, a boot without
 * its values, another machine, workload, option, setting or page size. @history may be NULL.
 * The threshold is the old job's.
 */
int comparison_make(const struct metrics_side *old, const struct metrics_side *new,
		    const struct interval_history *history, struct comparison *ret_comparison,
		    struct error *err);

/* "text" or "json"; -EINVAL for another. The caller's to free, ended by a line feed. */
int comparison_render(const struct comparison *comparison, const char *format, char **ret_text,
		      struct error *err);
