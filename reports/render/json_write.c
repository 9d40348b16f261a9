// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON text whose reals keep six decimals, which jansson's own writer cannot promise
 * (38.3 instead of 38.300000). Sorted keys, two blanks a level; short lists of
 * numbers stay on one line.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render_internal.h"

#define INDENT 2

static void write_value(const json_t *value, int depth, struct text_buffer *text);

static void write_string(const char *string, struct text_buffer *text)
{
	_cleanup_json_ json_t *value = json_string(string);
	_cleanup_free_ char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;

	/* Not UTF-8 (a file name of an old system): absent rather than broken JSON. */
	text_append(text, quoted ? quoted : "null");
}

static void write_real(double number, struct text_buffer *text)
{
	double size = fabs(number);

	if (!isfinite(number))
		text_append(text, "null");
	else if (size <= 0)
		text_append(text, "0.000000");
	else if (size < 0.001)
		text_printf(text, "%.9g", number);
	else if (size < 1e15)
		text_printf(text, "%.6f", number);
	else
		text_printf(text, "%.17g", number);
}

static void new_line(int depth, struct text_buffer *text)
{
	text_printf(text, "\n%*s", depth * INDENT, "");
}

static int compare_keys(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void write_object(const json_t *object, int depth, struct text_buffer *text)
{
	size_t n = json_object_size(object);
	_cleanup_free_ const char **keys = calloc(n ? n : 1, sizeof(*keys));
	const char *key;
	json_t *value;
	size_t i = 0;

	if (!keys)
		abort();
	json_object_foreach((json_t *)(uintptr_t)object, key, value)
		keys[i++] = key;
	qsort(keys, n, sizeof(*keys), compare_keys);
	text_append(text, "{");
	for (i = 0; i < n; i++) {
		text_append(text, i ? "," : "");
		new_line(depth + 1, text);
		write_string(keys[i], text);
		text_append(text, ": ");
		write_value(json_object_get(object, keys[i]), depth + 1, text);
	}
	if (n)
		new_line(depth, text);
	text_append(text, "}");
}

static void write_array(const json_t *array, int depth, struct text_buffer *text)
{
	size_t n = json_array_size(array);
	bool is_one_line = true;

	for (size_t i = 0; i < n; i++)
		is_one_line = is_one_line && json_is_number(json_array_get(array, i));
	text_append(text, "[");
	for (size_t i = 0; i < n; i++) {
		text_append(text, i ? "," : "");
		if (!is_one_line)
			new_line(depth + 1, text);
		else if (i)
			text_append(text, " ");
		write_value(json_array_get(array, i), depth + 1, text);
	}
	if (n && !is_one_line)
		new_line(depth, text);
	text_append(text, "]");
}

static void write_value(const json_t *value, int depth, struct text_buffer *text)
{
	if (json_is_object(value))
		write_object(value, depth, text);
	else if (json_is_array(value))
		write_array(value, depth, text);
	else if (json_is_string(value))
		write_string(json_string_value(value), text);
	else if (json_is_real(value))
		write_real(json_real_value(value), text);
	else if (json_is_integer(value))
		text_printf(text, "%lld", (long long)json_integer_value(value));
	else if (json_is_boolean(value))
		text_append(text, json_is_true(value) ? "true" : "false");
	else
		text_append(text, "null");
}

void render_json_write(const json_t *value, struct text_buffer *text)
{
	write_value(value, 0, text);
	text_append(text, "\n");
}
