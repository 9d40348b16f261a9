// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * TSV, mail and HTML of a sandwich, and every format of a sweep and a ladder, against
 * files kept beside this one.
 */
#include <errno.h>
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
#include "reports/render/mail_lint.h"
#include "reports/render/points_design.h"
#include "reports/render/points_tsv.h"
#include "reports/render/render.h"
#include "reports/render/tests/sample_job.h"
#include "reports/statistics/orders.h"

static void add_recipients(struct result *result)
{
	result->mail.subject_prefix = text_duplicate("mm/mprotect");
	result_texts_add(&result->mail.to, "linux-mm@kvack.org");
	result_texts_add(&result->mail.cc, "A Maintainer <maintainer@kernel.org>");
}

static void test_sandwich(void **state)
{
	_cleanup_(result_done) struct result result;

	(void)state;
	sample_job(&result);
	add_recipients(&result);
	assert_int_equal(result_estimate(&result, NULL), 0);
	sample_check_golden(&result, "tsv", "sandwich-points.tsv");
	sample_check_golden(&result, "tsv-components", "sandwich-components.tsv");
	sample_check_golden(&result, "tsv-comparison", "sandwich-comparison.tsv");
	sample_check_golden(&result, "html", "sandwich.html");
	sample_check_golden(&result, "mail", "sandwich.mail");
	result.mail.reply_to = text_duplicate("<20250718090244.21092-7@host>");
	sample_check_golden(&result, "mail", "sandwich-reply.mail");
}

/* The nine published boots, by sums of 15 processes in ns/page. */
static void fill_ladder(struct result *result)
{
	static const char *const names[] = { "parent", "child", "fastpath", "folioonly", "nofolio" };
	static const int sums[9] = { 581, 794, 702, 704, 609, 703, 704, 795, 583 };

	result_init(result);
	result->status = RESULT_DONE;
	result->unit = text_duplicate("ns/page");
	for (size_t i = 0; i < 5; i++)
		result_add_point(result, names[i]);
	for (size_t i = 0; i < 9; i++) {
		struct result_boot *boot = result_add_boot(result, order_ladder(5, i));

		boot->is_complete = true;
		for (int j = 0; j < 15; j++) {
			int value = sums[i] / 15 + (j < sums[i] % 15);

			result_boot_add_value(boot, value);
		}
	}
}

static void check_all_formats(struct result *result, const char *name)
{
	static const char *const formats[] = { "text", "json", "tsv", "tsv-comparison", "mail", "html" };
	static const char *const ends[] = { ".txt", ".json", "-points.tsv", "-comparison.tsv",
					    ".mail", ".html" };

	add_recipients(result);
	for (size_t i = 0; i < 6; i++) {
		_cleanup_free_ char *file = text_format("%s%s", name, ends[i]);

		sample_check_golden(result, formats[i], file);
	}
}

static void test_ladder(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *json = NULL;

	(void)state;
	fill_ladder(&result);
	assert_int_equal(points_design_apply(&result, NULL, NULL, NULL), 0);
	assert_string_equal(result.design, "ladder");
	assert_int_equal(result_estimate(&result, NULL), 0);
	check_all_formats(&result, "ladder");
	json = sample_render(&result, "json");
	assert_non_null(strstr(json, "\"original_pct\": 36.512027"));
	assert_non_null(strstr(json, "\"residual_pct\": 12.705882"));
	assert_non_null(strstr(json, "\"verdict\": null"));
}

static void test_ladder_of_other_bases(void **state)
{
	_cleanup_(result_done) struct result result;
	struct error err = { "" };

	(void)state;
	fill_ladder(&result);
	result.points[1].commit = text_duplicate("cac1db8c3aad97d6ffb56ced8868d6cbbbd2bfbe");
	result.points[3].commit = text_duplicate("45199f715b7455a2e4054dbc5dab0c3b65e2abc1");
	assert_int_equal(points_design_apply(&result, "ladder", NULL, NULL), 0);
	assert_int_equal(result_estimate(&result, &err), -EINVAL);
	assert_non_null(strstr(err.text, "folioonly is based on commit 45199f715b74"));
}

