// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The strip plot: a column a boot, a dot a process in the order they ran, a line for the
 * boot's mean and a whisker for what the next boot of that kernel would give (95 %, from
 * the scatter between boots; processes of one boot are no replicates). Inline SVG.
 */
#include <math.h>
#include <string.h>

#include "reports/render/html_internal.h"

#define WIDTH 720.0
#define HEIGHT 360.0
#define LEFT 66.0
#define RIGHT 8.0
#define TOP 12.0
#define BOTTOM 44.0
#define NAMES 20.0 /* of it, where boots have names */
#define DOTS_MAX 6000
#define DOTS_A_BOOT_MIN 16
#define NAMED_BOOTS_MAX 5
#define NAME_BYTES_MAX 11
#define BOOT_LABELS_MAX 24

/* In 100 ln units around a boot's mean; 0: there is none. */
static double boot_half(const struct result *result)
{
	const struct result_estimates *estimates = &result->estimates;
	const struct interval_bounds *bounds = &estimates->interval.ci95;
	double vb = estimates->interval.vb;

	if (estimates->has_sweep && estimates->sweep.has_bounds) {
		bounds = &estimates->sweep.kernels[1].against_first.ci95;
		vb = estimates->sweep.kernels[1].against_first.vb;
	} else if (!estimates->is_present || !estimates->interval.has_bounds) {
		return 0;
	}
	if (bounds->low_pct <= -100 || !isfinite(bounds->high_pct))
		return 0;
	return 50 * log((100 + bounds->high_pct) / (100 + bounds->low_pct)) / sqrt(vb);
}

static struct html_scale value_scale(const struct result *result, double half)
{
	struct html_scale scale = { .low = (double)INFINITY, .high = 0,
				    .from = HEIGHT - BOTTOM, .to = TOP };
	double reach;

	for (size_t i = 0; i < result->n_boots; i++) {
		scale.low = fmin(scale.low, result->summaries[i].minimum);
		scale.high = fmax(scale.high, result->summaries[i].maximum);
	}
	/* Whiskers may widen the picture, but not until the dots are a line. */
	reach = 0.4 * (scale.high - scale.low);
	reach = fmin(reach, scale.high * expm1(half / 100));
	reach = fmax(reach, 0.06 * (scale.high - scale.low));
	if (scale.high - scale.low < 1e-9 * scale.high)
		reach = 0.01 * scale.high;
	scale.low -= reach;
	scale.high += reach;
	return scale;
}

static void append_grid(struct text_buffer *text, const struct html_scale *scale)
{
	double step = html_scale_step(scale);
	int decimals = html_scale_decimals(step);

	for (long i = lround(ceil(scale->low / step)); (double)i * step <= scale->high; i++) {
		double tick = (double)i * step;
		double y = html_scale_place(scale, tick);

		text_printf(text, "<line class=\"grid\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>"
				  "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n",
			    LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4.5, decimals, tick);
	}
}

/* Evenly chosen where there are too many; the extremes always. */
static void append_dots(struct text_buffer *text, const struct result *result, size_t index,
			const struct html_scale *scale, double x, double width)
{
	const struct result_boot *boot = &result->boots[index];
	const struct summary *summary = &result->summaries[index];
	size_t most = DOTS_MAX / result->n_boots;
	size_t stride;
	bool has_low = false;
	bool has_high = false;

	most = most > DOTS_A_BOOT_MIN ? most : DOTS_A_BOOT_MIN;
	stride = (boot->n_values + most - 1) / most;
	text_printf(text, "<g class=\"dots k%zu\">", boot->point % HTML_COLOURS);
	for (size_t i = 0; i < boot->n_values; i++) {
		bool is_low = !has_low && boot->values[i] <= summary->minimum;
		bool is_high = !has_high && boot->values[i] >= summary->maximum;

		if (i % stride && !is_low && !is_high)
			continue;
		has_low = has_low || is_low;
		has_high = has_high || is_high;
		text_printf(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>",
			    x + width * ((double)i + 0.5) / (double)boot->n_values,
			    html_scale_place(scale, boot->values[i]), most < 60 ? "2" : "3.2");
	}
	text_append(text, "</g>\n");
}

static void append_mean(struct text_buffer *text, const struct result *result, size_t index,
			const struct html_scale *scale, double x, double width, double half)
{
	double mean = result->summaries[index].location[SUMMARY_MEAN];
	double y = html_scale_place(scale, mean);
	double middle = x + width / 2;
	size_t colour = result->boots[index].point % HTML_COLOURS;

	if (half > 0)
		text_printf(text, "<line class=\"whisker k%zu\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
			    colour, middle, middle, html_scale_place(scale, mean * exp(-half / 100)),
			    html_scale_place(scale, mean * exp(half / 100)));
	text_printf(text, "<line class=\"mean k%zu\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\">"
			  "<title>boot %zu: mean %.*f</title></line>\n",
		    colour, x, x + width, y, y, index + 1, render_decimals(result), mean);
}

/* Where they do not run into each other, on a phone either. */
static bool has_names(const struct result *result)
{
	if (result->n_boots > NAMED_BOOTS_MAX)
		return false;
	for (size_t i = 0; i < result->n_boots; i++) {
		if (strlen(result_boot_label(result, &result->boots[i])) > NAME_BYTES_MAX)
			return false;
	}
	return true;
}

static void append_label(struct text_buffer *text, const struct result *result, size_t index,
			 double middle)
{
	size_t every = (result->n_boots + BOOT_LABELS_MAX - 1) / BOOT_LABELS_MAX;

	if (index % every == 0)
		text_printf(text, "<text class=\"strong\" x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%zu</text>\n",
			    middle, HEIGHT - BOTTOM + 18, index + 1);
	if (!has_names(result))
		return;
	text_printf(text, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">", middle,
		    HEIGHT - BOTTOM + 38);
	html_append(text, result_boot_label(result, &result->boots[index]));
	text_append(text, "</text>\n");
}

static void append_legend(struct text_buffer *text, const struct result *result, double half)
{
	text_append(text, "<figcaption>");
	for (size_t i = 0; i < result->n_points; i++) {
		text_printf(text, "<span class=\"dot k%zu\"></span>", i % HTML_COLOURS);
		html_append(text, result->points[i].name);
		text_append(text, " &ensp; ");
	}
	text_append(text, "A column is a boot, a dot a process in the order they ran, the line the boot&#39;s mean");
	if (half > 0)
		text_append(text, ", the whisker where 95&nbsp;% of this kernel&#39;s boots lie, from the scatter between boots");
	text_append(text, ".</figcaption>");
}

void html_append_strip_plot(struct text_buffer *text, const struct result *result)
{
	double half = boot_half(result);
	struct html_scale scale = value_scale(result, half);
	double pitch = (WIDTH - LEFT - RIGHT) / (double)result->n_boots;
	double width = pitch * 0.66;

	text_printf(text, "<figure><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Every process by boot\">\n",
		    WIDTH, has_names(result) ? HEIGHT : HEIGHT - NAMES);
	append_grid(text, &scale);
	for (size_t i = 0; i < result->n_boots; i++) {
		double x = LEFT + pitch * (double)i + (pitch - width) / 2;

		append_dots(text, result, i, &scale, x, width);
		append_mean(text, result, i, &scale, x, width, half);
		append_label(text, result, i, x + width / 2);
	}
	text_append(text, "</svg>");
	append_legend(text, result, half);
	text_append(text, "</figure>\n");
}
