// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two JSON values side by side: which numbers and words differ, and where.
 */
#include <math.h>
#include <stdint.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/bundle_verify.h"

#define LINES_MAX 20
#define SAID_MAX 120
#define DEPTH_MAX 64
/* Reports have six decimals or as many digits; a double rounds far below. */
#define RELATIVE_ERROR 1e-9

static void differ(const json_t *a, const json_t *b, const char *path, int depth,
		   struct result_texts *lines);

static char *say(const json_t *value)
{
	_cleanup_free_ char *text =
		value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(12))
		      : text_duplicate("nothing");

	return text_format("%.*s", SAID_MAX, text ? text : "?");
}

static bool is_same_number(const json_t *a, const json_t *b)
{
	double x = json_number_value(a), y = json_number_value(b);

	return fabs(x - y) <= RELATIVE_ERROR * fmax(1, fmax(fabs(x), fabs(y)));
}

static void differ_objects(const json_t *a, const json_t *b, const char *path, int depth,
			   struct result_texts *lines)
{
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)(uintptr_t)a, key, member) {
		_cleanup_free_ char *below = text_format("%s%s%s", path, *path ? "." : "", key);

		differ(member, json_object_get(b, key), below, depth, lines);
	}
	json_object_foreach((json_t *)(uintptr_t)b, key, member) {
		_cleanup_free_ char *below = text_format("%s%s%s", path, *path ? "." : "", key);

		if (!json_object_get(a, key))
			differ(NULL, member, below, depth, lines);
	}
}

static void differ_arrays(const json_t *a, const json_t *b, const char *path, int depth,
			  struct result_texts *lines)
{
	size_t n_a = json_array_size(a), n_b = json_array_size(b);

	for (size_t i = 0; i < n_a || i < n_b; i++) {
		_cleanup_free_ char *below = text_format("%s[%zu]", path, i);

		differ(json_array_get(a, i), json_array_get(b, i), below, depth, lines);
	}
}

static void differ(const json_t *a, const json_t *b, const char *path, int depth,
		   struct result_texts *lines)
{
	_cleanup_free_ char *said_a = NULL, *said_b = NULL;

	if (lines->n >= LINES_MAX || depth > DEPTH_MAX)
		return;
	if (json_is_object(a) && json_is_object(b)) {
		differ_objects(a, b, path, depth + 1, lines);
		return;
	}
	if (json_is_array(a) && json_is_array(b)) {
		differ_arrays(a, b, path, depth + 1, lines);
		return;
	}
	if (json_is_number(a) && json_is_number(b) ? is_same_number(a, b)
						   : json_equal((json_t *)(uintptr_t)a, (json_t *)(uintptr_t)b))
		return;
	said_a = say(a);
	said_b = say(b);
	result_texts_add(lines, "%s: %s in the report, %s from the raw data", path, said_a, said_b);
}

void json_differ(const json_t *a, const json_t *b, const char *path, struct result_texts *lines)
{
	differ(a, b, path, 0, lines);
}