static void test_sweep(void **state)
{
	static const double effects[] = { 100, 104, 104.2, 103.9 };
	_cleanup_(result_done) struct result result;

	(void)state;
	result_init(&result);
	result.status = RESULT_DONE;
	for (size_t i = 0; i < 4; i++) {
		_cleanup_free_ char *name = text_format("v6.1%zu", 6 + i);

		result_add_point(&result, name);
	}
	for (size_t i = 0; i < 16; i++) {
		size_t kernel = order_sweep(4, i);
		struct result_boot *boot = result_add_boot(&result, kernel);

		boot->ordinal = (double)i;
		boot->is_complete = true;
		for (int j = 0; j < 4; j++)
			result_boot_add_value(boot, effects[kernel] + 0.05 * (double)i +
							    0.1 * (double)((7 * i) % 5) + 0.25 * j);
	}
	assert_int_equal(points_design_apply(&result, NULL, NULL, NULL), 0);
	assert_string_equal(result.order, "ABDCCDBABCADDACB");
	assert_string_equal(result.points[2].name, "v6.18");
	assert_int_equal(result_estimate(&result, NULL), 0);
	assert_int_equal(result.estimates.sweep.window, 0);
	check_all_formats(&result, "sweep");
}

/* What the table of points says comes back from it, byte for byte. */
static void test_tsv_reads_back(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_(result_done) struct result again;
	_cleanup_free_ char *first = NULL;
	_cleanup_free_ char *second = NULL;

	(void)state;
	sample_job(&result);
	free(result.points[1].commit);
	result.points[1].commit = NULL;
	result.boots[0].values[0] = 0.1 + 0.2;
	result.boots[0].values[1] = 1e11 / 3;
	assert_int_equal(result_estimate(&result, NULL), 0);
	first = sample_render(&result, "tsv");
	assert_int_equal(points_tsv_parse(first, strlen(first), "again", &again, NULL), 0);
	assert_memory_equal(again.boots[0].values, result.boots[0].values, 15 * sizeof(double));
	assert_null(again.points[1].commit);
	assert_int_equal(result_estimate(&again, NULL), 0);
	second = sample_render(&again, "tsv");
	assert_string_equal(first, second);
}

/* The probes of a job are commits of their own; in its table they are changes to the child. */
static void test_ladder_of_a_job_reads_back(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_(result_done) struct result again;
	_cleanup_free_ char *tsv = NULL;

	(void)state;
	fill_ladder(&result);
	result.job_id = 9;
	for (size_t i = 0; i < 5; i++)
		result.points[i].commit = text_format("%c0f66057204ded34da0d6801a0cba8b88d47b3e3",
						      (char)('a' + i));
	assert_int_equal(points_design_apply(&result, "ladder", NULL, NULL), 0);
	assert_int_equal(result_estimate(&result, NULL), 0);
	tsv = sample_render(&result, "tsv");
	assert_int_equal(points_tsv_parse(tsv, strlen(tsv), "again", &again, NULL), 0);
	assert_int_equal(points_design_apply(&again, NULL, NULL, NULL), 0);
	assert_string_equal(again.design, "ladder");
	assert_int_equal(result_estimate(&again, NULL), 0);
	assert_true(again.estimates.has_ladder);
}

static void check_refused(struct result *result, const char *format, const char *part)
{
	struct error err = { "" };
	char *text = NULL;

	assert_int_equal(render_result(result, format, &text, &err), -EINVAL);
	assert_null(text);
	if (!strstr(err.text, part)) {
		print_error("no \"%s\" in: %s\n", part, err.text);
		fail();
	}
}

static void test_refusals(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_(result_done) struct result running;

	(void)state;
	sample_job(&result);
	assert_int_equal(result_estimate(&result, NULL), 0);
	check_refused(&result, "mail", "no maintainer and no list");
	result.mail.note = text_duplicate("the tree has no such script");
	check_refused(&result, "mail", "names them); the tree has no such script: name them with --to");
	add_recipients(&result);
	result.mail.reply_to = text_duplicate("bad id\nBcc: everybody@kernel.org");
	check_refused(&result, "mail", "is no message id");
	sample_job(&running);
	running.status = RESULT_RUNNING;
	check_refused(&running, "mail", "no result to mail: the job is RUNNING");
	check_refused(&running, "tsv", "no measured value yet");
	check_refused(&running, "tsv-components", "no phases");
	check_refused(&running, "tsv-comparison", "nothing to compare: it is RUNNING");
}

