// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Headline and table of a sweep and of a ladder.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render_internal.h"

#define NAME_COLUMNS_MAX 20

bool render_has_estimates(const struct result *result)
{
	const struct result_estimates *estimates = &result->estimates;

	return estimates->is_present || estimates->has_sweep || estimates->has_ladder;
}

static char *sweep_interval(const struct sweep *sweep)
{
	char range[RENDER_RANGE_SIZE];

	if (!sweep->has_bounds)
		return text_duplicate("too few boots for an interval");
	if (sweep->is_deterministic)
		return text_duplicate("deterministic: boots of one kernel agree exactly");
	return text_format("99 %% interval %s", render_range(&sweep->window_contrast.ci99, range));
}

char *render_headline_sweep(const struct result *result)
{
	const struct sweep *sweep = &result->estimates.sweep;
	const struct sweep_contrast *window = &sweep->window_contrast;
	_cleanup_free_ char *interval = sweep_interval(sweep);
	const char *what = result->is_counted ? "instructions" : result->unit;

	return text_format("SWEEP: of %zu kernels the clearest step is from %s to %s, which takes %.2f %% %s%s%s (%s).",
			   sweep->n_kernels, result->points[sweep->window].name,
			   result->points[sweep->window + 1].name, fabs(window->estimate_pct),
			   render_more_word(result, window->estimate_pct), what ? " " : "",
			   what ? what : "", interval);
}

char *render_headline_ladder(const struct result *result)
{
	const struct ladder *ladder = &result->estimates.ladder;
	struct text_buffer text = { 0 };
	char pct[RENDER_PCT_SIZE];

	text_printf(&text, "LADDER: of the %s between %s and %s the probes recover ",
		    render_pct(ladder->original_pct, pct), result->points[0].name,
		    result->points[1].name);
	text_printf(&text, "%s (", render_pct(ladder->combined_pct, pct) +
		    (ladder->combined_pct > 0));
	for (size_t i = 2; i < ladder->n_rungs; i++)
		text_printf(&text, "%s%s %s", i > 2 ? ", " : "", result->points[i].name,
			    render_pct(ladder->rungs[i].share_pct, pct));
	text_printf(&text, "); %s remain.", render_pct(ladder->residual_pct, pct) +
		    (ladder->residual_pct > 0));
	return text_buffer_take(&text);
}

static int name_columns(const struct result *result)
{
	size_t columns = 6;

	for (size_t i = 0; i < result->n_points; i++)
		columns = strlen(result->points[i].name) > columns ? strlen(result->points[i].name)
								   : columns;
	return (int)(columns < NAME_COLUMNS_MAX ? columns : NAME_COLUMNS_MAX);
}

static void write_sweep_row(const struct result *result, size_t index, int columns,
			    struct text_buffer *text)
{
	const struct sweep *sweep = &result->estimates.sweep;
	const struct sweep_kernel *kernel = &sweep->kernels[index];
	char pct[RENDER_PCT_SIZE];
	char range[RENDER_RANGE_SIZE];

	text_printf(text, "  %c %-*.*s %5zu %10.*f", result_order_letter(index), columns, columns,
		    result->points[index].name, kernel->n_boots, render_decimals(result),
		    kernel->mean);
	if (!index) {
		text_append(text, "\n");
		return;
	}
	text_printf(text, " %11s", render_pct(kernel->against_first.estimate_pct, pct));
	if (!sweep->has_bounds)
		text_append(text, "   -");
	else if (sweep->is_deterministic)
		text_append(text, "   exact");
	else
		text_printf(text, "   %s", render_range(&kernel->against_first.ci99, range));
	text_append(text, "\n");
}

static void write_sweep(const struct result *result, struct text_buffer *text)
{
	const struct sweep *sweep = &result->estimates.sweep;
	int columns = name_columns(result);
	char pct[RENDER_PCT_SIZE];

	text_printf(text, "\n    %-*s %5s %10s %11s   %s\n", columns, "kernel", "boots", "mean",
		    "against A", "99 % interval");
	for (size_t i = 0; i < sweep->n_kernels; i++)
		write_sweep_row(result, i, columns, text);
	text_printf(text, "\n  %-11s %10s   from %s to %s\n", "window",
		    render_pct(sweep->window_contrast.estimate_pct, pct),
		    result->points[sweep->window].name, result->points[sweep->window + 1].name);
	if (!sweep->has_bounds)
		return;
	text_printf(text, "  %-11s %9.2f %%   %g degree%s of freedom%s\n", "boot SD", sweep->s,
		    sweep->df, sweep->df > 1 ? "s" : "", sweep->is_history_used ? " with history" : "");
	if (sweep->has_slope)
		text_printf(text, "  %-11s %10s   a boot, fitted with the differences\n", "slope",
			    render_pct(sweep->slope, pct));
}

static void write_rung(const struct result *result, size_t index, int columns,
		       struct text_buffer *text)
{
	const struct ladder_rung *rung = &result->estimates.ladder.rungs[index];
	char pct[RENDER_PCT_SIZE];

	text_printf(text, "  %-*.*s %10.*f", columns, columns, result->points[index].name,
		    render_decimals(result), rung->mean);
	text_printf(text, " %12s", rung->is_single ? "single boot"
						   : render_pct(rung->drift_pct, pct));
	text_printf(text, " %11s", render_pct(rung->recovered_pct, pct));
	if (isfinite(rung->share_pct))
		text_printf(text, " %11s", render_pct(rung->share_pct, pct));
	text_append(text, "\n");
}

static void write_ladder(const struct result *result, struct text_buffer *text)
{
	const struct ladder *ladder = &result->estimates.ladder;
	int columns = name_columns(result);
	char pct[RENDER_PCT_SIZE];

	text_printf(text, "\n  %-*s %10s %12s %11s %11s\n", columns, "rung", "mean", "drift",
		    "recovered", "share");
	for (size_t i = 0; i < ladder->n_rungs; i++)
		write_rung(result, i, columns, text);
	text_printf(text, "\n  %-11s %10s   child against parent\n", "original",
		    render_pct(ladder->original_pct, pct));
	text_printf(text, "  %-11s %10s   of it recovered by all probes together\n", "combined",
		    render_pct(ladder->combined_pct, pct));
	text_printf(text, "  %-11s %10s   of it not attributed to any probe\n", "residual",
		    render_pct(ladder->residual_pct, pct));
}

void render_text_designs(const struct result *result, struct text_buffer *text)
{
	if (result->estimates.has_sweep)
		write_sweep(result, text);
	if (result->estimates.has_ladder)
		write_ladder(result, text);
}
