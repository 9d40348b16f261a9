// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text and JSON reports of every state of a job against files kept beside this one.
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
#include "reports/render/comparison.h"
#include "reports/render/render.h"
#include "reports/render/tests/sample_job.h"

static void test_job(void **state)
{
	_cleanup_(result_done) struct result result;

	(void)state;
	sample_job(&result);
	assert_int_equal(result_estimate(&result, NULL), 0);
	sample_check_golden(&result, "text", "sandwich.txt");
	sample_check_golden(&result, "json", "sandwich.json");
}

static void test_emulated(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;
	char *line_end;

	(void)state;
	sample_job(&result);
	result.is_emulated = true;
	result.is_counted = true;
	assert_int_equal(result_estimate(&result, NULL), 0);
	sample_check_golden(&result, "text", "emulated.txt");
	text = sample_render(&result, "text");
	line_end = strchr(text, '\n');
	assert_non_null(line_end);
	*line_end = '\0';
	assert_non_null(strstr(text, "instruction counts of an emulated machine"));
}

/* No figure of a comparison anywhere: not in the headline, not below it, not in the JSON. */
static void test_invalid(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *json = NULL;

	(void)state;
	sample_job(&result);
	result.status = RESULT_INVALID;
	free(result.reason);
	result.reason = text_duplicate("boot 2 (child): a huge page was found in the mapping");
	assert_int_equal(result_estimate(&result, NULL), 0);
	sample_check_golden(&result, "text", "invalid.txt");
	text = sample_render(&result, "text");
	assert_int_equal(strncmp(text, "INVALID: boot 2 (child): a huge page", 36), 0);
	assert_null(strstr(text, "39.77"));
	assert_null(strstr(text, "midpoint"));
	json = sample_render(&result, "json");
	assert_non_null(strstr(json, "\"estimates\": null"));
	assert_non_null(strstr(json, "\"verdict\": null"));
	assert_null(strstr(json, "39.77"));
}

static void test_failed_build(void **state)
{
	_cleanup_(result_done) struct result result;

	(void)state;
	result_init(&result);
	result.job_id = 8;
	result.status = RESULT_FAILED;
	result.reason = text_duplicate("child was not built: mm/mprotect.c:88:2: error: expected ';'");
	result.design = text_duplicate("sandwich");
	result.order = text_duplicate("PCP");
	sample_points(&result);
	result.points[1].failure = text_duplicate("it does not build");
	result.points[1].log_tail = text_duplicate(
		"  CC      mm/mprotect.o\n"
		"mm/mprotect.c:88:2: error: expected ';' before 'return'\n"
		"\x1b[31mmake[3]: *** [scripts/Makefile.build:243: mm/mprotect.o] Error 1\n"
		"make: *** [Makefile:240: __sub-make] Error 2\n");
	assert_int_equal(result_estimate(&result, NULL), 0);
	sample_check_golden(&result, "text", "failed.txt");
}

/* Seven boots: phases as midpoint and child, an outlier boot listed, drift fitted. */
static void test_seven_boots(void **state)
{
	static const double means[] = { 100, 103.2, 100.6, 103.9, 110.99, 104.1, 101.5 };
	_cleanup_(result_done) struct result result;

	(void)state;
	result_init(&result);
	result.status = RESULT_DONE;
	result.design = text_duplicate("sandwich");
	result.order = text_duplicate("PCPCPCP");
	result.unit = text_duplicate("ns/page");
	sample_points(&result);
	for (size_t i = 0; i < 7; i++) {
		struct result_boot *boot = result_add_boot(&result, i % 2);

		boot->is_complete = true;
		boot->attempt = i == 3 ? 2 : 1;
		result_boot_add_value(boot, means[i]);
		result_boot_add_value(boot, means[i]);
		result_boot_add_phase(boot, "protect", means[i] / 3);
	}
	assert_int_equal(result_estimate(&result, NULL), 0);
	sample_check_golden(&result, "text", "seven-boots.txt");
}

static void test_running(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;

	(void)state;
	sample_job(&result);
	result.status = RESULT_RUNNING;
	result.boots[2].n_values = 4;
	result.boots[2].is_complete = false;
	assert_int_equal(result_estimate(&result, NULL), 0);
	assert_false(result.estimates.is_present);
	text = sample_render(&result, "text");
	assert_int_equal(strncmp(text, "RUNNING: 2 of 3 boots", 21), 0);
	sample_check_columns(text, 80);
}