/* A rehearsal is no evidence: nothing that asks a maintainer to act. */
static void test_emulated_mail(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *mail = NULL;

	(void)state;
	sample_job(&result);
	add_recipients(&result);
	result.is_emulated = true;
	assert_int_equal(result_estimate(&result, NULL), 0);
	mail = sample_render(&result, "mail");
	assert_null(strstr(mail, "#regzbot"));
	assert_null(strstr(mail, "Subject: [REGRESSION]"));
	assert_null(strstr(mail, MAIL_REGRESSIONS_LIST));
	assert_non_null(strstr(mail, "Subject: [EMULATED] mm/mprotect: "));
}

/* Of a patch on top of it the base is innocent: the subject is about the patch. */
static void test_mail_of_changes(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *mail = NULL;

	(void)state;
	sample_job(&result);
	result_texts_add(&result.mail.to, "linux-mm@kvack.org");
	free(result.points[1].title);
	result.points[1].title = text_duplicate("Linux 7.1 + mm/mprotect: look twice");
	result_texts_add(&result.points[1].changes, "patch 1.patch (mm/mprotect: look twice)");
	assert_int_equal(result_estimate(&result, NULL), 0);
	mail = sample_render(&result, "mail");
	assert_non_null(strstr(mail, "Subject: mm/mprotect: mprotect-toggle +39.77 % ns/page by"));
	assert_null(strstr(mail, " since "));
}

/* The subsystem comes from the culprit's title where nobody names it. */
static void test_prefix_of_title(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *mail = NULL;

	(void)state;
	sample_job(&result);
	result_texts_add(&result.mail.to, "linux-mm@kvack.org");
	assert_int_equal(result_estimate(&result, NULL), 0);
	mail = sample_render(&result, "mail");
	assert_non_null(strstr(mail, "Subject: [REGRESSION] mm: mprotect-toggle +39.77 %"));
	free(result.points[1].title);
	result.points[1].title = text_duplicate("no subsystem at all");
	check_refused(&result, "mail", "no subsystem prefix");
}

/* Nothing that others wrote may mean anything to a browser, and nothing is loaded. */
static void test_hostile_html(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *html = NULL;

	(void)state;
	sample_job(&result);
	free(result.points[1].title);
	free(result.points[1].name);
	result.points[1].title = text_duplicate("</title><script>alert('1')</script> caf\xe9 \x1b[31m");
	result.points[1].name = text_duplicate("<img src=x onerror=\"y\">&amp;");
	result_facts_add(&result.measured_on, "<b>", "\"><iframe>");
	result_texts_add(&result.warnings, "<svg onload=x>");
	assert_int_equal(result_estimate(&result, NULL), 0);
	html = sample_render(&result, "html");
	assert_null(strstr(html, "<script"));
	assert_null(strstr(html, "<img"));
	assert_null(strstr(html, "<iframe"));
	assert_null(strstr(html, "<b>&"));
	assert_null(strstr(html, "<svg onload"));
	assert_null(strstr(html, " src=\""));
	assert_null(strstr(html, "href"));
	assert_null(strstr(html, "url("));
	assert_non_null(strstr(html, "&lt;script&gt;alert(&#39;1&#39;)"));
	assert_non_null(strstr(html, "&amp;amp;"));
	assert_non_null(strstr(html, "caf? ?[31m"));
}

static void test_invalid_html(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_free_ char *html = NULL;

	(void)state;
	sample_job(&result);
	result.status = RESULT_INVALID;
	assert_int_equal(result_estimate(&result, NULL), 0);
	html = sample_render(&result, "html");
	assert_null(strstr(html, "39.77"));
	assert_null(strstr(html, "class=\"hero\""));
	assert_non_null(strstr(html, ">INVALID</span>"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sandwich),
		cmocka_unit_test(test_ladder),
		cmocka_unit_test(test_ladder_of_other_bases),
		cmocka_unit_test(test_sweep),
		cmocka_unit_test(test_tsv_reads_back),
		cmocka_unit_test(test_ladder_of_a_job_reads_back),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_emulated_mail),
		cmocka_unit_test(test_mail_of_changes),
		cmocka_unit_test(test_prefix_of_title),
		cmocka_unit_test(test_hostile_html),
		cmocka_unit_test(test_invalid_html),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
