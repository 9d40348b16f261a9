// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which renderer makes which format.
 */
#include "reports/render/render.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/render/render_internal.h"

static const char *const render_formats[] = {
	"text", "json", "tsv", "tsv-components", "tsv-comparison", "tsv-bisection",
	"mail", "html", NULL,
};

static void make_json(const struct result *result, struct text_buffer *text)
{
	_cleanup_json_ json_t *json = render_json(result);

	render_json_write(json, text);
}

/* A table has one column of values. */
static int refuse_several(const struct result *result, struct error *err)
{
	_cleanup_text_ struct text_buffer names = { 0 };

	for (size_t i = 0; i <= result->n_further; i++)
		text_printf(&names, "%s%s", i ? ", " : "", result_bench(result, i)->bench);
	return error_set(err, -EINVAL,
			 "the job has %zu workloads and a table is of one; name it with --workload: %s",
			 result->n_further + 1, names.text);
}

static int unknown_format(const char *format, struct error *err)
{
	const char *nearest = text_nearest(format, render_formats);

	return error_set(err, -EINVAL, "unknown report format '%s'; use %s", format,
			 nearest ? nearest
				 : "text, json, tsv, tsv-components, tsv-comparison, tsv-bisection, mail or html");
}

int render_result(const struct result *result, const char *format, char **ret_text,
		  struct error *err)
{
	struct text_buffer text _cleanup_text_ = { 0 };
	int r = 0;

	if (result->n_further && text_has_prefix(format, "tsv"))
		return refuse_several(result, err);
	if (strcmp(format, "text") == 0)
		render_text(result, &text);
	else if (strcmp(format, "json") == 0)
		make_json(result, &text);
	else if (strcmp(format, "tsv") == 0)
		r = render_tsv_points(result, &text, err);
	else if (strcmp(format, "tsv-components") == 0)
		r = render_tsv_components(result, &text, err);
	else if (strcmp(format, "tsv-comparison") == 0)
		r = render_tsv_comparison(result, &text, err);
	else if (strcmp(format, "tsv-bisection") == 0)
		r = render_tsv_bisection(result, &text, err);
	else if (strcmp(format, "mail") == 0)
		r = render_mail(result, &text, err);
	else if (strcmp(format, "html") == 0)
		render_html(result, &text);
	else
		r = unknown_format(format, err);
	if (r < 0)
		return r;
	*ret_text = text_buffer_take(&text);
	return 0;
}
