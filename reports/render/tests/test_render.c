// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whole reports against files kept beside this one. After an intended change run it
 * once with ABBOT_UPDATE_GOLDEN=1 and read the difference before committing it.
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
#include "common/file.h"
#include "common/text.h"
#include "reports/render/render.h"

static const double golden[3][15] = {
	{ 37, 38, 38, 38, 39, 37, 39, 37, 38, 39, 38, 38, 39, 39, 38 },
	{ 53, 53, 54, 53, 53, 54, 54, 54, 53, 54, 53, 53, 54, 54, 54 },
	{ 37, 39, 38, 39, 38, 39, 38, 39, 38, 39, 39, 39, 38, 39, 38 },
};

static const char *const boot_ids[3] = {
	"7f1e9c52-0d0a-4a57-9a53-3f5f5b1f2a01",
	"b0a4c0de-58a1-4c39-8f06-2c1d4f7e9b02",
	"29d3f1aa-7b6e-4d0f-a3c8-91e2d5c6f703",
};

static void fill_points(struct result *result)
{
	struct result_point *parent = result_add_point(result, "parent");
	struct result_point *child;

	parent->commit = text_duplicate("45199f715b7455a2e4054dbc5dab0c3b65e2abc1");
	parent->title = text_duplicate("mm: refactor the return value of change_pte_range()");
	parent->build_id = text_duplicate("0123456789abcdef0123456789abcdef01234567");
	parent->release = text_duplicate("6.16.0-rc5-ab0123456789ab");
	parent->config_sha256 = text_duplicate("9c1185a5c5e9fc54612808977ee8f548b2258d31");
	parent->compiler = text_duplicate("gcc (Debian 12.2.0-14) 12.2.0");
	child = result_add_point(result, "child");
	child->commit = text_duplicate("cac1db8c3aad97d6ffb56ced8868d6cbbbd2bfbe");
	child->title = text_duplicate("mm: optimize mprotect() by PTE batching, and a title so long that it must be wrapped");
	child->build_id = text_duplicate("fedcba9876543210fedcba9876543210fedcba98");
	child->release = text_duplicate("6.16.0-rc5-abba9876543210");
	child->config_sha256 = text_duplicate("9c1185a5c5e9fc54612808977ee8f548b2258d31");
	child->compiler = text_duplicate("gcc (Debian 12.2.0-14) 12.2.0");
}

static void fill_boots(struct result *result)
{
	static const double phases[3][3] = {
		{ 13, 13, 11.4 }, { 20, 20, 11.933333 }, { 13, 13, 11.8 },
	};
	static const char *const names[3] = { "protect", "restore", "touch" };

	for (size_t i = 0; i < 3; i++) {
		struct result_boot *boot = result_add_boot(result, i == 1);

		boot->attempt = 1;
		boot->is_complete = true;
		boot->boot_id = text_duplicate(boot_ids[i]);
		boot->build_id = text_duplicate(result->points[i == 1].build_id);
		boot->release = text_duplicate(result->points[i == 1].release);
		for (size_t j = 0; j < 15; j++)
			result_boot_add_value(boot, golden[i][j]);
		for (size_t j = 0; j < 3; j++)
			result_boot_add_phase(boot, names[j], phases[i][j]);
		result_boot_add_warmup(boot, golden[i][0] + 1);
	}
}

static void fill_job(struct result *result)
{
	result_init(result);
	result->job_id = 7;
	result->name = text_duplicate("pte-batching");
	result->status = RESULT_DONE;
	result->reason = text_duplicate("all 3 boots measured");
	result->design = text_duplicate("sandwich");
	result->order = text_duplicate("PCP");
	result->is_exact = true;
	result->repository = text_duplicate("/srv/linux");
	result->workload = text_duplicate("mprotect-toggle");
	result->metric = text_duplicate("iteration");
	result->unit = text_duplicate("ns/page");
	result->warmups = 3;
	result->processes = 15;
	fill_points(result);
	fill_boots(result);
	result->is_config_compared = true;
	result->is_config_equal = true;
	result_facts_add(&result->held_equal, "governor", "performance");
	result_facts_add(&result->held_equal, "mitigations",
			 "gather_data_sampling Not affected, itlb_multihit Not affected, meltdown Mitigation: PTI, spectre_v2 Mitigation: Retpolines");
	result_facts_add(&result->held_equal, "turbo", "off");
	result_facts_add(&result->held_equal, "compiler", "gcc (Debian 12.2.0-14) 12.2.0");
	result_facts_add(&result->measured_on, "cpu_model", "Intel(R) Core(TM) i7-12700KF");
	result_facts_add(&result->measured_on, "cpu", "2");
	result_facts_add(&result->measured_on, "not available", "epp");
	result_facts_sort(&result->held_equal);
	result_facts_sort(&result->measured_on);
}

static char *render(struct result *result, const char *format)
{
	struct error err = { "" };
	char *text = NULL;

	assert_int_equal(render_result(result, format, &text, &err), 0);
	assert_non_null(text);
	return text;
}

static void check_columns(const char *text)
{
	while (*text) {
		size_t size = strcspn(text, "\n");

		if (size > 80) {
			print_error("%zu columns: %.*s\n", size, (int)size, text);
			fail();
		}
		if (size && text[size - 1] == ' ') {
			print_error("trailing blank: %.*s\n", (int)size, text);
			fail();
		}
		text += size + (text[size] == '\n');
	}
}

