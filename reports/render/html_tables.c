// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of the HTML report.
 */
#include <math.h>
#include <string.h>

#include "reports/render/html_internal.h"

/* @kind: the table's class in the style sheet. */
static void begin(struct text_buffer *text, const char *title, const char *kind,
		  const char *const *columns)
{
	text_printf(text, "<section><h2>%s</h2><div class=\"wide\"><table class=\"%s\"><tr>", title,
		    kind);
	for (size_t i = 0; columns[i]; i++)
		text_printf(text, "<th>%s</th>", columns[i]);
	text_append(text, "</tr>\n");
}

static void end(struct text_buffer *text)
{
	text_append(text, "</table></div></section>\n");
}

static void number(struct text_buffer *text, int decimals, double value)
{
	if (isfinite(value))
		text_printf(text, "<td>%.*f</td>", decimals, value);
	else
		text_append(text, "<td>&ndash;</td>");
}

static void percent(struct text_buffer *text, double pct)
{
	char buffer[RENDER_PCT_SIZE];

	text_printf(text, "<td>%s</td>", isfinite(pct) ? render_pct(pct, buffer) : "&ndash;");
}

static void range(struct text_buffer *text, bool has_bounds, const struct interval_bounds *bounds)
{
	char buffer[RENDER_RANGE_SIZE];

	text_printf(text, "<td>%s</td>", has_bounds ? render_range(bounds, buffer) : "&ndash;");
}

static void name(struct text_buffer *text, size_t point, const char *words)
{
	text_printf(text, "<td><span class=\"dot k%zu\"></span>", point % HTML_COLOURS);
	html_append(text, words);
	text_append(text, "</td>");
}

static void append_boots(struct text_buffer *text, const struct result *result)
{
	static const char *const columns[] = { "boot", "n", "mean", "SD", "CV %", "min", "max", NULL };
	int decimals = render_decimals(result);

	begin(text, "Boots", "boots", columns);
	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];
		struct summary summary;

		text_printf(text, "<tr><td><span class=\"n\">%zu</span><span class=\"dot k%zu\"></span>", i + 1,
			    boot->point % HTML_COLOURS);
		html_append(text, result_boot_label(result, boot));
		text_printf(text, "</td><td>%zu</td>", boot->n_values);
		if (summary_make(boot->values, boot->n_values, &summary, NULL) < 0) {
			text_printf(text, "<td colspan=\"5\">%s</td></tr>\n",
				    boot->unexpected ? "unexpected" : "not measured");
			continue;
		}
		number(text, decimals, summary.location[SUMMARY_MEAN]);
		number(text, decimals, summary.sd);
		number(text, 2, summary.cv_pct);
		number(text, decimals, summary.minimum);
		number(text, decimals, summary.maximum);
		text_append(text, "</tr>\n");
	}
	end(text);
}

static void append_variants(struct text_buffer *text, const struct result *result)
{
	static const char *const columns[] = { "figure", "delta", "midpoint", "child", "drift", NULL };
	static const char *const names[SUMMARY_VARIANT_COUNT] = {
		[SUMMARY_MEAN] = "mean",
		[SUMMARY_DROP_FIRST] = "drop-first",
		[SUMMARY_MEDIAN] = "median",
		[SUMMARY_TRIMMED] = "trimmed",
	};
	int decimals = render_decimals(result);

	begin(text, "Does it depend on how a boot becomes a number?", "variants", columns);
	for (size_t i = 0; i < SUMMARY_VARIANT_COUNT; i++) {
		const struct sandwich_figures *figures = &result->estimates.sandwich.variants[i];

		if (!figures->is_present)
			continue;
		text_printf(text, "<tr><td>%s</td>", names[i]);
		percent(text, figures->delta_pct);
		number(text, decimals, figures->midpoint);
		number(text, decimals, figures->child);
		percent(text, figures->drift_pct);
		text_append(text, "</tr>\n");
	}
	end(text);
}

static void append_phases(struct text_buffer *text, const struct result *result)
{
	static const char *const columns[] = { "phase", "parent", "child", "delta", NULL };
	const struct result_estimates *estimates = &result->estimates;
	int decimals = render_decimals(result);

	if (!estimates->n_phases)
		return;
	begin(text, "Phases", "phases", columns);
	for (size_t i = 0; i < estimates->n_phases; i++) {
		text_append(text, "<tr><td>");
		html_append(text, estimates->phases[i].name);
		text_append(text, "</td>");
		number(text, decimals, estimates->phases[i].midpoint);
		number(text, decimals, estimates->phases[i].child);
		percent(text, estimates->phases[i].delta_pct);
		text_append(text, "</tr>\n");
	}
	end(text);
}

static void append_sweep(struct text_buffer *text, const struct result *result)
{
	static const char *const columns[] = { "kernel", "boots", "mean", "against the first",
					       "95 % interval", "99 % interval", NULL };
	const struct sweep *sweep = &result->estimates.sweep;

	begin(text, "Kernels", "kernels", columns);
	for (size_t i = 0; i < sweep->n_kernels; i++) {
		const struct sweep_kernel *kernel = &sweep->kernels[i];

		text_append(text, "<tr>");
		name(text, i, result->points[i].name);
		text_printf(text, "<td>%zu</td>", kernel->n_boots);
		number(text, render_decimals(result), kernel->mean);
		percent(text, i ? kernel->against_first.estimate_pct : (double)NAN);
		range(text, i && sweep->has_bounds, &kernel->against_first.ci95);
		range(text, i && sweep->has_bounds, &kernel->against_first.ci99);
		text_append(text, "</tr>\n");
	}
	end(text);
}

static void append_ladder(struct text_buffer *text, const struct result *result)
{
	static const char *const columns[] = { "rung", "mean", "drift", "recovered", "share", NULL };
	const struct ladder *ladder = &result->estimates.ladder;

	begin(text, "Where it comes from", "rungs", columns);
	for (size_t i = 0; i < ladder->n_rungs; i++) {
		const struct ladder_rung *rung = &ladder->rungs[i];

		text_append(text, "<tr>");
		name(text, i, result->points[i].name);
		number(text, render_decimals(result), rung->mean);
		if (rung->is_single)
			text_append(text, "<td>single boot</td>");
		else
			percent(text, rung->drift_pct);
		percent(text, rung->recovered_pct);
		percent(text, rung->share_pct);
		text_append(text, "</tr>\n");
	}
	end(text);
}

void html_append_tables(struct text_buffer *text, const struct result *result)
{
	if (result->estimates.has_sweep)
		append_sweep(text, result);
	if (result->estimates.has_ladder)
		append_ladder(text, result);
	if (result->n_boots)
		append_boots(text, result);
	if (!result->estimates.is_present)
		return;
	append_variants(text, result);
	append_phases(text, result);
}
