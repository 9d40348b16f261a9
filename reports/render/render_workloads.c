// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several workloads of one job, side by side: a line each in text, in mail, in HTML and in
 * JSON. Each has a verdict of its own; the first is the headline's.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/html_internal.h"
#include "reports/render/metrics.h"

#define NAME_COLUMNS 20
#define CELL_SIZE 40
#define VALUE_COLUMNS 8

/* The interval that decides, in a few characters. */
static const char *interval_words(const struct result *result, char buffer[RENDER_RANGE_SIZE])
{
	const struct interval *interval = &result->estimates.interval;

	if (interval->is_deterministic)
		return "exact";
	if (!interval->has_bounds)
		return "-";
	return render_range(render_level_pct(result) == 95 ? &interval->ci95 : &interval->ci99,
			    buffer);
}

static const char *value_words(const struct result *result, double value, char buffer[CELL_SIZE])
{
	int decimals = render_decimals(result);
	int n;

	/* As many as the column has room for. */
	do {
		n = snprintf(buffer, CELL_SIZE, "%.*f", decimals, value);
	} while (n > VALUE_COLUMNS && decimals-- > 0);
	return buffer;
}

/* Of a sweep: its clearest step. NAN where there is no one figure. */
static double change_pct(const struct result *result)
{
	if (result->estimates.is_present)
		return render_delta_pct(result);
	if (result->estimates.has_sweep)
		return result->estimates.sweep.window_contrast.estimate_pct;
	return result->estimates.has_ladder ? result->estimates.ladder.original_pct : (double)NAN;
}

static void write_row(const struct result *result, struct text_buffer *text)
{
	const struct sandwich_figures *mean = &result->estimates.sandwich.variants[SUMMARY_MEAN];
	char midpoint[CELL_SIZE], child[CELL_SIZE], pct[RENDER_PCT_SIZE], range[RENDER_RANGE_SIZE];

	if (!result->estimates.is_present) {
		double change = change_pct(result);

		text_printf(text, "%-*.*s %8s %8s %9s %-18s %s\n", NAME_COLUMNS, NAME_COLUMNS,
			    result->bench, "-", "-", isfinite(change) ? render_pct(change, pct) : "-",
			    "-", render_verdict_word(result));
		return;
	}
	text_printf(text, "%-*.*s %8s %8s %9s %-18s %s\n", NAME_COLUMNS, NAME_COLUMNS,
		    result->bench, value_words(result, mean->midpoint, midpoint),
		    value_words(result, mean->child, child),
		    render_pct(render_delta_pct(result), pct), interval_words(result, range),
		    render_verdict_word(result));
}

/* Beside workloads that have a number: which has none, and why. Of the first the headline says it. */
static void write_invalid(const struct result *result, struct text_buffer *text)
{
	if (!result_is_partly_invalid(result))
		return;
	for (size_t i = 1; i <= result->n_further; i++) {
		const struct result *bench = result_bench(result, i);
		_cleanup_free_ char *lead = text_format("  %s has no number: ", bench->bench);
		_cleanup_free_ char *reason = NULL;

		if (bench->status != RESULT_INVALID)
			continue;
		reason = render_clean(bench->reason ? bench->reason : "no reason was given", false);
		render_wrap(text, lead, 4, reason);
	}
}

/* Of sandwiches: each workload's metrics, its own first. */
static void write_metrics(const struct result *result, struct text_buffer *text)
{
	_cleanup_metrics_ struct metrics metrics = {
		.has_several = true, .old_name = "parent", .new_name = "child",
	};

	for (size_t i = 0; i <= result->n_further; i++) {
		const struct result *bench = result_bench(result, i);
		const struct metrics_side parent = { .result = bench, .point = 0 };
		const struct metrics_side child = { .result = bench, .point = 1 };

		metrics.level_pct = bench->estimates.is_single_look ? 95 : 99;
		if (bench->estimates.is_present &&
		    metrics_add(&metrics, &parent, &child, &bench->history, NULL) < 0)
			return;
	}
	if (!metrics.n_rows)
		return;
	text_append(text, "\n");
	metrics_write_text(&metrics, text);
	text_append(text, "SD: between boots. n: boots of each. ~: the interval holds 0.\n");
}

void render_text_workloads(const struct result *result, struct text_buffer *text)
{
	if (!result->n_further)
		return;
	text_printf(text, "\n%-*s %8s %8s %9s %-18s %s\n", NAME_COLUMNS, "workload", "midpoint",
		    "child", "change", "interval", "verdict");
	for (size_t i = 0; i <= result->n_further; i++)
		write_row(result_bench(result, i), text);
	write_invalid(result, text);
	write_metrics(result, text);
}

char *render_workload(const struct result *result)
{
	bool has_name = result->bench && strcmp(result->bench, result->workload) != 0;

	return text_format("%s%s%s: %s in %s; %lld processes a boot after %lld warm-ups",
			   has_name ? result->bench : "", has_name ? ", " : "", result->workload, result->metric ? result->metric : "value",
			   result->unit ? result->unit : "its own unit",
			   (long long)result->processes, (long long)result->warmups);
}

/* "+3.20 % ns/page (99 % interval +1.00 to +5.00 %): REGRESSION" */
char *render_workload_answer(const struct result *result)
{
	char pct[RENDER_PCT_SIZE], range[RENDER_RANGE_SIZE];

	if (result->status == RESULT_INVALID)
		return render_headline(result);
	if (!result->estimates.is_present)
		return isfinite(change_pct(result))
			       ? text_format("%s: %s", render_pct(change_pct(result), pct),
					     render_verdict_word(result))
			       : text_duplicate(render_verdict_word(result));
	return text_format("%s %s (%d %% interval %s): %s",
			   render_pct(render_delta_pct(result), pct),
			   result->unit ? result->unit : "", render_level_pct(result),
			   interval_words(result, range), render_verdict_word(result));
}

void html_append_workloads(struct text_buffer *text, const struct result *result)
{
	if (!result->n_further)
		return;
	text_append(text, "<section><h2>Workloads of the same boots</h2><dl>\n");
	for (size_t i = 0; i <= result->n_further; i++) {
		_cleanup_free_ char *answer = render_workload_answer(result_bench(result, i));

		text_append(text, "<dt>");
		html_append(text, result_bench(result, i)->bench);
		text_append(text, "</dt><dd>");
		html_append(text, answer);
		text_append(text, "</dd>\n");
	}
	text_append(text, "</dl></section>\n");
}
