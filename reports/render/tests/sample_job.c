// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The published pair as a job, and files of expected reports. After an intended change
 * run the tests once with ABBOT_UPDATE_GOLDEN=1 and read the difference before committing.
 */
#include "reports/render/tests/sample_job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/paths.h"
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

void sample_points(struct result *result)
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

void sample_job(struct result *result)
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
	sample_points(result);
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

char *sample_render(struct result *result, const char *format)
{
	struct error err = { "" };
	char *text = NULL;

	assert_int_equal(render_result(result, format, &text, &err), 0);
	assert_non_null(text);
	return text;
}

static size_t columns_of(const char *text, size_t size)
{
	size_t columns = 0;

	for (size_t i = 0; i < size; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

void sample_check_columns(const char *text, size_t most)
{
	while (*text) {
		size_t size = strcspn(text, "\n");

		if (columns_of(text, size) > most) {
			print_error("more than %zu columns: %.*s\n", most, (int)size, text);
			fail();
		}
		if (size && text[size - 1] == ' ') {
			print_error("trailing blank: %.*s\n", (int)size, text);
			fail();
		}
		text += size + (text[size] == '\n');
	}
}

void sample_check_golden(struct result *result, const char *format, const char *file)
{
	_cleanup_free_ char *text = sample_render(result, format);
	_cleanup_free_ char *again = sample_render(result, format);
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
		sample_check_columns(text, 80);
}
