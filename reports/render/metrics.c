// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rows of a comparison, from the boots of two kernels. Their words are
 * metrics_words.c's.
 */
#include "reports/render/metrics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/statistics/verdict.h"

void metrics_done(struct metrics *metrics)
{
	if (!metrics)
		return;
	for (size_t i = 0; i < metrics->n_rows; i++) {
		free(metrics->rows[i].workload);
		free(metrics->rows[i].name);
		free(metrics->rows[i].unit);
	}
	free(metrics->rows);
	*metrics = (struct metrics){ 0 };
}

/* The boots of both kernels that count, with the values of one metric. */
struct boots {
	size_t n;
	struct sample samples[INTERVAL_BOOTS_MAX];
	struct summary summaries[INTERVAL_BOOTS_MAX];
	double phase[INTERVAL_BOOTS_MAX];
};

static double phase_mean(const struct result_boot *boot, const char *name)
{
	for (size_t i = 0; i < boot->n_phases; i++)
		if (strcmp(boot->phases[i].name, name) == 0)
			return boot->phases[i].mean;
	return (double)NAN;
}

/* 1 when all of them have the metric, else 0; @phase NULL is the headline's. */
static int collect(struct boots *boots, const struct metrics_side *side, bool is_new,
		   const char *phase, struct error *err)
{
	for (size_t i = 0; i < side->result->n_boots; i++) {
		const struct result_boot *boot = &side->result->boots[i];
		struct sample *sample = &boots->samples[boots->n];
		int r;

		if (boot->point != side->point)
			continue;
		if (boots->n >= INTERVAL_BOOTS_MAX)
			return error_set(err, -E2BIG, "more than %d boots cannot be compared", INTERVAL_BOOTS_MAX);
		boots->phase[boots->n] = phase ? phase_mean(boot, phase) : 0;
		*sample = (struct sample){
			.is_child = is_new,
			.ordinal = boot->ordinal,
			.values = phase ? &boots->phase[boots->n] : boot->values,
			.n_values = phase ? 1 : boot->n_values,
		};
		if (phase && !(isfinite(boots->phase[boots->n]) && boots->phase[boots->n] > 0))
			return 0;
		r = summary_make(sample->values, sample->n_values, &boots->summaries[boots->n], err);
		if (r < 0)
			return r;
		boots->n++;
	}
	return 1;
}

/* Mean and SD between the boots of one side. */
static void spread(const struct boots *boots, bool is_new, double *ret_mean, double *ret_sd_pct,
		   size_t *ret_n)
{
	double means[INTERVAL_BOOTS_MAX];
	struct summary summary;
	size_t n = 0;

	for (size_t i = 0; i < boots->n; i++)
		if (boots->samples[i].is_child == is_new)
			means[n++] = boots->summaries[i].location[SUMMARY_MEAN];
	*ret_n = n;
	*ret_mean = (double)NAN;
	*ret_sd_pct = (double)NAN;
	if (summary_make(means, n, &summary, NULL) < 0)
		return;
	*ret_mean = summary.location[SUMMARY_MEAN];
	*ret_sd_pct = summary.cv_pct;
}

static enum verdict verdict_of(const struct metrics *metrics, const struct metrics_row *row,
			       const struct result *result, bool is_one_job)
{
	/* No boots, no drift; of a whole sandwich it was judged already. */
	const struct sandwich sandwich = { 0 };
	const struct verdict_rule rule = {
		.threshold_pct = result->threshold_pct,
		.is_single_look = metrics->level_pct == 95,
		.is_higher_better = result->is_higher_better,
	};

	if (is_one_job && result->estimates.is_present && result->estimates.verdict.is_drift_gate)
		return VERDICT_INCONCLUSIVE;
	return verdict_make(&sandwich, &row->interval, &rule).verdict;
}

static int add_row(struct metrics *metrics, const struct metrics_side *old,
		   const struct metrics_side *new, const char *phase,
		   const struct interval_history *history, struct error *err)
{
	_cleanup_free_ struct boots *boots = calloc(1, sizeof(*boots));
	const struct result *result = old->result;
	struct metrics_row row = { .is_headline = !phase }, *rows;
	int r;

	if (!boots)
		return error_set(err, -ENOMEM, "out of memory");
	r = collect(boots, old, false, phase, err);
	if (r > 0)
		r = collect(boots, new, true, phase, err);
	if (r <= 0)
		return r;
	if (old->result == new->result)
		r = interval_make(boots->samples, boots->summaries, boots->n, history, &row.interval, err);
	else
		r = interval_make_unordered(boots->samples, boots->summaries, boots->n, history,
					    &row.interval, err);
	if (r < 0)
		return r;
	rows = reallocarray(metrics->rows, metrics->n_rows + 1, sizeof(*rows));
	if (!rows)
		return error_set(err, -ENOMEM, "out of memory");
	metrics->rows = rows;
	spread(boots, false, &row.old_mean, &row.old_sd_pct, &row.n_old);
	spread(boots, true, &row.new_mean, &row.new_sd_pct, &row.n_new);
	row.verdict = verdict_of(metrics, &row, result, old->result == new->result);
	row.workload = text_duplicate(result->bench ? result->bench
				      : result->workload ? result->workload : "values");
	row.name = text_duplicate(phase ? phase : result->metric ? result->metric : "value");
	row.unit = text_duplicate(phase ? NULL : result->unit);
	rows[metrics->n_rows++] = row;
	return 0;
}

static const struct result_boot *first_boot(const struct metrics_side *side)
{
	for (size_t i = 0; i < side->result->n_boots; i++)
		if (side->result->boots[i].point == side->point)
			return &side->result->boots[i];
	return NULL;
}

int metrics_add(struct metrics *metrics, const struct metrics_side *old,
		const struct metrics_side *new, const struct interval_history *history,
		struct error *err)
{
	const struct result_boot *first = first_boot(old);
	int r;

	if (!first || !first_boot(new))
		return error_set(err, -EINVAL, "a kernel that was never booted cannot be compared");
	r = add_row(metrics, old, new, NULL, history, err);
	for (size_t i = 0; r == 0 && i < first->n_phases; i++)
		r = add_row(metrics, old, new, first->phases[i].name, NULL, err);
	return r;
}
