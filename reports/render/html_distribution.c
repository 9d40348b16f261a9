// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A histogram a kernel, one above the other on one axis. Inline SVG.
 */
#include <math.h>
#include <string.h>

#include "reports/render/html_internal.h"

#define WIDTH 720.0
#define ROW 76.0
#define BARS 48
#define LEFT 8.0
#define BOTTOM 30.0
#define TITLE 34.0

static void count(const struct result *result, size_t point, const struct html_scale *scale,
		  double bars[BARS])
{
	memset(bars, 0, BARS * sizeof(bars[0]));
	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];

		if (boot->point != point)
			continue;
		for (size_t j = 0; j < boot->n_values; j++) {
			double share = (boot->values[j] - scale->low) / (scale->high - scale->low);

			bars[(size_t)fmin(BARS - 1, share * BARS)]++;
		}
	}
}

static void append_row(struct text_buffer *text, const struct result *result, size_t point,
		       const struct html_scale *scale, double top)
{
	double bars[BARS];
	double most = 1;
	double width = (scale->to - scale->from) / BARS;

	count(result, point, scale, bars);
	for (size_t i = 0; i < BARS; i++)
		most = fmax(most, bars[i]);
	text_printf(text, "<text class=\"strong\" x=\"%.0f\" y=\"%.1f\">", LEFT, top + 24);
	html_append(text, result->points[point].name);
	text_append(text, "</text>\n");
	for (size_t i = 0; i < BARS; i++) {
		double height = (ROW - TITLE) * bars[i] / most;

		if (bars[i] > 0)
			text_printf(text, "<rect class=\"bar k%zu\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
				    point % HTML_COLOURS, scale->from + width * (double)i,
				    top + ROW - height, width - 1, height);
	}
	text_printf(text, "<line class=\"grid\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
		    scale->from, scale->to, top + ROW, top + ROW);
}

static void append_axis(struct text_buffer *text, const struct html_scale *scale, double y)
{
	double step = html_scale_step(scale);
	int decimals = html_scale_decimals(step);

	for (long i = lround(ceil(scale->low / step)); (double)i * step <= scale->high; i++)
		text_printf(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.*f</text>\n",
			    html_scale_place(scale, (double)i * step), y, decimals,
			    (double)i * step);
}

void html_append_distribution(struct text_buffer *text, const struct result *result)
{
	struct html_scale scale = { .low = (double)INFINITY, .from = LEFT, .to = WIDTH - LEFT };
	double height = ROW * (double)result->n_points + BOTTOM;

	for (size_t i = 0; i < result->n_boots; i++) {
		scale.low = fmin(scale.low, result->summaries[i].minimum);
		scale.high = fmax(scale.high, result->summaries[i].maximum);
	}
	if (scale.high - scale.low < 1e-9 * scale.high) {
		scale.low *= 0.99;
		scale.high *= 1.01;
	}
	text_printf(text, "<figure><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Distribution of each kernel\">\n",
		    WIDTH, height);
	for (size_t i = 0; i < result->n_points; i++)
		append_row(text, result, i, &scale, ROW * (double)i);
	append_axis(text, &scale, height - 8);
	text_append(text, "</svg><figcaption>All boots of a kernel together; the tallest bar of each kernel has the full height.</figcaption></figure>\n");
}
