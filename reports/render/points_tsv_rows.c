// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One line of a points table: fields checked, values added to its boot.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "reports/render/points_tsv_internal.h"
#include "reports/render/result_finding.h"

#define FIELD_BYTES_MAX 256 /* of any column but "values" */
#define ORDINAL_MAX 1000000
/* What 80 columns hold, and sums of squares stay finite. */
#define VALUE_MIN 1e-12
#define VALUE_MAX 1e12

enum published_column {
	COLUMN_ORDER,
	COLUMN_POINT,
	COLUMN_ROLE,
	COLUMN_COMMIT,
	COLUMN_N,
	COLUMN_MEAN,
	COLUMN_SD,
	COLUMN_CV,
	COLUMN_VALUES,
	COLUMN_FAILURES,
};

enum plain_column {
	COLUMN_PLAIN_BOOT,
	COLUMN_PLAIN_POINT,
	COLUMN_PLAIN_VALUE,
};

/* "points.tsv, line 3, column 5 (n): ..." */
__attribute__((format(printf, 3, 4)))
static int refuse(const struct points_tsv_parser *parser, size_t column, const char *format, ...)
{
	char sentence[512];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	return error_set(parser->err, -EINVAL, "%s, line %zu, column %zu (%s): %s", parser->name,
			 parser->line, column + 1, points_tsv_headers[parser->form][column], sentence);
}

static int check_fields(const struct points_tsv_parser *parser)
{
	size_t n = points_tsv_count_columns(parser->form);

	if (parser->n_fields != n)
		return error_set(parser->err, -EINVAL,
				 "%s, line %zu: %zu tab-separated columns where the header has %zu",
				 parser->name, parser->line, parser->n_fields, n);
	for (size_t i = 0; i < n; i++) {
		if (!parser->fields[i][0])
			return refuse(parser, i, "the field is empty");
		if ((parser->form != POINTS_TSV_FORM_PUBLISHED || i != COLUMN_VALUES) &&
		    strlen(parser->fields[i]) > FIELD_BYTES_MAX)
			return refuse(parser, i, "the field is longer than %d bytes",
				      FIELD_BYTES_MAX);
	}
	return 0;
}

static int parse_integer(const struct points_tsv_parser *parser, size_t column, int64_t maximum,
			 int64_t *ret_value)
{
	if (text_parse_i64(parser->fields[column], 0, maximum, ret_value) < 0)
		return refuse(parser, column, "'%.40s' is not a whole number from 0 to %lld",
			      parser->fields[column], (long long)maximum);
	return 0;
}

static int add_value(struct points_tsv_parser *parser, struct result_boot *boot, size_t column,
		     const char *text)
{
	double value;

	if (text_parse_double(text, &value) < 0)
		return refuse(parser, column, "value %zu: '%.40s' is not a finite number",
			      boot->n_values + 1, text);
	if (value <= 0)
		return refuse(parser, column, "value %zu: %.40s is not greater than zero",
			      boot->n_values + 1, text);
	if (value < VALUE_MIN || value > VALUE_MAX)
		return refuse(parser, column, "value %zu: %.40s is outside 1e-12 to 1e12, use another unit",
			      boot->n_values + 1, text);
	if (++parser->n_values > POINTS_TSV_VALUES_MAX)
		return error_set(parser->err, -E2BIG, "%s, line %zu: more than %d values",
				 parser->name, parser->line, POINTS_TSV_VALUES_MAX);
	result_boot_add_value(boot, value);
	return 0;
}

/* The kernel of that name, new where it was not met before. */
static size_t point_named(struct result *result, const char *name)
{
	for (size_t i = 0; i < result->n_points; i++) {
		if (strcmp(result->points[i].name, name) == 0)
			return i;
	}
	(void)result_add_point(result, name);
	return result->n_points - 1;
}

static struct result_boot *boot_numbered(struct result *result, int64_t ordinal)
{
	for (size_t i = result->n_boots; i > 0; i--) {
		if ((int64_t)result->boots[i - 1].ordinal == ordinal)
			return &result->boots[i - 1];
	}
	return NULL;
}

static int add_boot(struct points_tsv_parser *parser, size_t point, int64_t ordinal,
		    struct result_boot **ret_boot)
{
	struct result_boot *boot;

	if (parser->result->n_boots == POINTS_TSV_BOOTS_MAX)
		return error_set(parser->err, -E2BIG, "%s, line %zu: more than %d boots",
				 parser->name, parser->line, POINTS_TSV_BOOTS_MAX);
	boot = result_add_boot(parser->result, point);
	boot->ordinal = (double)ordinal;
	boot->is_complete = true;
	*ret_boot = boot;
	return 0;
}

