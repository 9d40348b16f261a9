// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Points tables: both forms, what is tolerated, what is refused and how it is named,
 * and which orders make a sandwich.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/render/points_design.h"
#include "reports/render/points_tsv.h"
#include "reports/render/render.h"

#define HEADER "order\tpoint\trole\tcommit\tn\tmean_iteration_ns_per_page\tsd\tcv_pct\tvalues\tsemantic_failures\n"
#define ROW_A "1\tparent-a\tparent\t45199f715b7455a2e4054dbc5dab0c3b65e2abc1\t15\t38.133333\t0.743223\t1.949012\t37 38 38 38 39 37 39 37 38 39 38 38 39 39 38\t0\n"
#define ROW_C "2\tchild\tchild\tcac1db8c3aad97d6ffb56ced8868d6cbbbd2bfbe\t15\t53.533333\t0.516398\t0.964628\t53 53 54 53 53 54 54 54 53 54 53 53 54 54 54\t0\n"
#define ROW_B "3\tparent-b\tparent\t45199f715b7455a2e4054dbc5dab0c3b65e2abc1\t15\t38.466667\t0.639940\t1.663623\t37 39 38 39 38 39 38 39 38 39 39 39 38 39 38\t0\n"
#define GOLDEN HEADER ROW_A ROW_C ROW_B
#define PLAIN "boot\tpoint\tvalue\n"

static int parse(const char *data, struct result *ret_result, struct error *err)
{
	return points_tsv_parse(data, strlen(data), "points.tsv", ret_result, err);
}

/* As `abbot analyze` does it. */
static char *analyze(const char *data, const char *format)
{
	_cleanup_(result_done) struct result result;
	struct error err = { "" };
	char *text = NULL;

	assert_int_equal(parse(data, &result, &err), 0);
	assert_int_equal(points_design_apply(&result, NULL, NULL, &err), 0);
	result.is_exact = true;
	assert_int_equal(result_estimate(&result, &err), 0);
	assert_int_equal(render_result(&result, format, &text, &err), 0);
	return text;
}

static void check_has(const char *text, const char *part)
{
	if (!strstr(text, part)) {
		print_error("no \"%s\" in:\n%s", part, text);
		fail();
	}
}

static void test_published_pair(void **state)
{
	static const char *const in_text[] = {
		"REGRESSION: child takes 39.77 % more ns/page than parent",
		"38.133", "53.533", "38.467", "midpoint        38.300", "delta         +39.77 %",
		"drift          +0.87 %", "drop-first    +39.53 %", "cac1db8c3aad", "parent-b",
		"+27.01 to +53.82 %", NULL,
	};
	static const char *const in_json[] = {
		"\"mean\": 38.133333", "\"mean\": 53.533333", "\"mean\": 38.466667",
		"\"midpoint\": 38.300000", "\"delta_pct\": 39.773716", "\"drift_pct\": 0.874126",
		"\"delta_pct\": 39.534884", "\"delta_pct\": 40.259740", "\"delta_pct\": 39.618857",
		"\"verdict\": \"REGRESSION\"", "\"schema\": 1", "27.009811, 53.823248", NULL,
	};
	_cleanup_free_ char *text = analyze(GOLDEN, "text");
	_cleanup_free_ char *json = analyze(GOLDEN, "json");

	(void)state;
	for (size_t i = 0; in_text[i]; i++)
		check_has(text, in_text[i]);
	for (size_t i = 0; in_json[i]; i++)
		check_has(json, in_json[i]);
}

static char *with_crlf(const char *data)
{
	struct text_buffer text = { 0 };

	for (; *data; data++) {
		if (*data == '\n')
			text_append(&text, "\r");
		text_append_bytes(&text, data, 1);
	}
	return text_buffer_take(&text);
}

static void test_tolerated(void **state)
{
	_cleanup_free_ char *plain = analyze(GOLDEN, "text");
	_cleanup_free_ char *crlf_data = with_crlf(GOLDEN);
	_cleanup_free_ char *crlf = analyze(crlf_data, "text");
	_cleanup_free_ char *mark = analyze("\xef\xbb\xbf" GOLDEN, "text");
	_cleanup_free_ char *blank = analyze(GOLDEN "\n\r\n \n", "text");
	_cleanup_free_ char *unsorted = analyze(HEADER ROW_B ROW_A ROW_C, "text");
	_cleanup_free_ char *unended = text_duplicate(GOLDEN);

	(void)state;
	assert_string_equal(crlf, plain);
	assert_string_equal(mark, plain);
	assert_string_equal(blank, plain);
	assert_string_equal(unsorted, plain);
	unended[strlen(unended) - 1] = '\0';
	free(blank);
	blank = analyze(unended, "text");
	assert_string_equal(blank, plain);
}

