// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the result model to a report. Pure: equal results give equal bytes.
 */
#pragma once

#include "reports/render/result.h"

#define RENDER_JSON_SCHEMA 1

/*
 * @format is "text" (80 columns, the first screen answers), "json" (sorted keys, six
 * decimals, null where absent), "tsv" (the published points columns, which points_tsv.h
 * reads again), "tsv-components", "tsv-comparison", "tsv-bisection" (its steps), "mail" (72
 * columns, headers from result.mail, passed by mail_lint.h) or "html" (one file of its own). -EINVAL
 * names the nearest known one, or says why the result has no such table. *ret_text ends
 * with a line feed and is the caller's.
 */
int render_result(const struct result *result, const char *format, char **ret_text,
		  struct error *err);