static int read_plain_line(struct points_tsv_parser *parser)
{
	struct result_boot *boot;
	int64_t ordinal;
	size_t point;
	int r;

	r = parse_integer(parser, COLUMN_PLAIN_BOOT, ORDINAL_MAX, &ordinal);
	if (r < 0)
		return r;
	point = point_named(parser->result, parser->fields[COLUMN_PLAIN_POINT]);
	boot = boot_numbered(parser->result, ordinal);
	if (boot && boot->point != point)
		return refuse(parser, COLUMN_PLAIN_POINT,
			      "boot %lld is of '%.40s' on an earlier line; one boot has one kernel",
			      (long long)ordinal, parser->result->points[boot->point].name);
	if (!boot) {
		r = add_boot(parser, point, ordinal, &boot);
		if (r < 0)
			return r;
	}
	return add_value(parser, boot, COLUMN_PLAIN_VALUE, parser->fields[COLUMN_PLAIN_VALUE]);
}

static int check_commit(struct points_tsv_parser *parser, struct result_point *point)
{
	const char *commit = parser->fields[COLUMN_COMMIT];

	/* As the renderer writes it where there is none. */
	if (strcmp(commit, "-") == 0)
		return 0;
	if (!point->commit)
		point->commit = text_duplicate(commit);
	else if (strcmp(point->commit, commit) != 0)
		return refuse(parser, COLUMN_COMMIT,
			      "role '%.40s' has another commit on an earlier line; one role is one kernel",
			      point->name);
	return 0;
}

static int check_published_figures(struct points_tsv_parser *parser, const struct result_boot *boot)
{
	double mean;
	int64_t n;
	int64_t n_failures;
	int r;

	r = parse_integer(parser, COLUMN_N, POINTS_TSV_VALUES_MAX, &n);
	if (r < 0)
		return r;
	if ((size_t)n != boot->n_values)
		return refuse(parser, COLUMN_N, "n is %lld, but the line holds %zu values",
			      (long long)n, boot->n_values);
	if (text_parse_double(parser->fields[COLUMN_MEAN], &mean) < 0)
		return refuse(parser, COLUMN_MEAN, "'%.40s' is not a finite number",
			      parser->fields[COLUMN_MEAN]);
	if (fabs(mean - summary_mean(boot->values, boot->n_values)) > 1e-4 * fabs(mean))
		result_warn(parser->result, "mean-differs", RESULT_NONE, RESULT_NONE,
				 "Line %zu gives the mean %s, but its values have the mean %.6f, which is used.",
				 parser->line, parser->fields[COLUMN_MEAN],
				 summary_mean(boot->values, boot->n_values));
	r = parse_integer(parser, COLUMN_FAILURES, INT64_MAX, &n_failures);
	if (r < 0)
		return r;
	if (n_failures && parser->result->status != RESULT_INVALID) {
		parser->result->status = RESULT_INVALID;
		parser->result->reason =
			text_format("%lld semantic failures were recorded in boot %s (%s)",
				    (long long)n_failures, parser->fields[COLUMN_ORDER],
				    parser->fields[COLUMN_POINT]);
	}
	return 0;
}

static int read_published_line(struct points_tsv_parser *parser)
{
	struct result_boot *boot;
	int64_t ordinal;
	size_t point;
	int r;

	r = parse_integer(parser, COLUMN_ORDER, ORDINAL_MAX, &ordinal);
	if (r < 0)
		return r;
	if (boot_numbered(parser->result, ordinal))
		return refuse(parser, COLUMN_ORDER, "boot %lld is on an earlier line already",
			      (long long)ordinal);
	point = point_named(parser->result, parser->fields[COLUMN_ROLE]);
	r = check_commit(parser, &parser->result->points[point]);
	if (r < 0)
		return r;
	r = add_boot(parser, point, ordinal, &boot);
	if (r < 0)
		return r;
	boot->label = text_duplicate(parser->fields[COLUMN_POINT]);
	for (char *next = parser->fields[COLUMN_VALUES]; next;) {
		char *value = strsep(&next, " ");

		r = value[0] ? add_value(parser, boot, COLUMN_VALUES, value) : 0;
		if (r < 0)
			return r;
	}
	if (!boot->n_values)
		return refuse(parser, COLUMN_VALUES, "there is no value");
	return check_published_figures(parser, boot);
}

int points_tsv_read_row(struct points_tsv_parser *parser)
{
	int r = check_fields(parser);

	if (r < 0)
		return r;
	switch (parser->form) {
	case POINTS_TSV_FORM_PUBLISHED:
		return read_published_line(parser);
	case POINTS_TSV_FORM_PLAIN:
		return read_plain_line(parser);
	}
	return 0;
}
