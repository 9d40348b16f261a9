// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order in which a table's kernels are listed, the baseline first. Pure.
 */
#pragma once

#include "reports/render/result.h"

void points_list_by_first_boot(struct result *result);
/* Points listed by their first boots. Three whole rounds at least: two also fit other lists. */
bool points_list_is_williams(const struct result *result);
/* From first boots to the list that the Williams rows tell; nothing where they are none. */
void points_list_by_williams(struct result *result);
/* @names: "A,B,C", each kernel once; -EINVAL names what is wrong. */
int points_list_by_names(struct result *result, const char *names, struct error *err);
