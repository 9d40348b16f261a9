// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strict parsing of numbers, durations and sizes, and the nearest known word.
 * Whole strings only, no white space, no locale: `12 ` and `0x1` are refused.
 */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

struct unit {
	const char *name;
	uint64_t factor;
};

int text_parse_i64(const char *text, int64_t minimum, int64_t maximum, int64_t *ret_value)
{
	const char *digits = text + (*text == '-' || *text == '+');
	long long value;
	char *end;

	/* strtoll() would skip white space. */
	if (!isdigit((unsigned char)*digits))
		return -EINVAL;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (*end)
		return -EINVAL;
	if (errno == ERANGE || value < minimum || value > maximum)
		return -ERANGE;
	*ret_value = value;
	return 0;
}

int text_parse_double(const char *text, double *ret_value)
{
	locale_t locale;
	double value;
	char *end;

	/* No hexadecimal, no "inf", no "nan": only what a table of measurements holds. */
	if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
		return -EINVAL;
	locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	if (!locale)
		return -ENOMEM;
	errno = 0;
	value = strtod_l(text, &end, locale);
	freelocale(locale);
	if (end == text || *end)
		return -EINVAL;
	if (!isfinite(value))
		return -ERANGE;
	*ret_value = value;
	return 0;
}

/* Digits, then the name of a unit (the empty name is one). */
static int text_parse_with_unit(const char *text, const struct unit *units, size_t n_units,
				uint64_t *ret_value)
{
	uint64_t value = 0;
	const char *cursor = text;

	if (!isdigit((unsigned char)*cursor))
		return -EINVAL;
	for (; isdigit((unsigned char)*cursor); cursor++) {
		if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*cursor - '0'), &value))
			return -ERANGE;
	}
	for (size_t i = 0; i < n_units; i++) {
		if (strcmp(cursor, units[i].name) != 0)
			continue;
		if (__builtin_mul_overflow(value, units[i].factor, &value))
			return -ERANGE;
		*ret_value = value;
		return 0;
	}
	return -EINVAL;
}

int text_parse_duration(const char *text, int64_t *ret_seconds)
{
	static const struct unit units[] = {
		{ "", 1 },        { "s", 1 },        { "sec", 1 },      { "second", 1 },
		{ "seconds", 1 }, { "m", 60 },       { "min", 60 },     { "minute", 60 },
		{ "minutes", 60 },{ "h", 3600 },     { "hr", 3600 },    { "hour", 3600 },
		{ "hours", 3600 },{ "d", 86400 },    { "day", 86400 },  { "days", 86400 },
		{ "w", 604800 },  { "week", 604800 },{ "weeks", 604800 },
	};
	_cleanup_free_ char *copy = NULL;
	int64_t total = 0;
	char *cursor, *save = NULL;

	/* "1h 30min" and "1h30min": split where a digit follows a letter. */
	copy = malloc(2 * strlen(text) + 1);
	if (!copy)
		return -ENOMEM;
	cursor = copy;
	for (const char *from = text; *from; from++) {
		if (from > text && isdigit((unsigned char)*from) &&
		    isalpha((unsigned char)from[-1]))
			*cursor++ = ' ';
		*cursor++ = *from;
	}
	*cursor = '\0';
	cursor = strtok_r(copy, " ", &save);
	if (!cursor)
		return -EINVAL;
	for (; cursor; cursor = strtok_r(NULL, " ", &save)) {
		uint64_t part;
		int r = text_parse_with_unit(cursor, units, ARRAY_SIZE(units), &part);

		if (r < 0)
			return r;
		if (__builtin_add_overflow(total, part, &total))
			return -ERANGE;
	}
	*ret_seconds = total;
	return 0;
}

int text_parse_size(const char *text, uint64_t *ret_bytes)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "B", 1 },
		{ "K", UINT64_C(1) << 10 },   { "KiB", UINT64_C(1) << 10 },
		{ "M", UINT64_C(1) << 20 },   { "MiB", UINT64_C(1) << 20 },
		{ "G", UINT64_C(1) << 30 },   { "GiB", UINT64_C(1) << 30 },
		{ "T", UINT64_C(1) << 40 },   { "TiB", UINT64_C(1) << 40 },
	};

	return text_parse_with_unit(text, units, ARRAY_SIZE(units), ret_bytes);
}

/* Levenshtein distance; both words at most 64 bytes long. */
static size_t text_distance(const char *a, const char *b)
{
	size_t row[65];
	size_t a_size = strlen(a), b_size = strlen(b);

	for (size_t j = 0; j <= b_size; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_size; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_size; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[b_size];
}

const char *text_nearest(const char *word, const char *const *words)
{
	const char *nearest = NULL;
	size_t word_size = strlen(word), nearest_distance = SIZE_MAX;

	if (word_size > 64)
		return NULL;
	for (; *words; words++) {
		size_t size = strlen(*words), distance;

		if (size > 64)
			continue;
		distance = text_distance(word, *words);
		/* A third of the longer word may be wrong: "cmdlnie" but not "xyz". */
		if (distance > ((size > word_size ? size : word_size) + 2) / 3)
			continue;
		if (distance < nearest_distance) {
			nearest = *words;
			nearest_distance = distance;
		}
	}
	return nearest;
}
