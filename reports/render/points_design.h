// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which experiment a table of points holds: known from the order of its boots, or
 * named by the user. Pure.
 */
#pragma once

#include "reports/render/result.h"

/*
 * Sets design and order ("PCP", "ABBA") of @result and sorts its points as the design lists
 * them. @design may be NULL: two kernels that end with the first are a sandwich, a
 * palindrome of more a ladder, other orders of more, or of two in Williams rows, a sweep.
 * @kernels, "A,B,C" or NULL, is a sweep's list, the baseline first; else the list that its
 * Williams rows tell, or the order of the first boots. -EINVAL with a sentence when the
 * boots do not make that design.
 */
int points_design_apply(struct result *result, const char *design, const char *kernels,
			struct error *err);
