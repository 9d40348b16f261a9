// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text report's second half: build logs of what failed, warnings, what was measured
 * on what, what was held equal, kernels and boots.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render_internal.h"

#define NAME_COLUMNS 16
#define LOG_LINES_MAX 20
#define LOG_COLUMNS_MAX 200

static void write_fact(struct text_buffer *text, const char *name, const char *value)
{
	_cleanup_free_ char *clean = render_clean(value, false);
	_cleanup_free_ char *clean_name = render_clean(name, false);
	_cleanup_free_ char *lead = NULL;
	size_t width = strlen(clean_name) > NAME_COLUMNS ? strlen(clean_name) : NAME_COLUMNS;

	/* Names come from JSON keys. */
	for (char *c = clean_name; *c; c++) {
		if (*c == '_')
			*c = ' ';
	}
	lead = text_format("  %-*s  ", (int)width, clean_name);
	render_wrap(text, lead, NAME_COLUMNS + 4, clean);
}

/* The last lines of a log, indented, each cut at a bearable length. */
static void write_log_tail(struct text_buffer *text, const char *log)
{
	_cleanup_free_ char *clean = render_clean(log, true);
	size_t size = strlen(clean);
	const char *start;
	int n_lines = 0;

	/* A sentence rather than lines. */
	if (!strchr(clean, '\n')) {
		render_wrap(text, "    ", 4, clean);
		return;
	}
	while (size && clean[size - 1] == '\n')
		clean[--size] = '\0';
	for (start = clean + size; start > clean; start--) {
		if (start[-1] == '\n' && ++n_lines == LOG_LINES_MAX)
			break;
	}
	while (*start) {
		size_t line = strcspn(start, "\n");

		text_append(text, "    ");
		text_append_bytes(text, start, line < LOG_COLUMNS_MAX ? line : LOG_COLUMNS_MAX);
		text_append(text, "\n");
		start += line + (start[line] == '\n');
	}
}

static void write_failures(const struct result *result, struct text_buffer *text)
{
	for (size_t i = 0; i < result->n_points; i++) {
		const struct result_point *point = &result->points[i];

		if (!point->log_tail)
			continue;
		text_printf(text, "\nLast lines of the build log of %s:\n", point->name);
		write_log_tail(text, point->log_tail);
	}
}

static void write_warnings(const struct result *result, struct text_buffer *text)
{
	if (!result->warnings.n)
		return;
	text_append(text, "\nWarnings\n");
	for (size_t i = 0; i < result->warnings.n; i++) {
		_cleanup_free_ char *clean = render_clean(result->warnings.items[i], false);

		render_wrap(text, "  - ", 4, clean);
	}
}

static void write_measured(const struct result *result, struct text_buffer *text)
{
	_cleanup_free_ char *what = NULL;
	_cleanup_free_ char *rule = NULL;

	text_append(text, "\nMeasurement\n");
	if (result->workload)
		what = render_workload(result);
	else if (result->source)
		what = text_format("elsewhere; the numbers came from %s", result->source);
	if (what)
		write_fact(text, "what", what);
	for (size_t i = 0; i < result->n_further; i++) {
		_cleanup_free_ char *further = render_workload(&result->further[i]);

		write_fact(text, "", further);
	}
	if (result->order) {
		rule = render_design(result);
		write_fact(text, "design", rule);
	}
	if (result->is_counted)
		write_fact(text, "clock", "a nanosecond of the emulated machine is one instruction");
	for (size_t i = 0; i < result->measured_on.n; i++)
		write_fact(text, result->measured_on.items[i].name,
			   result->measured_on.items[i].value);
}

static void write_held_equal(const struct result *result, struct text_buffer *text)
{
	if (!result->held_equal.n && !result->is_config_compared)
		return;
	text_append(text, "\nHeld equal on every boot\n");
	if (result->is_config_compared)
		write_fact(text, "kernel config",
			   result->is_config_equal ? "equal after normalisation"
						   : "differs, as the job allows:");
	for (size_t i = 0; i < result->config_differences.n; i++)
		write_fact(text, "", result->config_differences.items[i]);
	for (size_t i = 0; i < result->held_equal.n; i++)
		write_fact(text, result->held_equal.items[i].name,
			   result->held_equal.items[i].value);
}

static void append_part(struct text_buffer *text, const char *label, const char *value,
			int width)
{
	if (value && value[0])
		text_printf(text, "%s%s%.*s", text->size ? ", " : "", label, width, value);
}

/* Then it is told once, with what was held equal. */
static bool has_one_compiler(const struct result *result)
{
	const char *first = result->n_points ? result->points[0].compiler : NULL;

	for (size_t i = 0; i < result->n_points; i++) {
		if (!first || !result->points[i].compiler ||
		    strcmp(result->points[i].compiler, first) != 0)
			return false;
	}
	return true;
}

static void write_kernels(const struct result *result, struct text_buffer *text)
{
	bool is_begun = false;

	for (size_t i = 0; i < result->n_points; i++) {
		const struct result_point *point = &result->points[i];
		struct text_buffer parts _cleanup_text_ = { 0 };

		append_part(&parts, "build id ", point->build_id, 12);
		append_part(&parts, "config ", point->config_sha256, 12);
		if (point->changes.n)
			append_part(&parts, "tree ", point->tree, 12);
		if (!has_one_compiler(result))
			append_part(&parts, "", point->compiler, 80);
		if (!point->release && !parts.size)
			continue;
		if (!is_begun)
			text_append(text, "\nKernels\n");
		is_begun = true;
		write_fact(text, point->name, point->release ? point->release : "no kernel");
		if (parts.size)
			write_fact(text, "", parts.text);
	}
}

static void write_boot_ids(const struct result *result, struct text_buffer *text)
{
	bool is_begun = false;

	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];

		if (!boot->boot_id)
			continue;
		if (!is_begun)
			text_append(text, "\nBoots\n");
		is_begun = true;
		text_printf(text, "%4zu %-13.13s  %s  build id %.12s\n", i + 1,
			    result_boot_label(result, boot), boot->boot_id,
			    boot->build_id ? boot->build_id : "unknown");
	}
}

static void write_diagnoses(const struct result *result, struct text_buffer *text)
{
	bool is_begun = false;

	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];

		for (size_t k = 0; k < boot->diagnosis.n; k++) {
			_cleanup_free_ char *name = text_format("%zu %s", i + 1,
								result_boot_label(result, boot));
			_cleanup_free_ char *words = text_format("%s: %s",
								 boot->diagnosis.items[k].name,
								 boot->diagnosis.items[k].value);

			text_append(text, is_begun ? "" : "\nDiagnosis, after the measurement\n");
			is_begun = true;
			write_fact(text, k ? "" : name, words);
		}
	}
}

void render_text_facts(const struct result *result, struct text_buffer *text)
{
	write_failures(result, text);
	write_warnings(result, text);
	write_measured(result, text);
	write_held_equal(result, text);
	write_diagnoses(result, text);
	write_kernels(result, text);
	write_boot_ids(result, text);
}
