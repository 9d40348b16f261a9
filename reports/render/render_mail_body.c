// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The body of the mail, 72 columns, in the order in which a maintainer asks: what, how
 * much, how sure, measured how, what else could it be, how do I see it myself.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/mail_lint.h"
#include "reports/render/render_internal.h"

#define SHORT_ID 12
#define NAME_COLUMNS 14
#define MICRO_PCT 5.0

static void fill(struct text_buffer *text, const char *words)
{
	_cleanup_free_ char *clean = render_clean(words, false);

	render_fill(text, MAIL_COLUMNS, "", 0, clean);
}

static void item(struct text_buffer *text, const char *name, const char *value)
{
	_cleanup_free_ char *clean = render_clean(value, false);
	_cleanup_free_ char *words = render_clean(name, false);
	_cleanup_free_ char *lead = NULL;

	/* Names come from JSON keys. */
	for (char *c = words; *c; c++) {
		if (*c == '_')
			*c = ' ';
	}
	lead = text_format("  %-*s  ", NAME_COLUMNS, words);
	render_fill(text, MAIL_COLUMNS, lead, NAME_COLUMNS + 4, clean);
}

static void append_answer(const struct result *result, struct text_buffer *text)
{
	_cleanup_free_ char *headline = render_headline(result);
	bool is_begun = false;

	text_append(text, "Hi,\n\n");
	if (render_emulation(result))
		fill(text, render_emulation(result));
	fill(text, headline);
	for (size_t i = result->n_points; i > 0; i--) {
		const struct result_point *point = &result->points[i - 1];
		_cleanup_free_ char *words = NULL;

		if (!point->commit && !point->revision)
			continue;
		words = text_format("%.*s%s%s%s", point->commit ? SHORT_ID : 40,
				    point->commit ? point->commit : point->revision,
				    point->title ? " (\"" : "", point->title ? point->title : "",
				    point->title ? "\")" : "");
		text_append(text, is_begun ? "" : "\n");
		is_begun = true;
		item(text, point->name, words);
		for (size_t k = 0; k < point->changes.n; k++)
			item(text, k ? "" : "with", point->changes.items[k]);
	}
}

static void append_table(const struct result *result, struct text_buffer *text)
{
	int decimals = render_decimals(result);

	text_printf(text, "\nboot %-12s %-12s %5s %10s %9s\n", "point", "commit", "n", "mean", "SD");
	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];
		const char *commit = result->points[boot->point].commit;
		const struct summary *summary = &result->summaries[i];

		text_printf(text, "%4zu %-12.12s %-12.12s %5zu %10.*f", i + 1,
			    result_boot_label(result, boot), commit ? commit : "-", summary->n,
			    decimals, summary->location[SUMMARY_MEAN]);
		if (isfinite(summary->sd))
			text_printf(text, " %9.*f\n", decimals, summary->sd);
		else
			text_append(text, "         -\n");
	}
}

static void append_sandwich(const struct result *result, struct text_buffer *text)
{
	const struct sandwich_figures *variants = result->estimates.sandwich.variants;
	const struct interval *interval = &result->estimates.interval;
	char pct[RENDER_PCT_SIZE];
	char range[RENDER_RANGE_SIZE];

	text_append(text, "\n");
	item(text, "delta", render_pct(variants[SUMMARY_MEAN].delta_pct, pct));
	if (interval->is_deterministic)
		item(text, "interval", "exact: boots of one kernel agree exactly");
	else if (interval->has_bounds) {
		item(text, "95 % interval", render_range(&interval->ci95, range));
		item(text, "99 % interval", render_range(&interval->ci99, range));
	}
	item(text, "drift", render_pct(variants[SUMMARY_MEAN].drift_pct, pct));
	if (variants[SUMMARY_DROP_FIRST].is_present)
		item(text, "drop-first", render_pct(variants[SUMMARY_DROP_FIRST].delta_pct, pct));
	for (size_t i = 0; i < result->estimates.n_phases; i++) {
		const struct result_phase_figures *phase = &result->estimates.phases[i];
		_cleanup_free_ char *words =
			text_format("%.*f to %.*f, %s", render_decimals(result), phase->midpoint,
				    render_decimals(result), phase->child,
				    render_pct(phase->delta_pct, pct));

		item(text, phase->name, words);
	}
}

/* Said whatever they found: leaving out what did not change would mislead. */
static void append_workloads(const struct result *result, struct text_buffer *text)
{
	if (!result->n_further)
		return;
	text_append(text, "\nOther workloads, measured in the same boots:\n");
	for (size_t i = 0; i < result->n_further; i++) {
		_cleanup_free_ char *answer = render_workload_answer(&result->further[i]);

		item(text, result->further[i].bench, answer);
	}
}

