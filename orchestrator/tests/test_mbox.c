// SPDX-License-Identifier: GPL-2.0-or-later
/* Mails with patches: splitting, encodings, and which of a thread's mails are the series. */
#include "orchestrator/work/mbox_series.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"

#define FROM "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
#define DIFF "diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b\n"
#define MAIL(subject, id) FROM "Subject: " subject "\nMessage-ID: <" id ">\n\nwords\n---\n" DIFF "\n"

static void select_ok(const char *data, const char *id, struct mbox_series *series)
{
	_cleanup_(mbox_done) struct mbox mbox = { 0 };
	struct error err = { 0 };

	if (mbox_parse(data, strlen(data), "t.mbox", &mbox, &err) < 0 ||
	    mbox_series_select(&mbox, "t.mbox", id, series, &err) < 0)
		fail_msg("%s", err.text);
}

static void assert_refused(const char *data, const char *id, const char *expected)
{
	_cleanup_(mbox_done) struct mbox mbox = { 0 };
	struct mbox_series series = { 0 };
	struct error err = { 0 };
	int r = mbox_parse(data, strlen(data), "t.mbox", &mbox, &err);

	if (r == 0)
		r = mbox_series_select(&mbox, "t.mbox", id, &series, &err);
	assert_true(r < 0);
	if (!strstr(err.text, expected))
		fail_msg("'%s' does not hold '%s'", err.text, expected);
}