static void check_golden(struct result *result, const char *format, const char *file)
{
	_cleanup_free_ char *text = render(result, format);
	_cleanup_free_ char *again = render(result, format);
	_cleanup_free_ char *expected = NULL;
	_cleanup_free_ char *directory = text_duplicate(__FILE__);
	_cleanup_free_ char *path = NULL;
	struct error err = { "" };

	*strrchr(directory, '/') = '\0';
	path = path_join(directory, file);
	if (getenv("ABBOT_UPDATE_GOLDEN"))
		assert_int_equal(file_write_durable(path, text, strlen(text), 0644, &err), 0);
	assert_int_equal(file_read(path, 1 << 20, &expected, NULL, &err), 0);
	assert_string_equal(text, expected);
	assert_string_equal(text, again);
	if (strcmp(format, "text") == 0)
		check_columns(text);
}

static void test_job(void **state)
{
	_cleanup_(result_done) struct result result;

	(void)state;
	fill_job(&result);
	assert_int_equal(result_estimate(&result, NULL), 0);
	check_golden(&result, "text", "sandwich.txt");
	check_golden(&result, "json", "sandwich.json");
}

static void test_emulated(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;
	char *line_end;

	(void)state;
	fill_job(&result);
	result.is_emulated = true;
	result.is_counted = true;
	assert_int_equal(result_estimate(&result, NULL), 0);
	check_golden(&result, "text", "emulated.txt");
	text = render(&result, "text");
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
	fill_job(&result);
	result.status = RESULT_INVALID;
	free(result.reason);
	result.reason = text_duplicate("boot 2 (child): a huge page was found in the mapping");
	assert_int_equal(result_estimate(&result, NULL), 0);
	check_golden(&result, "text", "invalid.txt");
	text = render(&result, "text");
	assert_int_equal(strncmp(text, "INVALID: boot 2 (child): a huge page", 36), 0);
	assert_null(strstr(text, "39.77"));
	assert_null(strstr(text, "midpoint"));
	json = render(&result, "json");
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
	fill_points(&result);
	result.points[1].failure = text_duplicate("it does not build");
	result.points[1].log_tail = text_duplicate(
		"  CC      mm/mprotect.o\n"
		"mm/mprotect.c:88:2: error: expected ';' before 'return'\n"
		"\x1b[31mmake[3]: *** [scripts/Makefile.build:243: mm/mprotect.o] Error 1\n"
		"make: *** [Makefile:240: __sub-make] Error 2\n");
	assert_int_equal(result_estimate(&result, NULL), 0);
	check_golden(&result, "text", "failed.txt");
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
	fill_points(&result);
	for (size_t i = 0; i < 7; i++) {
		struct result_boot *boot = result_add_boot(&result, i % 2);

		boot->is_complete = true;
		boot->attempt = i == 3 ? 2 : 1;
		result_boot_add_value(boot, means[i]);
		result_boot_add_value(boot, means[i]);
		result_boot_add_phase(boot, "protect", means[i] / 3);
	}
	assert_int_equal(result_estimate(&result, NULL), 0);
	check_golden(&result, "text", "seven-boots.txt");
}

static void test_running(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;

	(void)state;
	fill_job(&result);
	result.status = RESULT_RUNNING;
	result.boots[2].n_values = 4;
	result.boots[2].is_complete = false;
	assert_int_equal(result_estimate(&result, NULL), 0);
	assert_false(result.estimates.is_present);
	text = render(&result, "text");
	assert_int_equal(strncmp(text, "RUNNING: 2 of 3 boots", 21), 0);
	check_columns(text);
}

/* Nothing at all must still be a report. */
static void test_empty(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *json = NULL;

	(void)state;
	result_init(&result);
	text = render(&result, "text");
	json = render(&result, "json");
	assert_int_equal(strncmp(text, "QUEUED:", 7), 0);
	assert_non_null(strstr(json, "\"schema\": 1"));
	/* Ended, yet nothing to compare: the reason, not the word of an empty verdict. */
	result.status = RESULT_DONE;
	result.reason = text_duplicate("nothing was asked for");
	free(text);
	text = render(&result, "text");
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
	fill_job(&result);
	free(result.points[1].title);
	result.points[1].title = text_duplicate("\x1b]0;owned\x07 caf\xe9 \xc2\x9b" "31m \"quoted\"\n");
	assert_int_equal(result_estimate(&result, NULL), 0);
	text = render(&result, "text");
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (unsigned char)*c >= ' ');
	assert_null(strstr(text, "\xc2\x9b"));
	json = render(&result, "json");
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
	fill_job(&result);
	assert_int_equal(result_estimate(&result, NULL), 0);
	json = render(&result, "json");
	parsed = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(parsed);
	mean = json_object_get(json_object_get(parsed, "estimates"), "mean");
	assert_true(fabs(json_number_value(json_object_get(mean, "delta_pct")) - 39.773716) < 1e-9);
	assert_non_null(strstr(json, "\"midpoint\": 38.300000"));
	assert_int_equal(json_array_size(json_object_get(parsed, "boots")), 3);
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
		cmocka_unit_test(test_unknown_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
