// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which experiment a table of points holds: known from the order of its boots, or
 * named by the user. Pure.
 */
#pragma once

#include "reports/render/result.h"

/*
 * Sets design and order ("PCP") of @result. @design may be NULL: recognised. -EINVAL with
 * a sentence when the order of the boots does not make that design, or the design cannot
 * be analysed yet.
 */
int points_design_apply(struct result *result, const char *design, struct error *err);
