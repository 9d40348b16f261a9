// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Path hints of a bisection, for range.c; only ever called inside its child process.
 */
#pragma once

#include "orchestrator/work/range_walk.h"

/*
 * @touches[i], i = 0 (good) .. n, becomes true where commit i changed one of
 * @paths (ends with NULL; may be NULL) against commit i - 1. -EINVAL for what is no path,
 * -ENOENT for a path that no commit has, RANGE_WALK_AGAIN for a tree that cannot be read.
 */
int range_weight_mark(const struct range_ends *ends, const struct range_line *line,
		      const char *const *paths, bool *touches, struct error *err);
