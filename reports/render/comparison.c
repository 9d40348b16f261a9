// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks for everything that makes two kernels' numbers incomparable, then compares. The
 * words are comparison_words.c's.
 */
#include "reports/render/comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

/* Of the machine, what a kernel or an update of the default may change. */
static const char *const changing_facts[] = { "default kernel", NULL };

void comparison_done(struct comparison *comparison)
{
	if (!comparison)
		return;
	metrics_done(&comparison->metrics);
	for (size_t i = 0; i < comparison->warnings.n; i++)
		free(comparison->warnings.items[i]);
	free(comparison->warnings.items);
	*comparison = (struct comparison){ 0 };
}

int comparison_find_point(const struct result *result, const char *name, size_t *ret_point,
			  struct error *err)
{
	_cleanup_text_ struct text_buffer names = { 0 };

	for (size_t i = 0; i < result->n_points; i++) {
		if (strcmp(result->points[i].name, name) == 0) {
			*ret_point = i;
			return 0;
		}
		text_printf(&names, "%s%s", i ? ", " : "", result->points[i].name);
	}
	return error_set(err, -ENOENT, "job %lld has no kernel \"%.80s\"; it has: %s",
			 (long long)result->job_id, name, names.text ? names.text : "none");
}

static void refuse(struct text_buffer *reasons, char *words)
{
	_cleanup_free_ char *owned = words;

	text_printf(reasons, "%s%s", reasons->size ? "; " : "", owned);
}

static void check_side(const struct metrics_side *side, struct text_buffer *reasons)
{
	const struct result *result = side->result;
	size_t n = 0;

	if (result->status != RESULT_DONE && result->status != RESULT_INCONCLUSIVE) {
		refuse(reasons, text_format("job %lld is %s%s%s", (long long)result->job_id,
					    result_status_name(result->status),
					    result->reason ? ": " : "", result->reason ? result->reason : ""));
		return;
	}
	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];

		if (boot->point != side->point)
			continue;
		n++;
		if (boot->unexpected || !boot->is_complete)
			refuse(reasons, text_format("boot %zu of job %lld has no number: %s", i + 1,
						    (long long)result->job_id,
						    boot->unexpected ? boot->unexpected : "it was not measured to its end"));
	}
	if (!n)
		refuse(reasons, text_format("%s of job %lld was never booted",
					    result->points[side->point].name, (long long)result->job_id));
}

static void check_text(const struct result *a, const struct result *b, const char *what,
		       const char *text_a, const char *text_b, struct text_buffer *reasons)
{
	if (strcmp(text_a ? text_a : "", text_b ? text_b : "") != 0)
		refuse(reasons, text_format("%s: %s in job %lld, %s in job %lld", what,
					    text_a ? text_a : "none", (long long)a->job_id,
					    text_b ? text_b : "none", (long long)b->job_id));
}

static const char *fact_of(const struct result_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->n; i++)
		if (strcmp(facts->items[i].name, name) == 0)
			return facts->items[i].value;
	return NULL;
}

static bool is_changing(const char *name)
{
	for (size_t i = 0; changing_facts[i]; i++)
		if (strcmp(changing_facts[i], name) == 0)
			return true;
	return false;
}

/* By name, those of @b that @a lacks last. */
static void check_facts(const struct result *a, const struct result_facts *of_a,
			const struct result *b, const struct result_facts *of_b,
			struct text_buffer *reasons)
{
	for (size_t i = 0; i < of_a->n; i++)
		if (!is_changing(of_a->items[i].name))
			check_text(a, b, of_a->items[i].name, of_a->items[i].value,
				   fact_of(of_b, of_a->items[i].name), reasons);
	for (size_t i = 0; i < of_b->n; i++)
		if (!is_changing(of_b->items[i].name) && !fact_of(of_a, of_b->items[i].name))
			check_text(a, b, of_b->items[i].name, NULL, of_b->items[i].value, reasons);
}

static const char *machine_of(const struct result *result)
{
	return result->is_counted ? "a lab that counts instructions" : result->is_emulated ? "a lab" : "a machine";
}

static void check_jobs(const struct result *a, const struct result *b, struct text_buffer *reasons)
{
	char warmups_a[24], warmups_b[24];

	(void)snprintf(warmups_a, sizeof(warmups_a), "%lld", (long long)a->warmups);
	(void)snprintf(warmups_b, sizeof(warmups_b), "%lld", (long long)b->warmups);
	check_text(a, b, "measured on", machine_of(a), machine_of(b), reasons);
	check_text(a, b, "workload", a->workload, b->workload, reasons);
	check_text(a, b, "metric", a->metric, b->metric, reasons);
	check_text(a, b, "unit", a->unit, b->unit, reasons);
	check_text(a, b, "warm-ups", warmups_a, warmups_b, reasons);
	check_facts(a, &a->measured_on, b, &b->measured_on, reasons);
	check_facts(a, &a->held_equal, b, &b->held_equal, reasons);
}