static void test_plain_form(void **state)
{
	/* Lines of one boot need not stand together; the lowest boot is the baseline. */
	static const char data[] = PLAIN "2\tnew\t110\n1\told\t100.5\n3\told\t101\n1\told\t99.5\n"
				   "2\tnew\t112\n3\told\t103\n";
	_cleanup_(result_done) struct result result;
	struct error err = { "" };

	(void)state;
	assert_int_equal(parse(data, &result, &err), 0);
	assert_int_equal(points_design_apply(&result, "sandwich", NULL, &err), 0);
	assert_string_equal(result.order, "PCP");
	assert_string_equal(result.points[0].name, "old");
	assert_int_equal(result_estimate(&result, &err), 0);
	assert_true(result.estimates.is_present);
	/* 111 against the midpoint of 100 and 102. */
	assert_true(fabs(result.estimates.sandwich.variants[SUMMARY_MEAN].delta_pct -
			 100 * (111.0 / 101 - 1)) < 1e-9);
	assert_true(fabs(result.estimates.sandwich.variants[SUMMARY_DROP_FIRST].midpoint -
			 (99.5 + 103) / 2) < 1e-9);
}

/* One value a boot: no SD, no drop-first, still a delta and an interval. */
static void test_one_value(void **state)
{
	_cleanup_free_ char *text = analyze(PLAIN "1\ta\t100\n2\tb\t110\n3\ta\t100.2\n", "text");
	_cleanup_free_ char *json = analyze(PLAIN "1\ta\t100\n2\tb\t110\n3\ta\t100.2\n", "json");

	(void)state;
	check_has(text, "+9.89 %");
	assert_null(strstr(text, "drop-first"));
	assert_null(strstr(text, "nan"));
	check_has(json, "\"drop_first\": null");
	check_has(json, "\"sd\": null");
}

static void test_unequal_n(void **state)
{
	_cleanup_free_ char *text =
		analyze(PLAIN "1\ta\t100\n1\ta\t101\n2\tb\t110\n3\ta\t100.5\n", "text");

	(void)state;
	check_has(text, "different numbers of values (2 in boot 1, 1 in boot 2)");
}

static void test_semantic_failures(void **state)
{
	_cleanup_free_ char *data = text_duplicate(GOLDEN);
	_cleanup_free_ char *text = NULL;

	(void)state;
	data[strlen(data) - 2] = '7';
	text = analyze(data, "text");
	check_has(text, "INVALID: 7 semantic failures were recorded in boot 3 (parent-b)");
	assert_null(strstr(text, "39.77"));
}

struct refusal {
	const char *data;
	const char *part; /* of the sentence */
};

