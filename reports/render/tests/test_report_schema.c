// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON reports of every design and state against reports/render/abbot-report.schema.json,
 * and reports that were changed by hand, which it must refuse.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/tests/json_schema.h"
#include "common/text.h"
#include "reports/render/points_design.h"
#include "reports/render/points_tsv.h"
#include "reports/render/result_finding.h"
#include "reports/render/tests/sample_job.h"

#define SCHEMA "reports/render/abbot-report.schema.json"

static json_t *report_of(struct result *result)
{
	_cleanup_free_ char *text = sample_render(result, "json");
	json_error_t error;
	json_t *report = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!report)
		fail_msg("%s", error.text);
	return report;
}

static void assert_valid(struct result *result, const char *what)
{
	_cleanup_json_ json_t *schema = json_schema_load(SCHEMA);
	_cleanup_json_ json_t *report = report_of(result);
	struct error err = { "" };

	if (json_schema_validate(schema, report, &err) < 0)
		fail_msg("%s: %s", what, err.text);
}

static void test_states(void **state)
{
	static const enum result_status statuses[] = {
		RESULT_QUEUED, RESULT_RUNNING, RESULT_PAUSED, RESULT_DONE, RESULT_INCONCLUSIVE,
		RESULT_INVALID, RESULT_FAILED, RESULT_CANCELLED,
	};
	_cleanup_(result_done) struct result empty;

	(void)state;
	result_init(&empty);
	assert_valid(&empty, "empty");
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		_cleanup_(result_done) struct result result;

		sample_job(&result);
		result.status = statuses[i];
		result.is_config_equal = false;
		result_texts_add(&result.config_differences, "CONFIG_A=y, only child has it");
		result.points[1].failure = text_duplicate("it does not build");
		result_facts_add(&result.boots[1].diagnosis, "calls of x", "4096");
		result_facts_add(&result.boots[1].diagnosis, "no perf", "it is not there");
		assert_int_equal(result_estimate(&result, NULL), 0);
		assert_valid(&result, result_status_name(statuses[i]));
	}
}

/* A letter a boot, whose values are its letter's level, drift and scatter. */
static void test_designs(void **state)
{
	static const char *const rows[] = {
		"aba", "abababa", "abba", "abc", "abccba", "abdccdba", "abcba", "abcdcba",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_text_ struct text_buffer data = { 0 };
		_cleanup_(result_done) struct result result;

		text_append(&data, "boot\tpoint\tvalue\n");
		for (size_t j = 0; rows[i][j]; j++)
			for (size_t k = 0; k < 2 + j % 2; k++)
				text_printf(&data, "%zu\t%c\t%g\n", j, rows[i][j],
					    100 + 4 * (rows[i][j] - 'a') + 0.3 * (double)(j * j % 5) +
						    0.1 * (double)k);
		assert_int_equal(points_tsv_parse(data.text, data.size, "x", &result, NULL), 0);
		assert_int_equal(points_design_apply(&result, NULL, NULL, NULL), 0);
		assert_int_equal(result_estimate(&result, NULL), 0);
		assert_valid(&result, rows[i]);
	}
}

static void test_several_workloads(void **state)
{
	_cleanup_(result_done) struct result result;

	(void)state;
	sample_job(&result);
	result.bench = text_duplicate("toggle");
	result.further = calloc(1, sizeof(*result.further));
	assert_non_null(result.further);
	result.n_further = 1;
	sample_job(&result.further[0]);
	result.further[0].bench = text_duplicate("fault");
	assert_int_equal(result_estimate(&result, NULL), 0);
	assert_int_equal(result_estimate(&result.further[0], NULL), 0);
	result_warn(&result.further[0], "drift", RESULT_NONE, RESULT_NONE, "Only here.");
	result_finding_take(&result, &result.further[0]);
	assert_valid(&result, "two workloads");
	/* What both found is there once. */
	assert_int_equal(result.findings.n, 3);
	assert_string_equal(result.findings.items[2].workload, "fault");
	assert_string_equal(result.findings.items[2].text, "Only here.");
}