static void append_designs(const struct result *result, struct text_buffer *text)
{
	const struct result_estimates *estimates = &result->estimates;
	char pct[RENDER_PCT_SIZE];
	char range[RENDER_RANGE_SIZE];

	text_append(text, "\n");
	for (size_t i = 1; estimates->has_sweep && i < estimates->sweep.n_kernels; i++) {
		const struct sweep_contrast *contrast = &estimates->sweep.kernels[i].against_first;
		_cleanup_free_ char *words =
			text_format("%s against %s%s%s", render_pct(contrast->estimate_pct, pct),
				    result->points[0].name,
				    estimates->sweep.has_bounds ? ", 99 % interval " : "",
				    estimates->sweep.has_bounds ? render_range(&contrast->ci99, range)
								: "");

		item(text, result->points[i].name, words);
	}
	for (size_t i = 2; estimates->has_ladder && i < estimates->ladder.n_rungs; i++)
		item(text, result->points[i].name,
		     render_pct(estimates->ladder.rungs[i].share_pct, pct));
	if (estimates->has_ladder)
		item(text, "residual", render_pct(estimates->ladder.residual_pct, pct));
}

static void append_measurement(const struct result *result, struct text_buffer *text)
{
	_cleanup_free_ char *design = result->order ? render_design(result) : NULL;
	_cleanup_free_ char *what = NULL;

	text_append(text, "\nMeasured:\n");
	if (result->workload)
		what = text_format("%s, %s in %s, %lld processes a boot after %lld warm-ups",
				   result->workload, result->metric ? result->metric : "value",
				   result->unit ? result->unit : "its own unit",
				   (long long)result->processes, (long long)result->warmups);
	if (what)
		item(text, "what", what);
	if (design)
		item(text, "design", design);
	for (size_t i = 0; i < result->measured_on.n; i++)
		item(text, result->measured_on.items[i].name, result->measured_on.items[i].value);
	if (!result->held_equal.n && !result->is_config_compared)
		return;
	text_append(text, "\nHeld equal on every boot:\n");
	if (result->is_config_compared)
		item(text, "kernel config", result->is_config_equal ? "equal after normalisation"
								    : "differs, as the job allows");
	for (size_t i = 0; i < result->held_equal.n; i++)
		item(text, result->held_equal.items[i].name, result->held_equal.items[i].value);
}

static void append_scope(const struct result *result, struct text_buffer *text)
{
	text_append(text, "\n");
	fill(text, "Scope: one machine and one benchmark; other machines and real workloads were not measured.");
	if (result->estimates.is_present && fabs(render_delta_pct(result)) < MICRO_PCT)
		fill(text, "A change of this size in a microbenchmark alone is not likely to be handled as a regression by the kernel's own rules.");
	for (size_t i = 0; i < result->warnings.n; i++)
		fill(text, result->warnings.items[i]);
}

static void append_reproduction(const struct result *result, struct text_buffer *text)
{
	const struct result_point *parent = &result->points[0];
	const struct result_point *child = &result->points[result->n_points > 1];

	if (!result->estimates.is_present || !result->workload || !parent->commit || !child->commit)
		return;
	/* Patches come from files that the reader has not. */
	if (parent->changes.n || child->changes.n)
		return;
	text_append(text, "\nTo reproduce, in a clone of the tree:\n");
	text_printf(text, "  abbot queue --exactly %.40s \\\n", result->order);
	for (size_t i = 0; i <= result->n_further; i++) {
		const struct result *bench = result_bench(result, i);

		text_printf(text, "    --workload %s", bench->workload);
		if (result->n_further)
			text_printf(text, " --metric %s \\\n", bench->metric);
	}
	text_printf(text, "%s--processes %lld \\\n    %.*s %.*s\n",
		    result->n_further ? "    " : " ", (long long)result->processes, SHORT_ID,
		    parent->commit, SHORT_ID, child->commit);
}

void render_mail_body(const struct result *result, struct text_buffer *text)
{
	const struct result_point *child = &result->points[result->n_points > 1];

	append_answer(result, text);
	append_table(result, text);
	if (result->estimates.is_present)
		append_sandwich(result, text);
	else
		append_designs(result, text);
	append_workloads(result, text);
	append_measurement(result, text);
	append_scope(result, text);
	append_reproduction(result, text);
	if (render_mail_is_regression(result) && child->commit)
		text_printf(text, "\n#regzbot introduced: %s\n", child->commit);
}
