// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing the output of a command. Pure: no I/O.
 */
#include "bench/exec_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

#define NAME_MAX_BYTES 64
#define UNIT_MAX_BYTES 32
#define NAME_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"
#define UNIT_BYTES NAME_BYTES "%"
#define UNIT_UNKNOWN "units"

static bool is_word(const char *text, size_t max_bytes, const char *bytes)
{
	size_t length = strlen(text);

	return length > 0 && length <= max_bytes && strspn(text, bytes) == length;
}

/* One value: it is its own mean and extremes, and deviates from nothing. */
static int add_metric(json_t *metrics, const char *name, double value, const char *unit,
		      struct error *err)
{
	if (!is_word(name, NAME_MAX_BYTES, NAME_BYTES))
		return error_set(err, -EBADMSG,
				 "the command calls a figure \"%.100s\"; a name is 1 to %d letters, "
				 "digits or . _ - /", name, NAME_MAX_BYTES);
	if (!is_word(unit, UNIT_MAX_BYTES, UNIT_BYTES))
		return error_set(err, -EBADMSG,
				 "the command gives %s the unit \"%.100s\"; a unit is 1 to %d letters, "
				 "digits or . _ - / %%", name, unit, UNIT_MAX_BYTES);
	if (json_object_get(metrics, name))
		return error_set(err, -EBADMSG, "the command prints %s twice; print each name once",
				 name);
	if (json_object_size(metrics) >= EXEC_METRICS_MAX)
		return error_set(err, -EBADMSG, "the command prints more than %d figures",
				 EXEC_METRICS_MAX);
	(void)json_object_set_new(metrics, name, json_pack(
		"{s:s, s:i, s:f, s:n, s:f, s:f, s:f, s:f, s:f}", "unit", unit, "n", 1, "mean", value,
		"sd", "min", value, "p50", value, "p90", value, "p99", value, "max", value));
	return 0;
}

static int parse_line(json_t *metrics, char *line, size_t number, struct error *err)
{
	char *text = text_strip(line);
	char *equals = strchr(text, '=');
	char *figure;
	char *unit;
	double value;

	if (!*text)
		return 0;
	if (!equals)
		return error_set(err, -EBADMSG,
				 "line %zu of the command's output is \"%.100s\", not NAME=VALUE", number,
				 text);
	*equals = '\0';
	text = text_strip(text);
	figure = equals + 1 + strspn(equals + 1, " \t");
	unit = figure + strcspn(figure, " \t");
	if (*unit)
		*unit++ = '\0';
	if (text_parse_double(figure, &value) < 0)
		return error_set(err, -EBADMSG,
				 "line %zu of the command's output: %.64s is \"%.100s\", not a "
				 "finite number", number, text, figure);
	unit = text_strip(unit);
	return add_metric(metrics, text, value, *unit ? unit : UNIT_UNKNOWN, err);
}

static int parse_lines(json_t *metrics, const char *text, size_t size, struct error *err)
{
	_cleanup_free_ char *copy = strndup(text, size);
	size_t number = 0;

	if (!copy)
		return error_set(err, -ENOMEM, "no memory for the command's output");
	for (char *line = copy; line;) {
		char *newline = strchr(line, '\n');
		int code;

		if (newline)
			*newline = '\0';
		code = parse_line(metrics, line, ++number, err);
		if (code < 0)
			return code;
		line = newline ? newline + 1 : NULL;
	}
	return 0;
}

static int parse_json(json_t *metrics, const char *text, size_t size, struct error *err)
{
	json_error_t json_error;
	_cleanup_json_ json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &json_error);
	const char *name;
	json_t *value;

	if (!json_is_object(object))
		return error_set(err, -EBADMSG, "the command's output is no JSON object: %s, line %d",
				 json_error.text, json_error.line);
	json_object_foreach(object, name, value) {
		const json_t *number = json_is_object(value) ? json_object_get(value, "value") :
							       value;
		const char *unit = json_string_value(json_object_get(value, "unit"));
		int code;

		if (!json_is_number(number))
			return error_set(err, -EBADMSG,
					 "the command's figure %.64s is not a number, nor an object "
					 "with one as its value", name);
		code = add_metric(metrics, name, json_number_value(number),
				  unit ? unit : UNIT_UNKNOWN, err);
		if (code < 0)
			return code;
	}
	return 0;
}

int exec_output_parse(const char *text, size_t size, json_t **ret_metrics, struct error *err)
{
	_cleanup_json_ json_t *metrics = json_object();
	size_t blank = 0;
	int code;

	if (memchr(text, '\0', size))
		return error_set(err, -EBADMSG, "the command's output is not text");
	while (blank < size && strchr(" \t\r\n", text[blank]))
		blank++;
	if (blank == size)
		return error_set(err, -EBADMSG,
				 "the command prints no figures; it has to print NAME=VALUE lines or "
				 "a JSON object");
	if (text[blank] == '{')
		code = parse_json(metrics, text, size, err);
	else
		code = parse_lines(metrics, text, size, err);
	if (code == 0 && json_object_size(metrics) == 0)
		code = error_set(err, -EBADMSG, "the command's JSON object is empty");
	if (code == 0)
		*ret_metrics = TAKE_PTR(metrics);
	return code;
}
