// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text buffer, strict parsers, nearest word and durations.
 */
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"

static void test_buffer(void **state)
{
	_cleanup_text_ struct text_buffer buffer = { 0 }, small = { 0 };
	_cleanup_free_ char *taken = NULL, *empty = NULL;

	(void)state;
	assert_null(buffer.text);
	text_append(&small, "abc");
	assert_string_equal(small.text, "abc");
	for (int i = 0; i < 1000; i++)
		text_printf(&buffer, "%d,", i);
	text_append(&buffer, "end");
	text_append_bytes(&buffer, "a\0b", 3);
	assert_int_equal(buffer.size, 3890 + 3 + 3);
	assert_int_equal(buffer.text[buffer.size], '\0');
	assert_memory_equal(buffer.text, "0,1,2,3,", 8);
	assert_memory_equal(buffer.text + 3890, "enda\0b", 7);
	taken = text_buffer_take(&buffer);
	assert_null(buffer.text);
	assert_int_equal(buffer.size, 0);
	empty = text_buffer_take(&buffer);
	assert_string_equal(empty, "");
	text_buffer_done(NULL);
}

static void test_format(void **state)
{
	_cleanup_free_ char *text = text_format("%s-%d", "a", 5);
	_cleanup_free_ char *copy = text_duplicate(text);

	(void)state;
	assert_string_equal(copy, "a-5");
	assert_ptr_not_equal(copy, text);
	assert_null(text_duplicate(NULL));
}

static void test_cut(void **state)
{
	(void)state;
	assert_int_equal(text_cut("abc", 5), 3);
	assert_int_equal(text_cut("abc", 2), 2);
	assert_int_equal(text_cut("a\xc3\xa9", 2), 1);
	assert_int_equal(text_cut("a\xc3\xa9", 3), 3);
	assert_int_equal(text_cut("\xf0\x9f\x90\xa7", 3), 0);
}

static void test_parse_i64(void **state)
{
	static const char *const bad[] = { "", " 1", "1 ", "+", "-", "1x", "0x10", "1.0", "--1", "e" };
	int64_t value = 42;

	(void)state;
	assert_int_equal(text_parse_i64("-17", -20, 20, &value), 0);
	assert_int_equal(value, -17);
	assert_int_equal(text_parse_i64("9223372036854775807", INT64_MIN, INT64_MAX, &value), 0);
	assert_true(value == INT64_MAX);
	value = 42;
	assert_int_equal(text_parse_i64("9223372036854775808", INT64_MIN, INT64_MAX, &value), -ERANGE);
	assert_int_equal(text_parse_i64("21", -20, 20, &value), -ERANGE);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(text_parse_i64(bad[i], INT64_MIN, INT64_MAX, &value), -EINVAL);
	assert_int_equal(value, 42);
}

static void test_parse_double(void **state)
{
	static const char *const bad[] = { "", " 1", "1 ", "nan", "inf", "-infinity", "0x1p3",
					   "1,5", "1.5.2", ".", "e5", "+-1" };
	double value = 42;

	(void)state;
	assert_int_equal(text_parse_double("38.133", &value), 0);
	assert_true(value == 38.133);
	assert_int_equal(text_parse_double("-1e-3", &value), 0);
	assert_true(value == -1e-3);
	value = 42;
	assert_int_equal(text_parse_double("1e999", &value), -ERANGE);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(text_parse_double(bad[i], &value), -EINVAL);
	assert_true(value == 42);
}

static void test_parse_duration(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} good[] = {
		{ "0", 0 },		{ "90", 90 },	       { "90s", 90 },
		{ "15min", 900 },	{ "2h", 7200 },	       { "1h 30min", 5400 },
		{ "1h30min", 5400 },	{ "1d 1s", 86401 },
		{ "2weeks", 1209600 },
	};
	static const char *const bad[] = { "", " ", "s", "-5s", "5x", "1.5h", "5ss", "h2" };
	int64_t value = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(text_parse_duration(good[i].text, &value), 0);
		assert_int_equal(value, good[i].seconds);
	}
	value = 42;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(text_parse_duration(bad[i], &value), -EINVAL);
	assert_int_equal(text_parse_duration("99999999999999999999", &value), -ERANGE);
	assert_int_equal(text_parse_duration("9223372036854775807s 1s", &value), -ERANGE);
	assert_int_equal(text_parse_duration("9223372036854775807h", &value), -ERANGE);
	assert_int_equal(value, 42);
}