static void warn(struct comparison *comparison)
{
	const struct result *a = comparison->old->result, *b = comparison->new->result;
	const char *sum_a = a->points[comparison->old->point].config_sha256;
	const char *sum_b = b->points[comparison->new->point].config_sha256;

	if (a != b) {
		result_texts_add(&comparison->warnings,
				 "Two jobs: what else changed on the machine between them is in the delta.");
		if (sum_a && sum_b && strcmp(sum_a, sum_b) != 0)
			result_texts_add(&comparison->warnings,
					 "The kernels' configs differ (%.12s, %.12s); the delta may be theirs.",
					 sum_a, sum_b);
		if (a->processes != b->processes)
			result_texts_add(&comparison->warnings, "%lld processes a boot in one job, %lld in the other.",
					 (long long)a->processes, (long long)b->processes);
	} else if (a->is_config_compared && !a->is_config_equal) {
		result_texts_add(&comparison->warnings,
				 "The kernels' configs differ; the delta may be theirs.");
	}
	if (a == b && a->estimates.is_present && a->estimates.verdict.is_drift_gate)
		result_texts_add(&comparison->warnings,
				 "The machine drifted between the parent boots, as the job's report says: no verdict.");
	if (comparison->metrics.n_rows && !comparison->metrics.rows[0].interval.has_bounds)
		result_texts_add(&comparison->warnings,
				 "One boot of each and no history of this machine: there is no interval.");
}

/* The workload of @side with the same name or, where jobs have one only, that. */
static const struct result *bench_like(const struct metrics_side *side, const struct result *bench)
{
	for (size_t i = 0; bench->bench && i <= side->result->n_further; i++) {
		const struct result *other = result_bench(side->result, i);

		if (other->bench && strcmp(other->bench, bench->bench) == 0)
			return other;
	}
	return bench->bench && side->result->bench ? NULL : side->result;
}

static int add_bench(struct comparison *comparison, const struct metrics_side *old,
		     const struct metrics_side *new, const struct interval_history *history,
		     struct error *err)
{
	_cleanup_text_ struct text_buffer reasons = { 0 };

	check_side(old, &reasons);
	if (new->result != old->result || new->point != old->point)
		check_side(new, &reasons);
	if (new->result != old->result && !reasons.size)
		check_jobs(old->result, new->result, &reasons);
	if (reasons.size)
		return error_set(err, -EPERM, "they cannot be compared: %s", reasons.text);
	return metrics_add(&comparison->metrics, old, new, history, err);
}

static int add_all(struct comparison *comparison, const struct interval_history *history,
		   struct error *err)
{
	int r = 0;

	bool has_several = comparison->old->result->n_further > 0;
	struct error why = { "" };

	for (size_t i = 0; r == 0 && i <= comparison->old->result->n_further; i++) {
		const struct result *bench = result_bench(comparison->old->result, i);
		struct metrics_side old = { .result = bench, .point = comparison->old->point };
		struct metrics_side new = { .result = bench_like(comparison->new, bench),
					    .point = comparison->new->point };

		if (new.result)
			r = add_bench(comparison, &old, &new, i ? NULL : history, &why);
		else
			result_texts_add(&comparison->warnings, "Workload %s is in one job only.",
					 bench->bench);
		if (r == -EPERM && has_several) {
			/* A failed gate is of its workload only. */
			result_texts_add(&comparison->warnings, "Workload %s: %s", bench->bench, why.text);
			r = 0;
		}
	}
	if (r < 0 || (why.text[0] && !comparison->metrics.n_rows))
		return error_set(err, r < 0 ? r : -EPERM, "%s", why.text);
	return 0;
}

int comparison_make(const struct metrics_side *old, const struct metrics_side *new,
		    const struct interval_history *history, struct comparison *ret_comparison,
		    struct error *err)
{
	_cleanup_(comparison_done) struct comparison comparison = {
		.old = old, .new = new, .metrics = { .level_pct = 99, .has_several = old->result->n_further > 0 },
	};
	int r;

	if (old->result == new->result && old->point == new->point)
		return error_set(err, -EINVAL, "a kernel compared with itself tells nothing: give two");
	r = add_all(&comparison, history, err);
	if (r == 0 && !comparison.metrics.n_rows)
		r = error_set(err, -EPERM, "they cannot be compared: the jobs have no workload in common");
	if (r < 0)
		return r;
	warn(&comparison);
	*ret_comparison = comparison;
	comparison = (struct comparison){ 0 };
	return 0;
}
