// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the result model to a report. Pure: equal results give equal bytes.
 */
#pragma once

#include "reports/render/result.h"

#define RENDER_JSON_SCHEMA 1

/*
 * @format is "text" (80 columns, the first screen answers) or "json" (sorted keys, six
 * decimals, null where absent); -EINVAL names the nearest known one. *ret_text ends with
 * a line feed and is the caller's.
 */
int render_result(const struct result *result, const char *format, char **ret_text,
		  struct error *err);