static void test_findings(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_json_ json_t *report = NULL;
	const json_t *findings, *finding;

	(void)state;
	sample_job(&result);
	result.boots[1].attempt = 2;
	for (size_t i = 0; result_finding_kinds[i]; i++)
		result_finding_add(&result, result_finding_kinds[i], 1, 1, "WARNING: \x1b[31m");
	result_finding_add(&result, "made up by a guest", 2, 1, "x");
	result_warn(&result, "attempts", 1, RESULT_NONE, "Boot %d.", 2);
	result_warn(&result, "rung-drift", RESULT_NONE, 0, "It.");
	result_warn(&result, "quantised", RESULT_NONE, RESULT_NONE, "All.");
	assert_valid(&result, "every kind");
	report = report_of(&result);
	findings = json_object_get(report, "findings");
	finding = json_array_get(findings, json_array_size(findings) - 4);
	assert_string_equal(json_string_value(json_object_get(finding, "kind")), "other");
	finding = json_array_get(findings, json_array_size(findings) - 3);
	assert_int_equal(json_integer_value(json_object_get(finding, "boot")), 2);
	assert_int_equal(json_integer_value(json_object_get(finding, "attempt")), 2);
	assert_string_equal(json_string_value(json_object_get(finding, "point")), "child");
	assert_string_equal(json_string_value(json_object_get(finding, "text")), "Boot 2.");
	finding = json_array_get(findings, json_array_size(findings) - 2);
	assert_true(json_is_null(json_object_get(finding, "boot")));
	assert_string_equal(json_string_value(json_object_get(finding, "point")), "parent");
	finding = json_array_get(findings, json_array_size(findings) - 1);
	assert_true(json_is_null(json_object_get(finding, "point")));
	/* The warnings are for people, and hold no finding of the kernels by themselves. */
	assert_int_equal(result.warnings.n, 3);
}

/* Both ways: no kind is in one list only. */
static void test_kinds_are_the_schema_s(void **state)
{
	_cleanup_json_ json_t *schema = json_schema_load(SCHEMA);
	const json_t *kind = json_object_get(json_object_get(json_object_get(
		json_object_get(schema, "$defs"), "finding"), "properties"), "kind");
	const json_t *kinds = json_object_get(kind, "enum");
	size_t n = 0;

	(void)state;
	for (; result_finding_kinds[n]; n++)
		assert_string_equal(json_string_value(json_array_get(kinds, n)),
				    result_finding_kinds[n]);
	assert_int_equal(json_array_size(kinds), n);
}

static void test_wrong_reports_are_refused(void **state)
{
	static const struct {
		const char *key;  /* of the report, or of its first boot */
		bool is_of_boot;
		const char *value;
		const char *words;
	} rows[] = {
		{ "verdict", false, "\"WORSE\"", "$.verdict: is none of the words" },
		{ "schema", false, "2", "$.schema: is not the constant" },
		{ "surprise", false, "1", "$.surprise: is not in the schema" },
		{ "mean", true, "\"38\"", "$.boots[].mean: is of another type" },
		{ "boot", true, "0", "$.boots[].boot: is too small" },
		{ "values", true, "[null]", "$.boots[].values[]: is of another type" },
		{ "findings", false, "[{}]", "$.findings[]: lacks kind" },
		{ "estimates", false, "{}", "$.estimates: lacks mean" },
	};
	_cleanup_json_ json_t *schema = json_schema_load(SCHEMA);
	_cleanup_(result_done) struct result result;

	(void)state;
	sample_job(&result);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_json_ json_t *report = report_of(&result);
		json_t *of = rows[i].is_of_boot ?
			json_array_get(json_object_get(report, "boots"), 0) : report;
		struct error err = { "" };

		json_object_set_new(of, rows[i].key, json_loads(rows[i].value, JSON_DECODE_ANY, NULL));
		assert_int_equal(json_schema_validate(schema, report, &err), -EINVAL);
		if (!strstr(err.text, rows[i].words))
			fail_msg("%s: %s", rows[i].key, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_designs),
		cmocka_unit_test(test_several_workloads),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_kinds_are_the_schema_s),
		cmocka_unit_test(test_wrong_reports_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
