// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the boots of a sandwich to its figures and the warnings that follow from them;
 * sweep and ladder are result_estimate_designs.c's. The arithmetic is
 * reports/statistics's, the words of the headline render's.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/render/result_estimate_internal.h"
#include "reports/render/result_finding.h"

#define SINGLE_LOOK_ORDER "PCP"

static int fill_summaries(struct result *result, struct error *err)
{
	_cleanup_free_ struct summary *summaries = NULL;

	if (!result->n_boots)
		return 0;
	for (size_t i = 0; i < result->n_boots; i++) {
		if (!result->boots[i].n_values)
			return 0;
	}
	summaries = calloc(result->n_boots, sizeof(*summaries));
	if (!summaries)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];
		int r = summary_make(boot->values, boot->n_values, &summaries[i], err);

		if (r < 0)
			return error_prefix(err, r, "boot %zu (%s)", i + 1,
					    result_boot_label(result, boot));
	}
	free(result->summaries);
	result->summaries = TAKE_PTR(summaries);
	return 0;
}

static bool is_comparable(const struct result *result)
{
	if (result->status != RESULT_DONE && result->status != RESULT_INCONCLUSIVE)
		return false;
	/* Of a bisection only the proof of what was found is compared. */
	if (result->design && strcmp(result->design, "bisect") == 0 &&
	    (!result->bisection || !result->bisection->culprits.n))
		return false;
	if (!result->summaries || result->n_boots < (result_is_sweep(result) ? 2 : 3))
		return false;
	for (size_t i = 0; i < result->n_boots; i++) {
		if (!result->boots[i].is_complete)
			return false;
	}
	return true;
}

void result_samples(const struct result *result, struct sample *samples)
{
	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];

		samples[i] = (struct sample){
			.is_child = boot->point != 0,
			.ordinal = boot->ordinal,
			.values = boot->values,
			.n_values = boot->n_values,
		};
	}
}

static double phase_mean(const struct result_boot *boot, const char *name)
{
	for (size_t i = 0; i < boot->n_phases; i++) {
		if (strcmp(boot->phases[i].name, name) == 0)
			return boot->phases[i].mean;
	}
	return (double)NAN;
}

/* A phase that some boot lacks, or whose mean is not positive, is left out. */
static int add_phase_figures(struct result *result, const struct sample *samples,
			     const char *name, struct error *err)
{
	struct result_estimates *estimates = &result->estimates;
	_cleanup_free_ struct summary *summaries = calloc(result->n_boots, sizeof(*summaries));
	struct sandwich sandwich;
	const struct sandwich_figures *mean = &sandwich.variants[SUMMARY_MEAN];
	int r;

	if (!summaries)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < result->n_boots; i++) {
		double value = phase_mean(&result->boots[i], name);

		if (!isfinite(value) || value <= 0)
			return 0;
		r = summary_make(&value, 1, &summaries[i], err);
		if (r < 0)
			return r;
	}
	r = sandwich_make(samples, summaries, result->n_boots, result->threshold_pct, &sandwich,
			  err);
	if (r < 0)
		return r;
	estimates->phases[estimates->n_phases++] = (struct result_phase_figures){
		.name = text_duplicate(name),
		.midpoint = mean->midpoint,
		.child = mean->child,
		.delta_pct = mean->delta_pct,
		.drift_pct = mean->drift_pct,
	};
	return 0;
}

static int fill_phases(struct result *result, const struct sample *samples, struct error *err)
{
	const struct result_boot *first = &result->boots[0];

	if (!first->n_phases)
		return 0;
	result->estimates.phases = calloc(first->n_phases, sizeof(*result->estimates.phases));
	if (!result->estimates.phases)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < first->n_phases; i++) {
		int r = add_phase_figures(result, samples, first->phases[i].name, err);

		if (r < 0)
			return r;
	}
	return 0;
}

void result_warn_of_values(struct result *result, bool is_quantised)
{
	const struct result_boot *first = &result->boots[0];

	for (size_t i = 1; i < result->n_boots; i++) {
		if (result->boots[i].n_values == first->n_values)
			continue;
		result_warn(result, "unequal-n", i, RESULT_NONE,
				 "The boots have different numbers of values (%zu in boot 1, %zu in boot %zu).",
				 first->n_values, result->boots[i].n_values, i + 1);
		break;
	}
	if (is_quantised)
		result_warn(result, "quantised", RESULT_NONE, RESULT_NONE,
				 "Every value is a whole number: the input is quantised, and the median misleads.");
}