static void test_refusals(void **state)
{
	static const struct refusal rows[] = {
		{ "", "empty" },
		{ "\n\n", "empty" },
		{ PLAIN, "no values" },
		{ "boot\tvalue\n1\t2\n", "header" },
		{ "boot point value\n1 a 2\n", "header" },
		{ PLAIN "1\ta\tfast\n", "line 2, column 3 (value)" },
		{ PLAIN "1\ta\t12x\n", "'12x' is not a finite number" },
		{ PLAIN "1\ta\tnan\n", "line 2, column 3 (value)" },
		{ PLAIN "1\ta\tinf\n", "line 2, column 3 (value)" },
		{ PLAIN "1\ta\t1e999\n", "line 2, column 3 (value)" },
		{ PLAIN "1\ta\t0x10\n", "line 2, column 3 (value)" },
		{ PLAIN "1\ta\t1,5\n", "line 2, column 3 (value)" },
		{ PLAIN "1\ta\t1e308\n", "1e308 is outside 1e-12 to 1e12" },
		{ PLAIN "1\ta\t1e-300\n", "1e-300 is outside 1e-12 to 1e12" },
		{ PLAIN "1\ta\t0\n", "not greater than zero" },
		{ PLAIN "1\ta\t-3\n", "not greater than zero" },
		{ PLAIN "x\ta\t3\n", "line 2, column 1 (boot)" },
		{ PLAIN "-1\ta\t3\n", "line 2, column 1 (boot)" },
		{ PLAIN "1.5\ta\t3\n", "line 2, column 1 (boot)" },
		{ PLAIN "1\t\t3\n", "line 2, column 2 (point): the field is empty" },
		{ PLAIN "1\ta\n", "2 tab-separated columns where the header has 3" },
		{ PLAIN "1\ta\t3\t4\n", "4 tab-separated columns" },
		{ PLAIN "1\ta\t3\n1\tb\t3\n", "line 3, column 2 (point): boot 1 is of 'a'" },
		{ PLAIN "1\ta\t3\n\n2\tb\t3\n", "line 3: a blank line between" },
		{ HEADER "1\ta\tp\tc0\t3\t2\t0\t0\t2 2\t0\n", "column 5 (n): n is 3, but the line holds 2" },
		{ HEADER "1\ta\tp\tc0\t2\t2\t0\t0\t2 two\t0\n", "column 9 (values): value 2: 'two'" },
		{ HEADER "1\ta\tp\tc0\t2\t2\t0\t0\t2 NaN\t0\n", "column 9 (values): value 2" },
		{ HEADER "1\ta\tp\tc0\t2\tx\t0\t0\t2 2\t0\n", "column 6 (mean_iteration_ns_per_page)" },
		{ HEADER "1\ta\tp\tc0\t2\t2\t0\t0\t2 2\tno\n", "column 10 (semantic_failures)" },
		{ HEADER "1\ta\tp\tc0\t1\t2\t0\t0\t2\t0\n1\tb\tq\tc1\t1\t2\t0\t0\t2\t0\n",
		  "line 3, column 1 (order): boot 1 is on an earlier line" },
		{ HEADER "1\ta\tp\tc0\t1\t2\t0\t0\t2\t0\n2\tb\tp\tc1\t1\t2\t0\t0\t2\t0\n",
		  "line 3, column 4 (commit): role 'p' has another commit" },
		{ HEADER "1\ta\tp\tc0\t2\t2\t0\t0\t \t0\n", "column 9 (values): there is no value" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct result result = { .job_id = 4711 };
		struct error err = { "" };

		assert_int_equal(parse(rows[i].data, &result, &err), -EINVAL);
		assert_int_equal(result.job_id, 4711);
		check_has(err.text, "points.tsv");
		check_has(err.text, rows[i].part);
	}
}

static void test_orders(void **state)
{
	static const struct refusal rows[] = {
		{ PLAIN "1\ta\t3\n2\ta\t3\n", "one kernel only (a)" },
		{ PLAIN "1\ta\t3\n2\tb\t3\n", "the closing boot of a is missing" },
		{ PLAIN "1\ta\t3\n2\tb\t3\n3\ta\t3\n4\tb\t3\n", "order PCPC" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		_cleanup_(result_done) struct result result;
		struct error err = { "" };

		assert_int_equal(parse(rows[i].data, &result, &err), 0);
		assert_true(points_design_apply(&result, NULL, NULL, &err) < 0);
		check_has(err.text, rows[i].part);
	}
}

static void test_designs(void **state)
{
	_cleanup_(result_done) struct result result;
	struct error err = { "" };

	(void)state;
	assert_int_equal(parse(GOLDEN, &result, &err), 0);
	assert_true(points_design_apply(&result, "ladder", NULL, &err) < 0);
	check_has(err.text, "order ABA; a ladder boots parent, child and each probe in order and back");
	assert_true(points_design_apply(&result, NULL, "parent,child", &err) < 0);
	check_has(err.text, "--kernels lists the kernels of a sweep; this is a sandwich");
	assert_true(points_design_apply(&result, "sandwhich", NULL, &err) < 0);
	check_has(err.text, "use sandwich");
	assert_null(result.order);
	assert_int_equal(points_design_apply(&result, "sweep", NULL, &err), 0);
	assert_string_equal(result.order, "ABA");
	assert_int_equal(points_design_apply(&result, "sandwich", NULL, &err), 0);
	assert_string_equal(result.order, "PCP");
}

/* A letter a boot: what is recognised, in which list, with which baseline. */
static void test_recognised(void **state)
{
	static const struct {
		const char *boots;
		const char *kernels;
		const char *design;
		const char *order;
	} rows[] = {
		{ "aba", NULL, "sandwich", "PCP" },
		{ "abba", NULL, "sandwich", "PCCP" },
		{ "abbabaab", NULL, "sweep", "ABBABAAB" },
		{ "abcba", NULL, "ladder", "ABCBA" },
		{ "bacab", NULL, "ladder", "ABCBA" },
		{ "abc", NULL, "sweep", "ABC" },
		{ "abcde", "e,d,c,b,a", "sweep", "EDCBA" },
		{ "abccba", NULL, "sweep", "ABCCBA" },
		{ "abdccdba", NULL, "sweep", "ABCDDCBA" },
		{ "abdccdbabcad", NULL, "sweep", "ABDCCDBABCAD" },
		{ "abdccdbabcaddacb", NULL, "sweep", "ABDCCDBABCADDACB" },
		{ "abdccdbabcaddacb", "b,a,c,d", "sweep", "BADCCDABACBDDBCA" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text_buffer data _cleanup_text_ = { 0 };
		_cleanup_(result_done) struct result result;

		text_append(&data, PLAIN);
		for (size_t j = 0; rows[i].boots[j]; j++)
			text_printf(&data, "%zu\t%c\t3\n", j, rows[i].boots[j]);
		assert_int_equal(parse(data.text, &result, NULL), 0);
		assert_int_equal(points_design_apply(&result, NULL, rows[i].kernels, NULL), 0);
		assert_string_equal(result.design, rows[i].design);
		assert_string_equal(result.order, rows[i].order);
	}
}

/* What earlier jobs measured narrows the interval of three boots. */
static void test_history(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;

	(void)state;
	assert_int_equal(parse(GOLDEN, &result, NULL), 0);
	assert_int_equal(points_design_apply(&result, NULL, NULL, NULL), 0);
	result.history = (struct interval_history){ .s0 = 0.58786587, .nu0 = 6 };
	assert_int_equal(result_estimate(&result, NULL), 0);
	assert_int_equal(render_result(&result, "text", &text, NULL), 0);
	check_has(text, "99 % interval +36.27 to +43.37 %");
	check_has(text, "boot SD 0.59 %, 7 degrees of freedom with history");
}

static void test_kernels(void **state)
{
	static const struct refusal rows[] = {
		{ "a,b", "names 2 of 3 kernels" },
		{ "a,b,x", "'x', which is no kernel" },
		{ "a,b,b", "names b twice" },
		{ "a,,b", "'', which is no kernel" },
	};
	_cleanup_(result_done) struct result result;

	(void)state;
	assert_int_equal(parse(PLAIN "1\ta\t3\n2\tb\t3\n3\tc\t3\n", &result, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { "" };

		assert_int_equal(points_design_apply(&result, NULL, rows[i].data, &err), -EINVAL);
		check_has(err.text, rows[i].part);
	}
}

static void test_mean_that_is_not_the_values(void **state)
{
	_cleanup_free_ char *text = analyze(
		HEADER "1\ta\tp\tc0\t1\t2\t0\t0\t2\t0\n2\tb\tq\tc1\t1\t9\t0\t0\t3\t0\n3\tc\tp\tc0\t1\t2\t0\t0\t2\t0\n",
		"text");

	(void)state;
	check_has(text, "Line 3 gives the mean 9, but its values have the mean 3.000000");
}

static void test_limits(void **state)
{
	struct text_buffer many _cleanup_text_ = { 0 };
	struct result result;
	struct error err = { "" };

	(void)state;
	text_append(&many, PLAIN);
	for (int i = 0; i <= POINTS_TSV_BOOTS_MAX; i++)
		text_printf(&many, "%d\t%s\t3\n", i, i % 2 ? "b" : "a");
	assert_int_equal(parse(many.text, &result, &err), -E2BIG);
	check_has(err.text, "more than 512 boots");
	text_buffer_done(&many);
	many = (struct text_buffer){ 0 };
	text_append(&many, HEADER "1\ta\tp\tc0\t1\t2\t0\t0\t");
	for (int i = 0; i <= POINTS_TSV_VALUES_MAX; i++)
		text_append(&many, "2 ");
	text_append(&many, "\t0\n");
	assert_int_equal(parse(many.text, &result, &err), -E2BIG);
	check_has(err.text, "more than 1000000 values");
	/* Larger than the limit: refused before a byte is looked at. */
	assert_int_equal(points_tsv_parse("", (size_t)POINTS_TSV_MAX_BYTES + 1, "big", &result, &err),
			 -EFBIG);
	assert_int_equal(points_tsv_parse("boot\0", 5, "binary", &result, &err), -EINVAL);
	check_has(err.text, "NUL");
	assert_int_equal(points_tsv_parse(NULL, 0, "none", &result, &err), -EINVAL);
}

/* Seeded damage to the published table: any answer, but no crash and no half-made result. */
static void test_mutations(void **state)
{
	static const char alphabet[] = "\t\n\r .-+0123456789eEnaxyz\xef\xbb\xff";
	uint32_t random = 12345;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		char data[] = GOLDEN;
		struct result result;
		size_t size = sizeof(data) - 1;

		for (int j = 0; j < 1 + i % 4; j++) {
			random = random * 1664525 + 1013904223;
			data[(random >> 8) % size] =
				alphabet[(random >> 4) % (sizeof(alphabet) - 1)];
		}
		random = random * 1664525 + 1013904223;
		if (i % 3 == 0)
			size = (random >> 8) % size;
		if (points_tsv_parse(data, size, "damaged", &result, NULL) < 0)
			continue;
		if (points_design_apply(&result, NULL, NULL, NULL) == 0 &&
		    result_estimate(&result, NULL) == 0) {
			char *text = NULL;

			assert_int_equal(render_result(&result, "text", &text, NULL), 0);
			free(text);
		}
		result_done(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published_pair),
		cmocka_unit_test(test_tolerated),
		cmocka_unit_test(test_plain_form),
		cmocka_unit_test(test_one_value),
		cmocka_unit_test(test_unequal_n),
		cmocka_unit_test(test_semantic_failures),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_designs),
		cmocka_unit_test(test_recognised),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_mean_that_is_not_the_values),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
