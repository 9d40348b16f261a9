// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Between the two halves of the points table's parser; not for others.
 */
#pragma once

#include "reports/render/points_tsv.h"

#define POINTS_TSV_FIELDS_MAX 10

enum points_tsv_form {
	POINTS_TSV_FORM_PUBLISHED,
	POINTS_TSV_FORM_PLAIN,
};

struct points_tsv_parser {
	const char *name;
	enum points_tsv_form form;
	size_t line;
	char *fields[POINTS_TSV_FIELDS_MAX]; /* within the line, NUL-terminated */
	size_t n_fields;
	size_t n_values;
	struct result *result;
	struct error *err;
};

/* NULL-terminated column names of each form. */
extern const char *const points_tsv_headers[][POINTS_TSV_FIELDS_MAX + 1];

size_t points_tsv_count_columns(enum points_tsv_form form);
/* The fields of one line after the header into the result. */
int points_tsv_read_row(struct points_tsv_parser *parser);
