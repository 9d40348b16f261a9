// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Between the parts of result_estimate(); not for others.
 */
#pragma once

#include "reports/render/result.h"

/* @samples has room for every boot. */
void result_samples(const struct result *result, struct sample *samples);
int result_estimate_sweep(struct result *result, const struct sample *samples, struct error *err);
int result_estimate_ladder(struct result *result, struct error *err);

void result_warn_of_values(struct result *result, bool is_quantised);
/* @significant_slope in percent a boot, 0 where there is none. */
void result_warn_of_model(struct result *result, const struct interval_exclusion *excluded,
			  size_t n_excluded, double significant_slope);
