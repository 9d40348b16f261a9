// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text report's first screen: the answer, the table of boots, the figures and the
 * phases. What they rest on follows in render_text_facts.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render_internal.h"

#define SHORT_ID 12
#define LABEL_MAX 22
#define LABEL_MAX_WITH_COMMIT 10
#define PHASE_BOOTS_MAX 5

static const char *unit_of(const struct result *result)
{
	return result->unit ? result->unit : "units";
}

static void write_commits(const struct result *result, struct text_buffer *text)
{
	size_t width = 0;

	for (size_t i = 0; i < result->n_points; i++)
		width = strlen(result->points[i].name) > width ? strlen(result->points[i].name)
							       : width;
	/* The child first: the reader looks for the commit that is blamed. */
	for (size_t i = result->n_points; i > 0; i--) {
		const struct result_point *point = &result->points[i - 1];
		_cleanup_free_ char *title = render_clean(point->title ? point->title : "", false);
		_cleanup_free_ char *lead = NULL;
		const char *id = point->commit ? point->commit : point->revision;

		if (!id)
			continue;
		lead = text_format("  %-*s  %.*s%s", (int)width, point->name,
				   point->commit ? SHORT_ID : 40, id, title[0] ? " " : "");
		render_wrap(text, lead, width + 4, title);
		for (size_t k = 0; k < point->changes.n; k++) {
			_cleanup_free_ char *indent = text_format("  %-*s  + ", (int)width, "");
			_cleanup_free_ char *change = render_clean(point->changes.items[k], false);

			render_wrap(text, indent, width + 6, change);
		}
	}
}

static bool has_commits(const struct result *result)
{
	for (size_t i = 0; i < result->n_points; i++) {
		if (result->points[i].commit)
			return true;
	}
	return false;
}

/* Columns of the table of boots. */
struct columns {
	int label;
	bool has_commit;
	int decimals;
};

static void write_cell(struct text_buffer *text, int width, int decimals, double value)
{
	if (isfinite(value))
		text_printf(text, " %*.*f", width, decimals, value);
	else
		text_printf(text, " %*s", width, "-");
}

static bool is_over(const struct result *result)
{
	return result->status != RESULT_QUEUED && result->status != RESULT_RUNNING &&
	       result->status != RESULT_PAUSED;
}

static void write_boot_row(const struct result *result, size_t index,
			   const struct columns *columns, struct text_buffer *text)
{
	const struct result_boot *boot = &result->boots[index];
	const struct result_point *point = &result->points[boot->point];
	const char *label = result_boot_label(result, boot);
	struct summary summary;

	text_printf(text, "%4zu %-*.*s", index + 1, columns->label, columns->label, label);
	if (columns->has_commit)
		text_printf(text, " %-*.*s", SHORT_ID, SHORT_ID, point->commit ? point->commit : "-");
	text_printf(text, " %4zu", boot->n_values);
	if (summary_make(boot->values, boot->n_values, &summary, NULL) < 0) {
		text_printf(text, " %9s\n", boot->unexpected ? "unexpected"
					    : is_over(result) ? "none" : "not yet");
		return;
	}
	write_cell(text, 9, columns->decimals, summary.location[SUMMARY_MEAN]);
	write_cell(text, 8, columns->decimals, summary.sd);
	write_cell(text, 6, 2, summary.cv_pct);
	write_cell(text, 9, columns->decimals, summary.minimum);
	write_cell(text, 9, columns->decimals, summary.maximum);
	text_append(text, "\n");
}

static void write_boots(const struct result *result, struct text_buffer *text)
{
	struct columns columns = {
		.has_commit = has_commits(result),
		.decimals = render_decimals(result),
		.label = 6,
	};
	int label_max = columns.has_commit ? LABEL_MAX_WITH_COMMIT : LABEL_MAX;

	if (!result->n_boots)
		return;
	for (size_t i = 0; i < result->n_boots; i++) {
		int width = (int)strlen(result_boot_label(result, &result->boots[i]));

		if (width > columns.label)
			columns.label = width < label_max ? width : label_max;
	}
	text_printf(text, "\nboot %-*s", columns.label, "point");
	if (columns.has_commit)
		text_printf(text, " %-*s", SHORT_ID, "commit");
	text_printf(text, " %4s %9s %8s %6s %9s %9s\n", "n", "mean", "SD", "CV %", "min", "max");
	for (size_t i = 0; i < result->n_boots; i++)
		write_boot_row(result, i, &columns, text);
}

/* Lines such as "  drop-first    +39.53 %     midpoint 38.393, drift +0.93 %". */
static void write_variant(const struct result *result, enum summary_variant variant,
			  const char *name, struct text_buffer *text)
{
	const struct sandwich_figures *figures = &result->estimates.sandwich.variants[variant];
	char delta[RENDER_PCT_SIZE];
	char drift[RENDER_PCT_SIZE];

	if (!figures->is_present)
		return;
	text_printf(text, "  %-11s %10s   midpoint %.*f, drift %s\n", name,
		    render_pct(figures->delta_pct, delta), render_decimals(result),
		    figures->midpoint, render_pct(figures->drift_pct, drift));
}