/* Nothing at all must still be a report. */
static void test_empty(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *json = NULL;

	(void)state;
	result_init(&result);
	text = sample_render(&result, "text");
	json = sample_render(&result, "json");
	assert_int_equal(strncmp(text, "QUEUED:", 7), 0);
	assert_non_null(strstr(json, "\"schema\": 1"));
	/* Ended, yet nothing to compare: the reason, not the word of an empty verdict. */
	result.status = RESULT_DONE;
	result.reason = text_duplicate("nothing was asked for");
	free(text);
	text = sample_render(&result, "text");
	assert_int_equal(strncmp(text, "DONE: nothing was asked for\n", 28), 0);
}

/* Text that others wrote reaches no terminal as control characters, and breaks no JSON. */
static void test_hostile_text(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *json = NULL;
	_cleanup_json_ json_t *parsed = NULL;

	(void)state;
	sample_job(&result);
	free(result.points[1].title);
	result.points[1].title = text_duplicate("\x1b]0;owned\x07 caf\xe9 \xc2\x9b" "31m \"quoted\"\n");
	assert_int_equal(result_estimate(&result, NULL), 0);
	text = sample_render(&result, "text");
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (unsigned char)*c >= ' ');
	assert_null(strstr(text, "\xc2\x9b"));
	json = sample_render(&result, "json");
	parsed = json_loads(json, 0, NULL);
	assert_non_null(parsed);
}

static void test_json_reads_back(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *json = NULL;
	_cleanup_json_ json_t *parsed = NULL;
	const json_t *mean;

	(void)state;
	sample_job(&result);
	assert_int_equal(result_estimate(&result, NULL), 0);
	json = sample_render(&result, "json");
	parsed = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(parsed);
	mean = json_object_get(json_object_get(parsed, "estimates"), "mean");
	assert_true(fabs(json_number_value(json_object_get(mean, "delta_pct")) - 39.773716) < 1e-9);
	assert_non_null(strstr(json, "\"midpoint\": 38.300000"));
	assert_int_equal(json_array_size(json_object_get(parsed, "boots")), 3);
}

/* A second workload in the same boots, which the change does not touch. */
static void sample_workloads(struct result *result)
{
	struct result *further;

	sample_job(result);
	result->bench = text_duplicate("toggle");
	result->further = calloc(1, sizeof(*result->further));
	assert_non_null(result->further);
	result->n_further = 1;
	further = &result->further[0];
	sample_job(further);
	further->bench = text_duplicate("write-fault");
	free(further->workload);
	further->workload = text_duplicate("write-fault");
	free(further->metric);
	further->metric = text_duplicate("fault");
	for (size_t i = 0; i < further->n_boots; i++)
		for (size_t j = 0; j < further->boots[i].n_values; j++)
			further->boots[i].values[j] = 190 + 0.05 * (double)(j % 3);
	assert_int_equal(result_estimate(result, NULL), 0);
	assert_int_equal(result_estimate(further, NULL), 0);
}

