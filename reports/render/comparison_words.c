// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A comparison of two kernels as text and as JSON.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/comparison.h"
#include "reports/render/render_internal.h"

static char *name_of(const struct metrics_side *side)
{
	return text_format("%lld:%s", (long long)side->result->job_id,
			   side->result->points[side->point].name);
}

static char *headline(const struct comparison *comparison)
{
	const struct metrics_row *row = &comparison->metrics.rows[0];
	_cleanup_free_ char *old = name_of(comparison->old), *new = name_of(comparison->new);
	int level = row->verdict == VERDICT_NO_CHANGE ? 95 : comparison->metrics.level_pct;
	const struct interval_bounds *bounds = level == 95 ? &row->interval.ci95 : &row->interval.ci99;
	const char *unit = comparison->old->result->is_counted ? "instructions" : row->unit ? row->unit : row->name;
	_cleanup_free_ char *interval = NULL;
	char pct[RENDER_PCT_SIZE], range[RENDER_RANGE_SIZE];

	if (!row->interval.has_bounds)
		interval = text_duplicate("too few boots for an interval");
	else if (row->interval.is_deterministic)
		interval = text_duplicate("deterministic: boots of one kernel agree exactly");
	else
		interval = text_format("%d %% interval %s", level, render_range(bounds, range));
	switch (row->verdict) {
	case VERDICT_REGRESSION:
	case VERDICT_IMPROVEMENT:
		return text_format("%s: %s takes %.2f %% %s %s%s%s than %s (%s).",
				   verdict_word(row->verdict), new, fabs(row->interval.estimate_pct),
				   row->interval.estimate_pct < 0 ? "less" : "more", unit,
				   comparison->metrics.has_several ? " in " : "",
				   comparison->metrics.has_several ? row->workload : "", old, interval);
	case VERDICT_NO_CHANGE:
		return text_format("%s: %s against %s is %s, inside the threshold of %g %% (%s).",
				   verdict_word(row->verdict), new, old,
				   render_pct(row->interval.estimate_pct, pct), comparison->old->result->threshold_pct,
				   interval);
	case VERDICT_INCONCLUSIVE:
		break;
	}
	return text_format("%s: %s against %s is %s (%s).", verdict_word(row->verdict), new, old,
			   render_pct(row->interval.estimate_pct, pct), interval);
}

static void write_point(struct text_buffer *text, const char *lead, const struct metrics_side *side)
{
	const struct result_point *point = &side->result->points[side->point];
	_cleanup_free_ char *name = name_of(side);
	_cleanup_free_ char *words = text_format("%s, %.12s %s", name, point->commit ? point->commit : "",
						 point->title ? point->title : "");
	_cleanup_free_ char *clean = render_clean(words, false);

	render_wrap(text, lead, strlen(lead), clean);
}

static void write_text(const struct comparison *comparison, struct text_buffer *text)
{
	_cleanup_free_ char *sentence = headline(comparison);
	const char *emulation = render_emulation(comparison->old->result);

	if (emulation)
		text_printf(text, "%s\n", emulation);
	render_wrap(text, "", 0, sentence);
	write_point(text, "  old  ", comparison->old);
	write_point(text, "  new  ", comparison->new);
	text_append(text, "\n");
	metrics_write_text(&comparison->metrics, text);
	text_append(text, "\nSD: between boots. n: boots, old and new. ~: the interval holds 0.\n");
	if (comparison->warnings.n)
		text_append(text, "\nWarnings\n");
	for (size_t i = 0; i < comparison->warnings.n; i++)
		render_wrap(text, "  - ", 4, comparison->warnings.items[i]);
}

static json_t *point_json(const struct metrics_side *side)
{
	const struct result_point *point = &side->result->points[side->point];
	json_t *json = json_object();

	render_json_set(json, "job", json_integer((json_int_t)side->result->job_id));
	render_json_set(json, "point", render_json_text(point->name));
	render_json_set(json, "commit", render_json_text(point->commit));
	render_json_set(json, "title", render_json_text(point->title));
	render_json_set(json, "release", render_json_text(point->release));
	render_json_set(json, "build_id", render_json_text(point->build_id));
	return json;
}

static void write_json(const struct comparison *comparison, struct text_buffer *text)
{
	_cleanup_json_ json_t *json = json_object();
	_cleanup_free_ char *sentence = headline(comparison);
	json_t *warnings = json_array();

	for (size_t i = 0; i < comparison->warnings.n; i++)
		render_json_append(warnings, render_json_text(comparison->warnings.items[i]));
	render_json_set(json, "schema", json_integer(COMPARISON_JSON_SCHEMA));
	render_json_set(json, "headline", render_json_text(sentence));
	render_json_set(json, "old", point_json(comparison->old));
	render_json_set(json, "new", point_json(comparison->new));
	render_json_set(json, "metrics", metrics_json(&comparison->metrics));
	render_json_set(json, "warnings", warnings);
	render_json_write(json, text);
}

int comparison_render(const struct comparison *comparison, const char *format, char **ret_text,
		      struct error *err)
{
	struct text_buffer text = { 0 };

	if (strcmp(format, "text") == 0)
		write_text(comparison, &text);
	else if (strcmp(format, "json") == 0)
		write_json(comparison, &text);
	else
		return error_set(err, -EINVAL, "a comparison is text or json, not \"%.40s\"", format);
	*ret_text = text_buffer_take(&text);
	return 0;
}