static void write_interval(const struct result *result, struct text_buffer *text)
{
	const struct interval *interval = &result->estimates.interval;
	char range[RENDER_RANGE_SIZE];
	char pct[RENDER_PCT_SIZE];

	if (!interval->has_bounds) {
		text_printf(text, "  %-11s %10s   too few boots\n", "interval", "-");
		return;
	}
	text_printf(text, "  %-11s %10s   ", "estimate",
		    render_pct(interval->estimate_pct, pct));
	if (interval->is_deterministic) {
		text_append(text, "deterministic: boots of one kernel agree exactly\n");
		return;
	}
	text_printf(text, "95 %% interval %s\n", render_range(&interval->ci95, range));
	text_printf(text, "  %-11s %10s   99 %% interval %s\n", "", "",
		    render_range(&interval->ci99, range));
	text_printf(text, "  %-11s %10s   %s %.2f %%, %g degree%s of freedom%s\n", "", "",
		    interval->is_history_used ? "boot SD" : "SD between boots", interval->s,
		    interval->df, interval->df > 1 ? "s" : "",
		    interval->is_history_used ? " with history" : "");
	if (interval->has_slope)
		text_printf(text, "  %-11s %10s   a boot, fitted with the estimate\n", "slope",
			    render_pct(interval->slope, pct));
}

static void write_figures(const struct result *result, struct text_buffer *text)
{
	const struct sandwich *sandwich = &result->estimates.sandwich;
	const struct sandwich_figures *mean = &sandwich->variants[SUMMARY_MEAN];
	char pct[RENDER_PCT_SIZE];

	if (!result->estimates.is_present)
		return;
	text_printf(text, "\n  %-11s %10.*f   %s, the parent boots around %s\n", "midpoint",
		    render_decimals(result), mean->midpoint, unit_of(result),
		    sandwich->n_children > 1 ? "each child boot" : "the child");
	text_printf(text, "  %-11s %10s   child against the midpoint\n", "delta",
		    render_pct(mean->delta_pct, pct));
	write_interval(result, text);
	text_printf(text, "  %-11s %10s   first parent boot to the last", "drift",
		    render_pct(mean->drift_pct, pct));
	if (sandwich->n_children > 1)
		text_printf(text, "; worst step %s", render_pct(mean->worst_step_pct, pct));
	text_append(text, "\n");
	write_variant(result, SUMMARY_DROP_FIRST, "drop-first", text);
	write_variant(result, SUMMARY_MEDIAN, "median", text);
	write_variant(result, SUMMARY_TRIMMED, "trimmed", text);
}

static double phase_in(const struct result_boot *boot, const char *name)
{
	for (size_t i = 0; i < boot->n_phases; i++) {
		if (strcmp(boot->phases[i].name, name) == 0)
			return boot->phases[i].mean;
	}
	return (double)NAN;
}

/* Few boots: a column each. Many: what the sandwich makes of them. */
static void write_phases(const struct result *result, struct text_buffer *text)
{
	const struct result_estimates *estimates = &result->estimates;
	bool has_boots = result->n_boots <= PHASE_BOOTS_MAX;
	int decimals = render_decimals(result);
	char pct[RENDER_PCT_SIZE];

	if (!estimates->is_present || !estimates->n_phases)
		return;
	text_printf(text, "\n  %-11s", "phase");
	if (has_boots) {
		for (size_t i = 0; i < result->n_boots; i++)
			text_printf(text, " %10.10s",
				    result_boot_label(result, &result->boots[i]));
	} else {
		text_printf(text, " %10s %10s", "midpoint", "child");
	}
	text_printf(text, " %11s\n", "delta");
	for (size_t i = 0; i < estimates->n_phases; i++) {
		const struct result_phase_figures *phase = &estimates->phases[i];

		text_printf(text, "  %-11.11s", phase->name);
		if (has_boots) {
			for (size_t j = 0; j < result->n_boots; j++)
				write_cell(text, 10, decimals,
					   phase_in(&result->boots[j], phase->name));
		} else {
			write_cell(text, 10, decimals, phase->midpoint);
			write_cell(text, 10, decimals, phase->child);
		}
		text_printf(text, " %11s\n", render_pct(phase->delta_pct, pct));
	}
}

/* The other workloads, each with a heading; boots and settings are the same. */
static void write_further(const struct result *result, struct text_buffer *text)
{
	for (size_t i = 0; i < result->n_further; i++) {
		const struct result *further = &result->further[i];
		_cleanup_free_ char *what = render_workload(further);
		_cleanup_free_ char *headline = render_headline(further);

		text_append(text, "\n");
		render_wrap(text, "Workload ", 9, what);
		if (render_has_estimates(further))
			render_wrap(text, "", 0, headline);
		write_boots(further, text);
		write_figures(further, text);
		write_phases(further, text);
		render_text_designs(further, text);
	}
}

void render_text(const struct result *result, struct text_buffer *text)
{
	_cleanup_free_ char *headline = render_headline(result);

	if (render_emulation(result))
		render_wrap(text, "", 0, render_emulation(result));
	render_wrap(text, "", 0, headline);
	write_commits(result, text);
	render_text_workloads(result, text);
	if (result->n_further) {
		_cleanup_free_ char *what = render_workload(result);

		text_append(text, "\n");
		render_wrap(text, "Workload ", 9, what);
	}
	write_boots(result, text);
	/* A failed gate leaves numbers, but none that may be compared. */
	write_figures(result, text);
	write_phases(result, text);
	render_text_designs(result, text);
	write_further(result, text);
	render_text_bisection(result, text);
	if (result->status == RESULT_INVALID && result->n_boots &&
	    !result_is_partly_invalid(result))
		text_append(text, "\nNo delta is given: these boots may not be compared.\n");
	render_text_facts(result, text);
}
