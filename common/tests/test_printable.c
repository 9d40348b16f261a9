// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What hostile text becomes before it is printed, logged or stored.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/error.h"
#include "common/printable.h"

static void expect(const char *from, bool keeps_lines, const char *to)
{
	/* Exactly as large as needed, so that a sanitizer sees a read behind the end. */
	char *text = strdup(from);

	printable_clean(text, keeps_lines);
	assert_string_equal(text, to);
	free(text);
}

static void test_plain_text_stays(void **unused)
{
	(void)unused;
	expect("", false, "");
	expect("mm: a change", false, "mm: a change");
	expect("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc2\xa0", false,
	       "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc2\xa0");
	expect("a\n\tb", true, "a\n\tb");
}

static void test_controls_go(void **unused)
{
	(void)unused;
	expect("a\n\tb", false, "a??b");
	expect("\x1b]0;title\x07\r\x7f", true, "?]0;title???");
	expect("\xc2\x9b" "2J", true, "??2J"); /* CSI as one character of C1 */
	expect("a\xe2\x80\xae" "b\xe2\x81\xa6", true, "a???b???");
}

static void test_what_is_not_utf8_goes(void **unused)
{
	(void)unused;
	expect("\x9b" "2J\xff", true, "?2J?");
	expect("cut \xe2\x82", true, "cut ??");
	expect("cut \xf0", true, "cut ?");
	expect("\xc0\x9b", true, "??");             /* overlong */
	expect("\xe0\x80\x9b", true, "???");
	expect("\xed\xa0\x80", true, "???");        /* half a surrogate pair */
	expect("\xf4\x90\x80\x80", true, "????");   /* beyond the last */
}

/* A sentence is cut to its size, and a cut through a character must not make it unstorable. */
static void test_error_sentences_are_utf8(void **unused)
{
	struct error err = { 0 };
	char text[sizeof(err.text) + 8];

	(void)unused;
	memset(text, 'a', sizeof(err.text) - 2);
	memcpy(text + sizeof(err.text) - 2, "\xc3\xa9", 3);
	assert_int_equal(error_set(&err, -1, "%s", text), -1);
	assert_int_equal(err.text[sizeof(err.text) - 2], '?');
	assert_int_equal(error_set(&err, -1, "%s", "\xff\x1b"), -1);
	assert_string_equal(err.text, "??");
	assert_int_equal(error_prefix(&err, -1, "\xc2\x9b"), -1);
	assert_string_equal(err.text, "??: ??");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_text_stays),
		cmocka_unit_test(test_controls_go),
		cmocka_unit_test(test_what_is_not_utf8_goes),
		cmocka_unit_test(test_error_sentences_are_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