static void test_parse_time(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} good[] = {
		{ "1970-01-01T00:00:00Z", 0 },		 { "2026-01-31T20:00:00Z", 1769889600 },
		{ "2026-01-31T20:00:00+01:00", 1769886000 }, { "2026-01-31T20:00:00-00:30", 1769891400 },
		{ "2000-02-29t12:34:56z", 951827696 },	 { "2016-12-31T23:59:60Z", 1483228800 },
		{ "9999-12-31T23:59:59Z", 253402300799 },
	};
	static const char *const bad[] = {
		"", "20:00", "2026-01-31", "2026-01-31 20:00:00Z", "2026-01-31T20:00:00", "2026-01-31T20:00Z",
		"2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
		"2026-04-31T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T20:60:00Z", "2026-01-31T20:00:00+1:00",
		"2026-01-31T20:00:00Z ", " 2026-01-31T20:00:00Z", "2026-01-31T20:00:00.5Z", "+026-01-31T20:00:00Z",
	};
	int64_t value = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(text_parse_time(bad[i], &value), -EINVAL);
	assert_int_equal(text_parse_time("1969-12-31T23:59:59Z", &value), -ERANGE);
	assert_int_equal(value, 42);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(text_parse_time(good[i].text, &value), 0);
		assert_int_equal(value, good[i].seconds);
	}
}

static void test_parse_size(void **state)
{
	uint64_t value = 42;

	(void)state;
	assert_int_equal(text_parse_size("4096", &value), 0);
	assert_int_equal(value, 4096);
	assert_int_equal(text_parse_size("64M", &value), 0);
	assert_int_equal(value, 64 << 20);
	assert_int_equal(text_parse_size("8MiB", &value), 0);
	assert_int_equal(value, 8 << 20);
	assert_int_equal(text_parse_size("3G", &value), 0);
	assert_true(value == UINT64_C(3) << 30);
	value = 42;
	assert_int_equal(text_parse_size("", &value), -EINVAL);
	assert_int_equal(text_parse_size("-1", &value), -EINVAL);
	assert_int_equal(text_parse_size("8 M", &value), -EINVAL);
	assert_int_equal(text_parse_size("8MB", &value), -EINVAL);
	assert_int_equal(text_parse_size("99999999999999999999", &value), -ERANGE);
	assert_int_equal(text_parse_size("99999999999T", &value), -ERANGE);
	assert_int_equal(value, 42);
}

static void test_nearest(void **state)
{
	static const char *const words[] = { "cmdline", "commit", "config", "repository", NULL };
	char big[200];

	(void)state;
	assert_string_equal(text_nearest("cmdlnie", words), "cmdline");
	assert_string_equal(text_nearest("comit", words), "commit");
	assert_string_equal(text_nearest("repo-sitory", words), "repository");
	assert_null(text_nearest("xyz", words));
	assert_null(text_nearest("", words));
	memset(big, 'c', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	assert_null(text_nearest(big, words));
}

static void test_affixes_and_strip(void **state)
{
	char text[] = " \t two words \n", blank[] = " \n ";

	(void)state;
	assert_true(text_has_prefix("abbot-1", "abbot-"));
	assert_true(text_has_prefix("a", ""));
	assert_false(text_has_prefix("abb", "abbot"));
	assert_true(text_has_suffix("x.patch", ".patch"));
	assert_false(text_has_suffix("patch", ".patch"));
	assert_string_equal(text_strip(text), "two words");
	assert_string_equal(text_strip(blank), "");
}

static void test_duration(void **state)
{
	char buffer[32];

	(void)state;
	assert_string_equal(text_duration(0, buffer, sizeof(buffer)), "0 s");
	assert_string_equal(text_duration(12.4, buffer, sizeof(buffer)), "12 s");
	assert_string_equal(text_duration(59.6, buffer, sizeof(buffer)), "1 min 0 s");
	assert_string_equal(text_duration(200, buffer, sizeof(buffer)), "3 min 20 s");
	assert_string_equal(text_duration(7500, buffer, sizeof(buffer)), "2 h 05 min");
	assert_string_equal(text_duration(-3, buffer, sizeof(buffer)), "0 s");
	assert_string_equal(text_duration(__builtin_nan(""), buffer, sizeof(buffer)), "0 s");
	assert_true(strlen(text_duration(1e300, buffer, sizeof(buffer))) < sizeof(buffer));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_parse_i64),
		cmocka_unit_test(test_parse_double),
		cmocka_unit_test(test_parse_duration),
		cmocka_unit_test(test_parse_time),
		cmocka_unit_test(test_parse_size),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_affixes_and_strip),
		cmocka_unit_test(test_duration),
	};

	/* Fresh memory is not zero: a missing terminator shows. */
	(void)mallopt(M_PERTURB, 0xa5);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
