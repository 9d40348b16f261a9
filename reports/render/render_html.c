// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The HTML report: one file that loads nothing and runs nothing, readable on a phone, on
 * paper, light and dark. Its first screen answers; html_plot.c, html_distribution.c,
 * html_tables.c and html_facts.c follow.
 */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/html_internal.h"

#define SHORT_ID 12

static const char *verdict_class(const struct result *result)
{
	const char *word = render_verdict_word(result);

	if (strcmp(word, "REGRESSION") == 0 || strcmp(word, "FAILED") == 0)
		return " bad";
	if (strcmp(word, "IMPROVEMENT") == 0)
		return " good";
	if (strcmp(word, "INCONCLUSIVE") == 0 || strcmp(word, "INVALID") == 0)
		return " warn";
	return "";
}

static void hero(struct text_buffer *text, const char *figure, const char *words)
{
	text_append(text, "<div><b>");
	html_append(text, figure);
	text_append(text, "</b><span>");
	html_append(text, words);
	text_append(text, "</span></div>\n");
}

static void hero_pct(struct text_buffer *text, double pct, const char *words)
{
	char buffer[RENDER_PCT_SIZE];

	hero(text, render_pct(pct, buffer), words);
}

static void hero_range(struct text_buffer *text, const struct interval_bounds *bounds,
		       const char *words)
{
	char buffer[RENDER_RANGE_SIZE];

	hero(text, render_range(bounds, buffer), words);
}

static void append_sandwich_hero(struct text_buffer *text, const struct result *result)
{
	const struct interval *interval = &result->estimates.interval;
	bool is_95 = render_level_pct(result) == 95;

	hero_pct(text, render_delta_pct(result), "change");
	if (interval->is_deterministic)
		hero(text, "exact", "boots of one kernel agree exactly");
	else if (interval->has_bounds)
		hero_range(text, is_95 ? &interval->ci95 : &interval->ci99,
			   is_95 ? "95 % interval" : "99 % interval");
	hero_pct(text, result->estimates.sandwich.variants[SUMMARY_MEAN].drift_pct,
		 "drift, first parent boot to the last");
}

static void append_hero(struct text_buffer *text, const struct result *result)
{
	const struct result_estimates *estimates = &result->estimates;

	if (!render_has_estimates(result))
		return;
	text_append(text, "<div class=\"hero\">\n");
	if (estimates->is_present)
		append_sandwich_hero(text, result);
	if (estimates->has_sweep) {
		hero_pct(text, estimates->sweep.window_contrast.estimate_pct, "clearest step");
		if (estimates->sweep.has_bounds)
			hero_range(text, &estimates->sweep.window_contrast.ci99, "99 % interval");
	}
	if (estimates->has_ladder) {
		hero_pct(text, estimates->ladder.original_pct, "original change");
		hero_pct(text, estimates->ladder.combined_pct, "of it recovered by the probes");
		hero_pct(text, estimates->ladder.residual_pct, "of it remain");
	}
	text_append(text, "</div>\n");
}

static void append_commits(struct text_buffer *text, const struct result *result)
{
	bool is_begun = false;

	/* The child first: the reader looks for the commit that is blamed. */
	for (size_t i = result->n_points; i > 0; i--) {
		const struct result_point *point = &result->points[i - 1];
		const char *id = point->commit ? point->commit : point->revision;
		_cleanup_free_ char *short_id = NULL;

		if (!id)
			continue;
		short_id = text_format("%.*s", point->commit ? SHORT_ID : 40, id);
		text_printf(text, "%s<li><span class=\"dot k%zu\"></span>",
			    is_begun ? "" : "<ul class=\"commits\">\n", (i - 1) % HTML_COLOURS);
		is_begun = true;
		html_append(text, point->name);
		text_append(text, " <code>");
		html_append(text, short_id);
		text_append(text, "</code> ");
		html_append(text, point->title ? point->title : "");
		for (size_t k = 0; k < point->changes.n; k++) {
			text_append(text, "<br>+ ");
			html_append(text, point->changes.items[k]);
		}
		text_append(text, "</li>\n");
	}
	text_append(text, is_begun ? "</ul>\n" : "");
}

static void append_header(struct text_buffer *text, const struct result *result,
			  const char *headline)
{
	const char *sentence = strstr(headline, ": ");

	text_printf(text, "<header><span class=\"verdict%s\">", verdict_class(result));
	html_append(text, render_verdict_word(result));
	text_append(text, "</span>\n<h1>");
	/* The badge says the first word already. */
	html_append(text, sentence ? sentence + 2 : headline);
	text_append(text, "</h1>\n");
	if (render_emulation(result))
		text_printf(text, "<p class=\"emulated\">%s</p>\n", render_emulation(result));
	append_hero(text, result);
	append_commits(text, result);
	text_append(text, "</header>\n");
}

/* What one workload measured: every process, the tables, the distribution. */
static void append_measurements(struct text_buffer *text, const struct result *result)
{
	if (result->bench) {
		_cleanup_free_ char *what = render_workload(result);

		text_append(text, "<section><h2>");
		html_append(text, what);
		text_append(text, "</h2></section>\n");
	}
	if (result->summaries) {
		text_append(text, "<section><h2>Every process");
		text_append(text, result->unit ? ", " : "");
		html_append(text, result->unit ? result->unit : "");
		text_append(text, "</h2>\n");
		html_append_strip_plot(text, result);
		text_append(text, "</section>\n");
	}
	html_append_tables(text, result);
	if (result->summaries) {
		text_append(text, "<section><h2>Distribution</h2>\n");
		html_append_distribution(text, result);
		text_append(text, "</section>\n");
	}
}

void render_html(const struct result *result, struct text_buffer *text)
{
	_cleanup_free_ char *headline = render_headline(result);

	text_append(text, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
			  "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
			  "<title>");
	html_append(text, headline);
	text_printf(text, "</title>\n<style>\n%s</style></head>\n<body><main>\n", html_style);
	append_header(text, result, headline);
	html_append_workloads(text, result);
	append_measurements(text, result);
	for (size_t i = 0; i < result->n_further; i++)
		append_measurements(text, &result->further[i]);
	html_append_bisection(text, result);
	html_append_facts(text, result);
	text_append(text, "<footer>Made by abbot " ABBOT_VERSION "</footer>\n</main></body></html>\n");
}
