// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the numbers rest on, in the HTML report.
 */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/html_internal.h"

static void term(struct text_buffer *text, const char *name, const char *value)
{
	_cleanup_free_ char *words = text_duplicate(name);

	if (!value || !value[0])
		return;
	/* Names come from JSON keys. */
	for (char *c = words; *c; c++) {
		if (*c == '_')
			*c = ' ';
	}
	text_append(text, "<dt>");
	html_append(text, words);
	text_append(text, "</dt><dd>");
	html_append(text, value);
	text_append(text, "</dd>\n");
}

static void terms(struct text_buffer *text, const struct result_facts *facts)
{
	for (size_t i = 0; i < facts->n; i++)
		term(text, facts->items[i].name, facts->items[i].value);
}

static void append_warnings(struct text_buffer *text, const struct result *result)
{
	if (!result->warnings.n)
		return;
	text_append(text, "<section><h2>Warnings</h2><ul>\n");
	for (size_t i = 0; i < result->warnings.n; i++) {
		text_append(text, "<li>");
		html_append(text, result->warnings.items[i]);
		text_append(text, "</li>\n");
	}
	text_append(text, "</ul></section>\n");
}

static void append_failures(struct text_buffer *text, const struct result *result)
{
	for (size_t i = 0; i < result->n_points; i++) {
		const struct result_point *point = &result->points[i];

		if (!point->log_tail)
			continue;
		text_append(text, "<section><h2>Last lines of the build log of ");
		html_append(text, point->name);
		text_append(text, "</h2><pre>");
		html_append(text, point->log_tail);
		text_append(text, "</pre></section>\n");
	}
}

static void append_measured(struct text_buffer *text, const struct result *result)
{
	_cleanup_free_ char *what = NULL;
	_cleanup_free_ char *design = result->order ? render_design(result) : NULL;

	if (result->workload)
		what = render_workload(result);
	text_append(text, "<section><h2>Measurement</h2><dl>\n");
	term(text, "what", what);
	for (size_t i = 0; i < result->n_further; i++) {
		_cleanup_free_ char *further = render_workload(&result->further[i]);

		term(text, "what", further);
	}
	term(text, "source", result->source);
	term(text, "design", design);
	terms(text, &result->measured_on);
	text_append(text, "</dl></section>\n");
}

static void append_held_equal(struct text_buffer *text, const struct result *result)
{
	if (!result->held_equal.n && !result->is_config_compared)
		return;
	text_append(text, "<section><h2>Held equal on every boot</h2><dl>\n");
	if (result->is_config_compared)
		term(text, "kernel config",
		     result->is_config_equal ? "equal after normalisation"
					     : "differs, as the job allows");
	for (size_t i = 0; i < result->config_differences.n; i++)
		term(text, "difference", result->config_differences.items[i]);
	terms(text, &result->held_equal);
	text_append(text, "</dl></section>\n");
}

static void append_kernels(struct text_buffer *text, const struct result *result)
{
	bool is_begun = false;

	for (size_t i = 0; i < result->n_points; i++) {
		const struct result_point *point = &result->points[i];
		_cleanup_free_ char *value = NULL;

		if (!point->release)
			continue;
		value = text_format("%s, build id %s, config %.12s, %s", point->release,
				    point->build_id ? point->build_id : "unknown",
				    point->config_sha256 ? point->config_sha256 : "unknown",
				    point->compiler ? point->compiler : "compiler unknown");
		text_append(text, is_begun ? "" : "<section><h2>Kernels</h2><dl>\n");
		is_begun = true;
		term(text, point->name, value);
	}
	text_append(text, is_begun ? "</dl></section>\n" : "");
}

static void append_boot_ids(struct text_buffer *text, const struct result *result)
{
	bool is_begun = false;

	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];
		_cleanup_free_ char *name = NULL;
		_cleanup_free_ char *value = NULL;

		if (!boot->boot_id)
			continue;
		name = text_format("%zu %s", i + 1, result_boot_label(result, boot));
		value = text_format("%s, build id %s", boot->boot_id,
				    boot->build_id ? boot->build_id : "unknown");
		text_append(text, is_begun ? "" : "<section><h2>Boot ids</h2><dl>\n");
		is_begun = true;
		term(text, name, value);
	}
	text_append(text, is_begun ? "</dl></section>\n" : "");
}

static void append_diagnoses(struct text_buffer *text, const struct result *result)
{
	bool is_begun = false;

	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];

		for (size_t k = 0; k < boot->diagnosis.n; k++) {
			_cleanup_free_ char *name = text_format("%zu %s, %s", i + 1,
								result_boot_label(result, boot),
								boot->diagnosis.items[k].name);

			text_append(text, is_begun ? ""
						   : "<section><h2>Diagnosis, after the measurement</h2><dl>\n");
			is_begun = true;
			term(text, name, boot->diagnosis.items[k].value);
		}
	}
	text_append(text, is_begun ? "</dl></section>\n" : "");
}

void html_append_facts(struct text_buffer *text, const struct result *result)
{
	append_failures(text, result);
	append_warnings(text, result);
	append_measured(text, result);
	append_held_equal(text, result);
	append_diagnoses(text, result);
	append_kernels(text, result);
	append_boot_ids(text, result);
}
