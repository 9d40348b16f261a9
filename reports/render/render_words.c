// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words and widths: wrapping, cleaning of text that others wrote, percentages.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/render/render_internal.h"

char *render_clean(const char *text, bool keeps_lines)
{
	char *clean = text_duplicate(text);

	for (unsigned char *c = (unsigned char *)clean; c && *c; c++) {
		if (*c == '\n' && keeps_lines)
			continue;
		if (*c == '\t')
			*c = ' ';
		else if (*c < ' ' || *c == 0x7f)
			*c = '?';
		else if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
			c[0] = c[1] = '?'; /* C1 controls in UTF-8: terminals obey them too */
	}
	return clean;
}

/* Columns of UTF-8 text: continuation bytes take none. */
static size_t columns_of(const char *text, size_t size)
{
	size_t columns = 0;

	for (size_t i = 0; i < size; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

void render_fill(struct text_buffer *text, size_t columns, const char *lead, size_t indent,
		 const char *words)
{
	size_t column = columns_of(lead, strlen(lead));
	bool is_line_begun = false;

	text_append(text, lead);
	for (const char *word = words; *word;) {
		size_t size = strcspn(word, " \n");
		size_t width = columns_of(word, size);

		if (!size) {
			word++;
			continue;
		}
		if (is_line_begun && column + 1 + width > columns) {
			text_printf(text, "\n%*s", (int)indent, "");
			column = indent;
			is_line_begun = false;
		}
		if (is_line_begun) {
			text_append(text, " ");
			column++;
		}
		text_append_bytes(text, word, size);
		column += width;
		is_line_begun = true;
		word += size;
	}
	text_append(text, "\n");
}

void render_wrap(struct text_buffer *text, const char *lead, size_t indent, const char *words)
{
	render_fill(text, RENDER_COLUMNS, lead, indent, words);
}

const char *render_emulation(const struct result *result)
{
	if (result->is_counted)
		return "EMULATED: these numbers are instruction counts of an emulated machine, not time.";
	if (result->is_emulated)
		return "EMULATED: these are times of an emulated machine, no evidence of speed.";
	return NULL;
}

const char *render_more_word(const struct result *result, double pct)
{
	if (pct >= 0)
		return "more";
	return result->is_counted ? "fewer" : "less";
}

const char *render_pct(double pct, char buffer[RENDER_PCT_SIZE])
{
	if (fabs(pct) < 0.005)
		pct = 0;
	if (fabs(pct) < 1e9)
		(void)snprintf(buffer, RENDER_PCT_SIZE, "%+.2f %%", pct);
	else
		(void)snprintf(buffer, RENDER_PCT_SIZE, "%+.3g %%", pct);
	return buffer;
}

const char *render_range(const struct interval_bounds *bounds, char buffer[RENDER_RANGE_SIZE])
{
	char low[RENDER_PCT_SIZE];
	char high[RENDER_PCT_SIZE];

	(void)render_pct(bounds->low_pct, low);
	low[strcspn(low, " ")] = '\0'; /* one unit for both */
	(void)snprintf(buffer, RENDER_RANGE_SIZE, "%s to %s", low,
		       render_pct(bounds->high_pct, high));
	return buffer;
}

int render_decimals(const struct result *result)
{
	double smallest = (double)INFINITY;
	double largest = 0;
	int decimals = 3;

	for (size_t i = 0; result->summaries && i < result->n_boots; i++) {
		smallest = fmin(smallest, result->summaries[i].location[SUMMARY_MEAN]);
		largest = fmax(largest, result->summaries[i].maximum);
	}
	while (decimals < 9 && smallest * pow(10, decimals) < 1000)
		decimals++;
	while (decimals > 0 && largest >= pow(10, 8 - decimals))
		decimals--;
	return decimals;
}

char *render_design(const struct result *result)
{
	struct text_buffer text = { 0 };

	if (result->design && strcmp(result->design, "bisect") == 0 && !result->bisection)
		return text_format("bisection, threshold %g %%", result->threshold_pct);
	if (!result_is_sweep(result) && !result_is_ladder(result))
		return text_format("sandwich %s (P parent, C child), threshold %g %%%s",
				   result->order, result->threshold_pct,
				   result->estimates.is_single_look ? ", one look" : "");
	text_printf(&text, "%s %s (", result->design, result->order);
	for (size_t i = 0; i < result->n_points; i++)
		text_printf(&text, "%s%c %s", i ? ", " : "", result_order_letter(i),
			    result->points[i].name);
	text_append(&text, ")");
	return text_buffer_take(&text);
}