static void test_subjects(void **state)
{
	static const struct { const char *text; bool is_reply; int version, number, total; const char *title; } rows[] = {
		{ "[PATCH] mm: x", false, 1, 0, 0, "mm: x" },
		{ "[PATCH v3 2/5] mm: x", false, 3, 2, 5, "mm: x" },
		{ "[RFC PATCH 0/12] mm: x", false, 1, 0, 12, "mm: x" },
		{ "[PATCH net-next,v2 1/1] y", false, 2, 1, 1, "y" },
		{ "Re: [PATCH v3 2/5] mm: x", true, 3, 2, 5, "mm: x" },
		{ "[linux-mm] [PATCH 3/4] z", false, 1, 3, 4, "z" },
		{ "[PATCH 7/4] z", false, 1, 0, 0, "z" },
		{ "[unclosed z", false, 1, 0, 0, "[unclosed z" },
		{ "plain", false, 1, 0, 0, "plain" },
		{ "[PATCH v99999999999 1/2] z", false, 1, 1, 2, "z" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct mbox_subject subject = mbox_subject_parse(rows[i].text);

		if (subject.is_reply != rows[i].is_reply || subject.version != rows[i].version ||
		    subject.number != rows[i].number || subject.total != rows[i].total ||
		    strcmp(subject.title, rows[i].title) != 0)
			fail_msg("%s: %d v%d %d/%d '%s'", rows[i].text, subject.is_reply, subject.version,
				 subject.number, subject.total, subject.title);
	}
}

static void test_words(void **state)
{
	static const char *const rows[][2] = {
		{ "plain", "plain" },
		{ "=?UTF-8?q?f=C3=BCr_x?= y", "f\xc3\xbcr x y" },
		{ "=?utf-8?B?ZsO8cg==?=", "f\xc3\xbcr" },
		{ "=?ISO-8859-1?Q?f=FCr?=", "f\xc3\xbcr" },
		{ "=?utf-8?q?a?= =?utf-8?q?b?= c", "ab c" },
		{ "=?koi8-r?q?=C1?= x", "=?koi8-r?q?=C1?= x" },
		{ "=?utf-8?q?=ZZ?=", "=?utf-8?q?=ZZ?=" },
		{ "=?utf-8?q?a", "=?utf-8?q?a" },
		{ "=?utf-8?", "=?utf-8?" },
		{ "=?", "=?" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = mbox_decode_words(rows[i][0]);

		assert_string_equal(text, rows[i][1]);
	}
}

static void test_encodings(void **state)
{
	static const char *const bodies[] = {
		"\n" DIFF,
		"Content-Transfer-Encoding: 8bit\nContent-Type: text/plain; charset=utf-8\n\n" DIFF,
		"Content-Transfer-Encoding: quoted-printable\n\ndiff --git a/x.c b/x.c\n--- a/x.c\n+++ =\nb/x.c\n@@ -1 +1 @=\t\n@\n-a\n+=62\n",
		"Content-Transfer-Encoding: base64\n\n"
		"ZGlmZiAtLWdpdCBhL3guYyBiL3guYwotLS0gYS94LmMKKysrIGIveC5jCkBAIC0xICsxIEBACi1hCitiCg==\n",
		"X: y\r\n\r\ndiff --git a/x.c b/x.c\r\n--- a/x.c\r\n+++ b/x.c\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		_cleanup_free_ char *data = text_format("Subject: [PATCH]\n folded =?utf-8?q?=C3=A4?=\n%s", bodies[i]);
		_cleanup_(mbox_series_done) struct mbox_series series = { 0 };

		select_ok(data, NULL, &series);
		assert_int_equal(series.n_patches, 1);
		assert_string_equal(series.patches[0].text, DIFF);
		assert_string_equal(series.patches[0].title, "folded \xc3\xa4");
	}
}

static void test_refused_mails(void **state)
{
	static const char *const rows[][2] = {
		{ "Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n" DIFF, "several parts" },
		{ "Subject: a\nContent-Type: application/pdf\n\n" DIFF, "no text" },
		{ "Subject: a\nContent-Transfer-Encoding: x-uuencode\n\n" DIFF, "unknown way" },
		{ "Subject: a\nContent-Transfer-Encoding: base64\n\n***\n", "no valid base64" },
		{ "Subject: a\nContent-Transfer-Encoding: base64\n\nAAAA\n", "NUL byte" },
		{ "Subject: a\nContent-Transfer-Encoding: quoted-printable\n\n=G1\n", "no valid quoted-printable" },
		{ "Subject: a\nthis is no header\n\n" DIFF, "a line among a mail's headers" },
		{ "Subject: a\n\nonly words\n", "holds no patch" },
		{ "Subject: Re: a\n\n" DIFF, "holds no patch" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_refused(rows[i][0], NULL, rows[i][1]);
}

static void test_from_within_words_does_not_split(void **state)
{
	_cleanup_(mbox_done) struct mbox mbox = { 0 };
	static const char data[] = FROM "Subject: a\n\nFrom here on it is slow.\n\nFrom there on, at 10:20, too.\n\n" DIFF;
	struct error err;

	(void)state;
	assert_int_equal(mbox_parse(data, strlen(data), "x", &mbox, &err), 0);
	assert_int_equal(mbox.n_messages, 1);
}

/* A thread as an archive has it: cover letter, patches out of order, discussion, a newer one. */
static void test_threads(void **state)
{
	static const char thread[] =
		FROM "Subject: [PATCH 0/2] cover\nMessage-ID: <c@x>\n\nwords\n\n"
		MAIL("[PATCH 2/2] second", "2@x") MAIL("Re: [PATCH 2/2] second", "r@x")
		MAIL("[PATCH 1/2] first", "1@x") MAIL("[PATCH 1/2] first", "1@x");
	static const char newer[] = MAIL("[PATCH 1/1] old", "o@x") MAIL("[PATCH v2 1/1] new", "n@x");
	_cleanup_(mbox_series_done) struct mbox_series series = { 0 }, newest = { 0 }, named = { 0 };

	(void)state;
	select_ok(thread, NULL, &series);
	assert_int_equal(series.n_patches, 2);
	assert_string_equal(series.patches[0].title, "first");
	assert_string_equal(series.patches[1].title, "second");
	assert_null(series.note);
	select_ok(newer, NULL, &newest);
	assert_int_equal(newest.n_patches, 1);
	assert_string_equal(newest.patches[0].title, "new");
	assert_non_null(strstr(newest.note, "newest, v2"));
	select_ok(newer, "o@x", &named);
	assert_string_equal(named.patches[0].title, "old");
	assert_non_null(strstr(named.note, "newer revision, v2"));
}

static void test_incomplete_series(void **state)
{
	(void)state;
	assert_refused(MAIL("[PATCH 1/3] a", "1@x") MAIL("[PATCH 3/3] c", "3@x"), NULL, "does not hold patch 2/3");
	assert_refused(MAIL("[PATCH 1/2] a", "1@x") MAIL("[PATCH 1/2] b", "b@x"), NULL, "two mails that are patch 1/2");
	assert_refused(MAIL("[PATCH 1/2] a", "1@x"), "1@x", "does not hold patch 2/2");
	assert_refused(MAIL("[PATCH 1/1] a", "1@x"), "other@x", "holds no mail other@x");
}

static void test_unnumbered_keep_their_order(void **state)
{
	_cleanup_(mbox_series_done) struct mbox_series series = { 0 };

	(void)state;
	select_ok(MAIL("[PATCH] z", "1@x") MAIL("[PATCH] a", "2@x"), NULL, &series);
	assert_int_equal(series.n_patches, 2);
	assert_string_equal(series.patches[0].title, "z");
}

static void test_sizes_are_bounded(void **state)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	struct error err = { 0 };
	struct mbox mbox;

	(void)state;
	for (int i = 0; i <= MBOX_MESSAGES_MAX; i++)
		text_append(&text, FROM "Subject: a\n\nb\n\n");
	assert_int_equal(mbox_parse(text.text, text.size, "x", &mbox, &err), -E2BIG);
	/* Never read: its size alone is refused. */
	assert_int_equal(mbox_parse("", MBOX_MAX_BYTES + 1, "x", &mbox, &err), -EFBIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_subjects),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_refused_mails),
		cmocka_unit_test(test_from_within_words_does_not_split),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_incomplete_series),
		cmocka_unit_test(test_unnumbered_keep_their_order),
		cmocka_unit_test(test_sizes_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
