// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole job for the tests of this folder, and comparison with files beside them.
 */
#pragma once

#include "reports/render/result.h"

/* Parent and child of the published pair. */
void sample_points(struct result *result);
/* Its three boots, measured and done; result_estimate() is the caller's. */
void sample_job(struct result *result);
/* Must succeed; the caller's to free. */
char *sample_render(struct result *result, const char *format);
/* No line beyond @most columns, none that ends in a blank. */
void sample_check_columns(const char *text, size_t most);
/* Twice the same bytes, and those of @file in this folder. */
void sample_check_golden(struct result *result, const char *format, const char *file);