static void test_workloads(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *json = NULL;
	_cleanup_free_ char *html = NULL;
	_cleanup_json_ json_t *parsed = NULL;
	const json_t *workloads;
	struct error err = { "" };
	char *tsv = NULL;

	(void)state;
	sample_workloads(&result);
	sample_check_golden(&result, "text", "workloads.txt");
	json = sample_render(&result, "json");
	parsed = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
	workloads = json_object_get(parsed, "workloads");
	assert_int_equal(json_array_size(workloads), 2);
	assert_string_equal(json_string_value(json_object_get(json_array_get(workloads, 0), "verdict")),
			    "REGRESSION");
	assert_string_equal(json_string_value(json_object_get(json_array_get(workloads, 1), "verdict")),
			    "NO CHANGE");
	html = sample_render(&result, "html");
	assert_non_null(strstr(html, "Workloads of the same boots"));
	assert_non_null(strstr(html, "write-fault: fault in ns/page"));
	/* A table has one column of values: it is told how to get one. */
	assert_int_equal(render_result(&result, "tsv", &tsv, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--workload: toggle, write-fault"));
}

/* No number for one of two: the first screen says which, and why; the other keeps its own. */
static void test_one_invalid_workload(void **state)
{
	static const char why[] = "boot 2 (child): a huge page";

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		_cleanup_(result_done) struct result result;
		_cleanup_free_ char *text = NULL;
		_cleanup_free_ char *html = NULL;
		_cleanup_free_ char *json = NULL;
		struct result *invalid;

		sample_workloads(&result);
		invalid = i ? &result.further[0] : &result;
		invalid->status = RESULT_INVALID;
		free(invalid->reason);
		invalid->reason = text_duplicate(why);
		invalid->estimates.is_present = false;
		sample_check_golden(&result, "text",
				    i ? "second-invalid.txt" : "first-invalid.txt");
		text = sample_render(&result, "text");
		assert_non_null(strstr(text, i ? "\n  write-fault has no number: boot 2 (child): a huge page\n"
					       : "INVALID: toggle has no number, the other workloads do: boot 2 (child)"));
		html = sample_render(&result, "html");
		assert_non_null(strstr(html, why));
		json = sample_render(&result, "json");
		assert_non_null(strstr(json, i ? "REGRESSION" : "NO CHANGE"));
		assert_non_null(strstr(json, why));
	}
}

/* Two jobs of two workloads each, one of them without a number. */
static void test_comparison_of_several(void **state)
{
	_cleanup_(result_done) struct result a, b;
	_cleanup_(comparison_done) struct comparison comparison = { 0 };
	_cleanup_free_ char *text = NULL;
	struct metrics_side old = { .result = &a, .point = 1 }, new = { .result = &b, .point = 1 };
	struct error err = { "" };

	(void)state;
	sample_workloads(&a);
	sample_workloads(&b);
	b.job_id = a.job_id + 1;
	b.further[0].job_id = b.job_id;
	b.status = RESULT_INVALID;
	free(b.reason);
	b.reason = text_duplicate("a huge page");
	assert_int_equal(comparison_make(&old, &new, NULL, &comparison, &err), 0);
	assert_int_equal(comparison.metrics.n_rows, 4);
	assert_string_equal(comparison.metrics.rows[0].name, "fault");
	assert_int_equal(comparison_render(&comparison, "text", &text, &err), 0);
	sample_check_columns(text, 82); /* bytes: the sign is two of them */
	assert_non_null(strstr(text, "\nwrite-fault, ns/page\nfault "));
	assert_non_null(strstr(text, "Workload toggle: they cannot be compared: job 8 is INVALID"));
	comparison_done(&comparison);
	/* Neither has one left. */
	b.further[0].status = RESULT_FAILED;
	assert_int_equal(comparison_make(&old, &new, NULL, &comparison, &err), -EPERM);
	assert_non_null(strstr(err.text, "is FAILED"));
}

static void test_one_workload_of_several(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *tsv = NULL;
	struct error err = { "" };

	(void)state;
	sample_workloads(&result);
	assert_int_equal(result_take_bench(&result, "fault", &err), -EINVAL);
	assert_non_null(strstr(err.text, "toggle, write-fault"));
	assert_int_equal(result_take_bench(&result, "write-fault", &err), 0);
	assert_int_equal(result.n_further, 0);
	text = sample_render(&result, "text");
	assert_int_equal(strncmp(text, "NO CHANGE", 9), 0);
	tsv = sample_render(&result, "tsv");
	assert_non_null(strstr(tsv, "\t190.05"));
	assert_int_equal(result_take_bench(&result, "write-fault", &err), 0);
}

static void test_unknown_format(void **state)
{
	_cleanup_(result_done) struct result result;
	struct error err = { "" };
	char *text = NULL;

	(void)state;
	result_init(&result);
	assert_int_equal(render_result(&result, "jsno", &text, &err), -EINVAL);
	assert_null(text);
	assert_non_null(strstr(err.text, "jsno"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_job),
		cmocka_unit_test(test_emulated),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_failed_build),
		cmocka_unit_test(test_seven_boots),
		cmocka_unit_test(test_running),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_json_reads_back),
		cmocka_unit_test(test_workloads),
		cmocka_unit_test(test_one_invalid_workload),
		cmocka_unit_test(test_comparison_of_several),
		cmocka_unit_test(test_one_workload_of_several),
		cmocka_unit_test(test_unknown_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
