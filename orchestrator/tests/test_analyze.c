// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The real `abbot analyze` on tables that people bring: what it makes of odd ones, and the
 * one sentence for those that it cannot take. The parser's own tests are beside it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/tests/programs.h"

#define PLAIN "boot\tpoint\tvalue\n"
#define PUBLISHED "order\tpoint\trole\tcommit\tn\tmean_iteration_ns_per_page\tsd\tcv_pct\tvalues\tsemantic_failures\n"
#define ROW(boot, role, n, values) boot "\t" role "\t" role "\t-\t" n "\t2\t0\t0\t" values "\t0\n"
#define GOOD "1\ta\t100\n1\ta\t101\n2\tb\t120\n2\tb\t121\n3\ta\t100.5\n3\ta\t101\n"

static struct program_output analyze(void **state, const char *data, size_t size)
{
	_cleanup_free_ char *path = temporary_path(state, "points.tsv");
	struct error err = { 0 };

	assert_int_equal(file_write_durable(path, data, size, 0644, &err), 0);
	return RUN(NULL, programs_path("abbot"), "analyze", path);
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

struct row {
	const char *what;
	const char *data;
	const char *words;
};

/* A report, which says what is odd about them. */
static void test_taken(void **state)
{
	static const struct row rows[] = {
		{ "unequal n", PLAIN GOOD "3\ta\t100.7\n", "different numbers of values (2 in boot 1, 3 in boot 3)" },
		{ "one value", PLAIN "1\ta\t100\n2\tb\t120\n3\ta\t101\n", "REGRESSION: b takes 19.40 % more than a" },
		{ "CRLF", "boot\tpoint\tvalue\r\n1\ta\t100\r\n2\tb\t120\r\n3\ta\t101\r\n", "b takes 19.40 % more" },
		{ "byte order mark", "\xef\xbb\xbf" PLAIN GOOD, "b takes 19.75 % more" },
		{ "a blank line at the end", PLAIN GOOD "\n \n", "b takes 19.75 % more" },
		{ "no line feed at the end", PLAIN "1\ta\t100\n2\tb\t120\n3\ta\t101", "b takes 19.40 % more" },
		{ "not UTF-8", PLAIN "1\ta\xff\t100\n2\tb\t120\n3\ta\xff\t101\n", "b takes 19.40 % more than a?" },
		{ "semantic failures", PUBLISHED ROW("1", "a", "1", "2") ROW("2", "b", "1", "2")
		  "3\ta\ta\t-\t1\t2\t0\t0\t2\t4\n", "INVALID: 4 semantic failures were recorded in boot 3" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct program_output output = analyze(state, rows[i].data, strlen(rows[i].data));

		if (output.exit_status != 0 || !strstr(output.output, rows[i].words))
			fail_msg("%s: %d: %s%s", rows[i].what, output.exit_status, output.output,
				 output.error_output);
		program_output_done(&output);
	}
}

/* One sentence, status 2, and nothing on standard output. */
static void test_refused(void **state)
{
	static const struct row rows[] = {
		{ "a point is missing", PLAIN "1\ta\t100\n3\ta\t100\n", "holds one kernel only (a)" },
		{ "the closing boot is missing", PLAIN "1\ta\t100\n2\tb\t120\n", "the closing boot of a is missing" },
		{ "a boot has no values", PUBLISHED ROW("1", "a", "1", "2") ROW("2", "b", "0", " ")
		  ROW("3", "a", "1", "2"), "line 3, column 9 (values): there is no value" },
		{ "a point has no such figure", PUBLISHED ROW("1", "a", "1", "2") ROW("2", "b", "0", "-")
		  ROW("3", "a", "1", "2"), "line 3, column 9 (values): value 1: '-' is not a finite number" },
		{ "a column is missing", PLAIN "1\ta\t100\n2\tb\n3\ta\t100\n",
		  "line 3: 2 tab-separated columns where the header has 3" },
		{ "zero", PLAIN "1\ta\t0\n", "line 2, column 3 (value): value 1: 0 is not greater than zero" },
		{ "negative", PLAIN "1\ta\t-5\n", "value 1: -5 is not greater than zero" },
		{ "text", PLAIN "1\ta\tfast\n", "'fast' is not a finite number" },
		{ "a number and a unit", PLAIN "1\ta\t5 ns\n", "'5 ns' is not a finite number" },
		{ "a decimal comma", PLAIN "1\ta\t5,5\n", "'5,5' is not a finite number" },
		{ "not a number", PLAIN "1\ta\tnan\n", "'nan' is not a finite number" },
		{ "blanks for tabs", "boot point value\n1 a 2\n", "separated by tabs" },
		{ "tables of two machines", PLAIN GOOD PLAIN GOOD,
		  "line 8: the header again: these are two tables, and boots of different jobs or machines cannot be compared" },
		{ "published tables of two machines", PUBLISHED ROW("1", "a", "1", "2") PUBLISHED,
		  "line 3: the header again" },
		{ "a table of two jobs", PLAIN GOOD "1\tb\t100\n", "one boot has one kernel" },
		{ "the same boot twice", PUBLISHED ROW("1", "a", "1", "2") ROW("1", "a", "1", "2"),
		  "boot 1 is on an earlier line already" },
		{ "nothing", "", "is empty" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct program_output output = analyze(state, rows[i].data, strlen(rows[i].data));

		if (output.exit_status != 2 || !strstr(output.error_output, rows[i].words))
			fail_msg("%s: %d: %s", rows[i].what, output.exit_status, output.error_output);
		assert_string_equal(output.output, "");
		assert_int_equal(count_lines(output.error_output), 1);
		assert_true(text_has_prefix(output.error_output, "abbot: "));
		program_output_done(&output);
	}
}

/* The most that is taken, and one more. How fast that is: tests/bench/analyze.sh. */
static void test_a_million_rows(void **state)
{
	_cleanup_text_ struct text_buffer data = { 0 };
	struct program_output output;

	text_append(&data, PLAIN);
	for (int i = 0; i < 1000000; i++)
		text_printf(&data, "%d\t%c\t%d\n", i % 7, i % 7 % 2 ? 'b' : 'a',
			    100 + i % 3 + 20 * (i % 7 % 2));
	output = analyze(state, data.text, data.size);
	if (output.exit_status != 0)
		fail_msg("%s", output.error_output);
	assert_non_null(strstr(output.output, "REGRESSION: b takes 19.80 % more than a"));
	assert_non_null(strstr(output.output, "142857"));
	program_output_done(&output);
	text_append(&data, "0\ta\t100\n");
	output = analyze(state, data.text, data.size);
	assert_int_equal(output.exit_status, 2);
	assert_non_null(strstr(output.error_output, "line 1000002: more than 1000000 values"));
	program_output_done(&output);
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_taken),
		TEST(test_refused),
		TEST(test_a_million_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
