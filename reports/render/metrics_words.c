// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rows of a comparison as a table and as JSON.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/metrics.h"
#include "reports/render/render_internal.h"

#define NAME_COLUMNS 13
#define VALUE_DIGITS 4
#define CELL_SIZE 48

static const struct interval_bounds *bounds_of(const struct metrics *metrics,
					       const struct metrics_row *row)
{
	return metrics->level_pct == 95 ? &row->interval.ci95 : &row->interval.ci99;
}

/* As many decimals as show a thousandth of it, six at most. */
static void say_value(double value, char cell[CELL_SIZE])
{
	int digits = value > 0 ? (int)floor(log10(value)) + 1 : 1;
	int decimals = VALUE_DIGITS - digits;

	decimals = decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
	(void)snprintf(cell, CELL_SIZE, "%.*f", decimals, value);
}

/* "0.12%", "12.3%", "123%", "-": five columns as a rule. */
static void say_spread(double sd_pct, char cell[CELL_SIZE])
{
	if (!isfinite(sd_pct))
		(void)snprintf(cell, CELL_SIZE, "-");
	else
		(void)snprintf(cell, CELL_SIZE, "%.*f%%", sd_pct < 9.995 ? 2 : sd_pct < 99.95 ? 1 : 0, sd_pct);
}

static void say_interval(const struct metrics *metrics, const struct metrics_row *row,
			 char cell[CELL_SIZE])
{
	const struct interval_bounds *bounds = bounds_of(metrics, row);

	if (!row->interval.has_bounds)
		(void)snprintf(cell, CELL_SIZE, "-");
	else if (row->interval.is_deterministic)
		(void)snprintf(cell, CELL_SIZE, "exact");
	else
		(void)snprintf(cell, CELL_SIZE, "%+.2f to %+.2f", bounds->low_pct, bounds->high_pct);
}

/* benchstat's "~": nothing that the interval could tell from none. */
static void say_delta(const struct metrics *metrics, const struct metrics_row *row,
		      char cell[RENDER_PCT_SIZE])
{
	const struct interval_bounds *bounds = bounds_of(metrics, row);
	bool is_clear = row->interval.has_bounds && (bounds->low_pct > 0 || bounds->high_pct < 0);

	if (is_clear || !row->interval.has_bounds)
		(void)render_pct(row->interval.estimate_pct, cell);
	else
		(void)snprintf(cell, RENDER_PCT_SIZE, "~");
}

static void write_row(const struct metrics *metrics, const struct metrics_row *row,
		      struct text_buffer *text)
{
	char old[CELL_SIZE], old_sd[CELL_SIZE], new[CELL_SIZE], new_sd[CELL_SIZE];
	char interval[CELL_SIZE], count[CELL_SIZE], delta[RENDER_PCT_SIZE];
	_cleanup_free_ char *name = render_clean(row->name, false);

	say_value(row->old_mean, old);
	say_value(row->new_mean, new);
	say_spread(row->old_sd_pct, old_sd);
	say_spread(row->new_sd_pct, new_sd);
	say_delta(metrics, row, delta);
	say_interval(metrics, row, interval);
	(void)snprintf(count, sizeof(count), "%zu+%zu", row->n_old, row->n_new);
	text_printf(text, "%-*.*s %8s \u00b1%6s %8s \u00b1%6s %9s %17s %4s\n", NAME_COLUMNS, NAME_COLUMNS,
		    name, old, old_sd, new, new_sd, delta, interval, count);
}

/* "toggle, ns/page", where several share the table. */
static void write_heading(const struct metrics_row *row, struct text_buffer *text)
{
	_cleanup_free_ char *workload = render_clean(row->workload, false);

	text_printf(text, "%s%s%s\n", workload, row->unit ? ", " : "", row->unit ? row->unit : "");
}

void metrics_write_text(const struct metrics *metrics, struct text_buffer *text)
{
	_cleanup_free_ char *interval = text_format("%d %% interval", metrics->level_pct);

	text_printf(text, "%-*s %8.8s %7s %8.8s %7s %9s %17s %4s\n", NAME_COLUMNS, "metric",
		    metrics->old_name ? metrics->old_name : "old", "SD",
		    metrics->new_name ? metrics->new_name : "new", "SD", "delta", interval, "n");
	for (size_t i = 0; i < metrics->n_rows; i++) {
		if (metrics->has_several && metrics->rows[i].is_headline)
			write_heading(&metrics->rows[i], text);
		write_row(metrics, &metrics->rows[i], text);
	}
}

static json_t *bounds_json(const struct metrics_row *row, const struct interval_bounds *bounds)
{
	json_t *json;

	if (!row->interval.has_bounds)
		return json_null();
	json = json_object();
	render_json_set(json, "low_pct", render_json_number(bounds->low_pct));
	render_json_set(json, "high_pct", render_json_number(bounds->high_pct));
	return json;
}

static json_t *row_json(const struct metrics_row *row)
{
	json_t *json = json_object();

	render_json_set(json, "workload", render_json_text(row->workload));
	render_json_set(json, "metric", render_json_text(row->name));
	render_json_set(json, "unit", render_json_text(row->unit));
	render_json_set(json, "is_headline", json_boolean(row->is_headline));
	render_json_set(json, "old_mean", render_json_number(row->old_mean));
	render_json_set(json, "new_mean", render_json_number(row->new_mean));
	render_json_set(json, "old_sd_pct", render_json_number(row->old_sd_pct));
	render_json_set(json, "new_sd_pct", render_json_number(row->new_sd_pct));
	render_json_set(json, "old_boots", json_integer((json_int_t)row->n_old));
	render_json_set(json, "new_boots", json_integer((json_int_t)row->n_new));
	render_json_set(json, "estimate_pct", render_json_number(row->interval.estimate_pct));
	render_json_set(json, "degrees_of_freedom", render_json_number(row->interval.df));
	render_json_set(json, "is_deterministic", json_boolean(row->interval.is_deterministic));
	render_json_set(json, "interval_95", bounds_json(row, &row->interval.ci95));
	render_json_set(json, "interval_99", bounds_json(row, &row->interval.ci99));
	render_json_set(json, "verdict", row->is_headline
						 ? render_json_text(verdict_word(row->verdict))
						 : json_null());
	return json;
}

json_t *metrics_json(const struct metrics *metrics)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < metrics->n_rows; i++)
		render_json_append(rows, row_json(&metrics->rows[i]));
	return rows;
}