void result_warn_of_model(struct result *result, const struct interval_exclusion *excluded,
			  size_t n_excluded, double significant_slope)
{
	for (size_t i = 0; i < n_excluded; i++)
		result_warn(result, "outlier-boot", excluded[i].boot, RESULT_NONE,
				 "Boot %zu is an outlier (|t| %.1f): it is left out of the interval, not of the classic figures.",
				 excluded[i].boot + 1, excluded[i].studentised);
	if (fabs(significant_slope) > 0)
		result_warn(result, "drift", RESULT_NONE, RESULT_NONE,
				 "The machine drifts by %+.2f %% a boot; the interval is adjusted for it.",
				 significant_slope);
}

static void warn_of_sensitivity(struct result *result)
{
	static const char *const names[SUMMARY_VARIANT_COUNT] = {
		[SUMMARY_MEAN] = "mean",
		[SUMMARY_DROP_FIRST] = "drop-first",
		[SUMMARY_MEDIAN] = "median",
		[SUMMARY_TRIMMED] = "trimmed",
	};

	for (size_t i = 0; i < SUMMARY_VARIANT_COUNT; i++) {
		const struct sandwich_figures *figures = &result->estimates.sandwich.variants[i];

		if (figures->is_sign_changed)
			result_warn(result, "sensitivity", RESULT_NONE, RESULT_NONE,
					 "The %s delta has the other sign (%+.2f %%).", names[i],
					 figures->delta_pct);
		else if (figures->is_moved)
			result_warn(result, "sensitivity", RESULT_NONE, RESULT_NONE,
					 "The %s delta (%+.2f %%) lies more than half the threshold from the mean's.",
					 names[i], figures->delta_pct);
	}
}

static void warn_of_interval(struct result *result)
{
	const struct interval *interval = &result->estimates.interval;
	const struct verdict_result *verdict = &result->estimates.verdict;

	if (verdict->is_drift_gate)
		result_warn(result, "drift-gate", RESULT_NONE, RESULT_NONE,
				 "The machine drifted by %+.2f %%, more than the %.2f %% allowed: no verdict.",
				 result->estimates.sandwich.variants[SUMMARY_MEAN].drift_pct,
				 verdict->drift_limit_pct);
	result_warn_of_model(result, interval->excluded, interval->n_excluded,
			     interval->is_slope_significant ? interval->slope : 0);
	if (!interval->is_deterministic && interval->df < 2 && interval->has_bounds)
		result_warn(result, "few-boots", RESULT_NONE, RESULT_NONE,
				 "%zu boots leave one degree of freedom, so the interval is wide; more boots narrow it.",
				 interval->n_boots);
}

static int estimate_sandwich(struct result *result, const struct sample *samples,
			     struct error *err)
{
	struct result_estimates *estimates = &result->estimates;
	struct verdict_rule rule = {
		.threshold_pct = result->threshold_pct,
		.is_higher_better = result->is_higher_better,
	};
	int r;

	r = sandwich_make(samples, result->summaries, result->n_boots, result->threshold_pct,
			  &estimates->sandwich, err);
	if (r < 0)
		return r;
	r = interval_make(samples, result->summaries, result->n_boots, &result->history,
			  &estimates->interval, err);
	if (r < 0)
		return r;
	r = fill_phases(result, samples, err);
	if (r < 0)
		return r;
	estimates->is_single_look = result->is_exact && result->order &&
				    strcmp(result->order, SINGLE_LOOK_ORDER) == 0;
	rule.is_single_look = estimates->is_single_look;
	estimates->verdict = verdict_make(&estimates->sandwich, &estimates->interval, &rule);
	estimates->is_present = true;
	result_warn_of_values(result, estimates->sandwich.is_quantised &&
					      !estimates->interval.is_deterministic);
	warn_of_sensitivity(result);
	warn_of_interval(result);
	return 0;
}

int result_estimate(struct result *result, struct error *err)
{
	_cleanup_free_ struct sample *samples = NULL;
	int r;

	r = fill_summaries(result, err);
	if (r < 0 || !is_comparable(result))
		return r;
	samples = calloc(result->n_boots, sizeof(*samples));
	if (!samples)
		return error_set(err, -ENOMEM, "out of memory");
	result_samples(result, samples);
	if (result_is_sweep(result))
		return result_estimate_sweep(result, samples, err);
	if (result_is_ladder(result))
		return result_estimate_ladder(result, err);
	return estimate_sandwich(result, samples, err);
}
