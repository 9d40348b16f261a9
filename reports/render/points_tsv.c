// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines, header and the order of boots. A line's fields are points_tsv_rows.c's, which
 * order of boots makes a design points_design.c's business.
 */
#include "reports/render/points_tsv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/render/points_tsv_internal.h"

const char *const points_tsv_headers[][POINTS_TSV_FIELDS_MAX + 1] = {
	[POINTS_TSV_FORM_PUBLISHED] = { "order", "point", "role", "commit", "n",
					"mean_iteration_ns_per_page", "sd", "cv_pct", "values",
					"semantic_failures", NULL },
	[POINTS_TSV_FORM_PLAIN] = { "boot", "point", "value", NULL },
};

size_t points_tsv_count_columns(enum points_tsv_form form)
{
	size_t n = 0;

	while (points_tsv_headers[form][n])
		n++;
	return n;
}

static int split_fields(struct points_tsv_parser *parser, char *line)
{
	parser->n_fields = 0;
	for (char *next = line; next;) {
		char *field = strsep(&next, "\t");

		if (parser->n_fields == POINTS_TSV_FIELDS_MAX)
			return error_set(parser->err, -EINVAL,
					 "%s, line %zu: more than %d tab-separated columns",
					 parser->name, parser->line, POINTS_TSV_FIELDS_MAX);
		parser->fields[parser->n_fields++] = field;
	}
	return 0;
}

static bool is_header(const struct points_tsv_parser *parser, size_t form)
{
	size_t n = points_tsv_count_columns((enum points_tsv_form)form);

	for (size_t i = 0; i < n && i < parser->n_fields; i++) {
		if (strcmp(parser->fields[i], points_tsv_headers[form][i]) != 0)
			return false;
	}
	return parser->n_fields == n;
}

static int read_header(struct points_tsv_parser *parser)
{
	for (size_t form = 0; form < ARRAY_SIZE(points_tsv_headers); form++) {
		if (is_header(parser, form)) {
			parser->form = (enum points_tsv_form)form;
			return 0;
		}
	}
	return error_set(parser->err, -EINVAL,
			 "%s, line 1: the header must be 'boot point value' or the published 'order point role commit n mean_iteration_ns_per_page sd cv_pct values semantic_failures', separated by tabs",
			 parser->name);
}

static int read_line(struct points_tsv_parser *parser, char *line)
{
	int r = split_fields(parser, line);

	if (r < 0)
		return r;
	if (parser->line == 1)
		return read_header(parser);
	/* Two machines or two days have two levels: what differs would not be the kernels alone. */
	if (is_header(parser, parser->form))
		return error_set(parser->err, -EINVAL,
				 "%s, line %zu: the header again: these are two tables, and boots of different jobs or machines cannot be compared in one; analyze each by itself",
				 parser->name, parser->line);
	return points_tsv_read_row(parser);
}

static int read_lines(struct points_tsv_parser *parser, char *text)
{
	size_t first_blank = 0;

	for (char *next = text; next;) {
		char *line = strsep(&next, "\n");
		size_t size = strlen(line);
		int r;

		parser->line++;
		if (size && line[size - 1] == '\r')
			line[--size] = '\0';
		if (!line[strspn(line, " \t")]) {
			first_blank = first_blank ? first_blank : parser->line;
			continue;
		}
		if (first_blank)
			return error_set(parser->err, -EINVAL,
					 "%s, line %zu: a blank line between others; remove it",
					 parser->name, first_blank);
		r = read_line(parser, line);
		if (r < 0)
			return r;
	}
	if (!parser->result->n_boots)
		return error_set(parser->err, -EINVAL,
				 parser->line && first_blank != 1
					 ? "%s holds a header but no values"
					 : "%s is empty", parser->name);
	return 0;
}

static int compare_boots(const void *left, const void *right)
{
	const struct result_boot *a = left;
	const struct result_boot *b = right;

	return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* Boots in the order of their numbers; the first one's kernel becomes points[0]. */
static void sort_boots(struct result *result)
{
	size_t baseline;
	struct result_point point;

	qsort(result->boots, result->n_boots, sizeof(*result->boots), compare_boots);
	baseline = result->boots[0].point;
	if (!baseline)
		return;
	point = result->points[0];
	result->points[0] = result->points[baseline];
	result->points[baseline] = point;
	for (size_t i = 0; i < result->n_boots; i++) {
		if (result->boots[i].point == baseline)
			result->boots[i].point = 0;
		else if (!result->boots[i].point)
			result->boots[i].point = baseline;
	}
}

int points_tsv_parse(const char *data, size_t size, const char *name,
		     struct result *ret_result, struct error *err)
{
	static const char byte_order_mark[] = { '\xef', '\xbb', '\xbf' };
	_cleanup_free_ char *text = NULL;
	struct result result;
	struct points_tsv_parser parser = { .name = name, .result = &result, .err = err };
	int r;

	if (size > POINTS_TSV_MAX_BYTES)
		return error_set(err, -EFBIG, "%s is larger than %d MiB", name,
				 POINTS_TSV_MAX_BYTES >> 20);
	if (size && memchr(data, '\0', size))
		return error_set(err, -EINVAL, "%s holds a NUL byte; it is not a text file", name);
	if (size >= sizeof(byte_order_mark) &&
	    memcmp(data, byte_order_mark, sizeof(byte_order_mark)) == 0) {
		data += sizeof(byte_order_mark);
		size -= sizeof(byte_order_mark);
	}
	text = strndup(size ? data : "", size);
	if (!text)
		return error_set(err, -ENOMEM, "out of memory");
	result_init(&result);
	result.status = RESULT_DONE;
	result.source = text_duplicate(name);
	r = read_lines(&parser, text);
	if (r < 0) {
		result_done(&result);
		return r;
	}
	if (parser.form == POINTS_TSV_FORM_PUBLISHED)
		result.unit = text_duplicate("ns/page");
	sort_boots(&result);
	*ret_result = result;
	return 0;
}
