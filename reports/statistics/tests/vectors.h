// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared by the tests here: the published values of the exact pair (ns/page, whole
 * numbers as published), boots made from plain means, and a six-decimal comparison.
 */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reports/statistics/summary.h"

#define GOLDEN_N 15

static const double golden_values[3][GOLDEN_N] = {
	{ 37, 38, 38, 38, 39, 37, 39, 37, 38, 39, 38, 38, 39, 39, 38 },
	{ 53, 53, 54, 53, 53, 54, 54, 54, 53, 54, 53, 53, 54, 54, 54 },
	{ 37, 39, 38, 39, 38, 39, 38, 39, 38, 39, 39, 39, 38, 39, 38 },
};

#define BOOTS_MAX 64

struct boots {
	size_t n;
	struct sample samples[BOOTS_MAX];
	struct summary summaries[BOOTS_MAX];
	double values[BOOTS_MAX][2];
};

static inline void boots_summarise(struct boots *boots)
{
	for (size_t i = 0; i < boots->n; i++)
		assert_int_equal(summary_make(boots->samples[i].values, boots->samples[i].n_values,
					      &boots->summaries[i], NULL), 0);
}

static inline void boots_golden(struct boots *boots)
{
	boots->n = 3;
	for (size_t i = 0; i < 3; i++)
		boots->samples[i] = (struct sample){
			.is_child = i == 1, .ordinal = (double)i,
			.values = golden_values[i], .n_values = GOLDEN_N,
		};
	boots_summarise(boots);
}

/* @order is "PCP..."; two equal values a boot, so that the process scatter is zero. */
static inline void boots_from_means(struct boots *boots, const char *order, const double *means)
{
	boots->n = strlen(order);
	assert_true(boots->n <= BOOTS_MAX);
	for (size_t i = 0; i < boots->n; i++) {
		boots->values[i][0] = boots->values[i][1] = means[i];
		boots->samples[i] = (struct sample){
			.is_child = order[i] == 'C', .ordinal = (double)i,
			.values = boots->values[i], .n_values = 2,
		};
	}
	boots_summarise(boots);
}

static inline void check_six(double actual, double expected, const char *file, int line)
{
	/* Half of the sixth decimal, and a hair for the printed value's own rounding. */
	if (!(fabs(actual - expected) <= 0.51e-6)) {
		print_error("%s:%d: %.9f is not %.6f\n", file, line, actual, expected);
		fail();
	}
}

#define assert_six(actual, expected) check_six(actual, expected, __FILE__, __LINE__)
