// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of values measured elsewhere, tab-separated, in two forms known by the header:
 *
 *   order point role commit n mean_iteration_ns_per_page sd cv_pct values semantic_failures
 *   boot  point value
 *
 * The first has a line for each boot, its values separated by blanks in one column, the
 * same role meaning the same kernel; the second a line for each value, the same point
 * meaning the same kernel. The first boot's kernel is the baseline. CRLF, a byte order
 * mark and blank lines at the end are accepted. Pure.
 */
#pragma once

#include "reports/render/result.h"

#define POINTS_TSV_MAX_BYTES (64 * 1024 * 1024)
#define POINTS_TSV_BOOTS_MAX INTERVAL_BOOTS_MAX
#define POINTS_TSV_VALUES_MAX 1000000 /* in the whole file */

/*
 * *ret_result has points, boots in their order and source @name, the status DONE, or
 * INVALID where semantic failures were recorded; result_done() releases it. -EINVAL and a
 * sentence with line and column, -E2BIG for more boots or values than the limits.
 */
int points_tsv_parse(const char *data, size_t size, const char *name,
		     struct result *ret_result, struct error *err);
