// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Between the parts of the HTML report; not for others.
 */
#pragma once

#include "reports/render/render_internal.h"

/* Style sheet of the page: light, dark, phone, print. */
extern const char html_style[];
#define HTML_COLOURS 6 /* classes k0 .. k5, a kernel each, then again from the start */

/* Text from outside: cleaned, and no character of it means anything to a browser. */
void html_append(struct text_buffer *text, const char *words);

/* A scale from values to places along an axis of a drawing. */
struct html_scale {
	double low;
	double high;
	double from;             /* where low lies */
	double to;
};

double html_scale_place(const struct html_scale *scale, double value);
/* Between ticks: 1, 2 or 5 times a power of ten, four to eight ticks in all. */
double html_scale_step(const struct html_scale *scale);
/* Of a tick's label. */
int html_scale_decimals(double step);

/* Every process of every boot, each boot's mean with its interval. Needs summaries. */
void html_append_strip_plot(struct text_buffer *text, const struct result *result);
/* How each kernel's values are distributed. Needs summaries. */
void html_append_distribution(struct text_buffer *text, const struct result *result);
/* The answer of each workload of a job that has several; else nothing. */
void html_append_workloads(struct text_buffer *text, const struct result *result);
/* Tables of boots, figures, phases, kernels of a sweep, rungs of a ladder. */
void html_append_tables(struct text_buffer *text, const struct result *result);
/* What the numbers rest on: warnings, measurement, settings, kernels, boots. */
/* render_bisect.c */
void html_append_bisection(struct text_buffer *text, const struct result *result);
void html_append_facts(struct text_buffer *text, const struct result *result);
