// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A mail that is fit, and every way in which one is not.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reports/render/mail_lint.h"

#define SUBJECT "Subject: [REGRESSION] mm/mprotect: toggle +39.77 % since\n cac1db8c3aad\n"
#define TO "To: linux-mm@kvack.org,\n \"A. Maintainer\" <a.maintainer@kernel.org>\n"
#define CC "Cc: regressions@lists.linux.dev\n"
#define BODY "\nHi,\n\nit is slower.\n"
#define REGZBOT "\n#regzbot introduced: cac1db8c3aad97d6ffb56ced8868d6cbbbd2bfbe\n"

struct row {
	const char *mail;
	const char *part; /* NULL: fit */
};

static void test_rows(void **state)
{
	static const struct row rows[] = {
		{ SUBJECT TO CC BODY REGZBOT, NULL },
		{ SUBJECT TO CC BODY REGZBOT "\nBye\n", NULL },
		{ SUBJECT TO CC BODY "\n#regzbot introduced: cac1db8c3aad..45199f715b74\n", NULL },
		{ "Subject: mm: nothing new\nTo: linux-mm@kvack.org\n" BODY, NULL },
		{ "Subject: Re: mm: nothing new\nTo: linux-mm@kvack.org\n" BODY, NULL },
		{ SUBJECT TO CC BODY "\nhttps://a.very.long.link/that/cannot/be/broken/0123456789012345678901234567890123456789\n" REGZBOT, NULL },
		{ TO CC BODY REGZBOT, "subsystem prefix" },
		{ "Subject: [REGRESSION] it is slower\n" TO CC BODY REGZBOT, "subsystem prefix" },
		{ "Subject: [REGRESSION] mm: \n" TO CC BODY REGZBOT, "subsystem prefix" },
		{ SUBJECT TO BODY REGZBOT, "regressions@lists.linux.dev is no recipient" },
		{ SUBJECT CC BODY REGZBOT, "no maintainer and no list" },
		{ SUBJECT TO CC BODY, "#regzbot introduced" },
		{ SUBJECT TO CC "\nHi,\n#regzbot introduced: cac1db8c3aad\n", "#regzbot introduced" },
		{ SUBJECT TO CC BODY "\n#regzbot introduced: cac1db\n", "#regzbot introduced" },
		{ SUBJECT TO CC BODY "\n#regzbot introduced: cac1db8c3aad\nBye\n", "#regzbot introduced" },
		{ SUBJECT TO CC BODY "\n#regzbot introduced: HEAD\n", "#regzbot introduced" },
		{ SUBJECT "To: containers@lists.linux-foundation.org\n" CC BODY REGZBOT, "is no more" },
		{ SUBJECT "To: linux-nvdimm@lists.01.org\n" CC BODY REGZBOT, "is no more" },
		{ SUBJECT "To: nobody\n" CC BODY REGZBOT, "\"nobody\" is no mail address" },
		{ SUBJECT "To: a@b@c.org\n" CC BODY REGZBOT, "no mail address" },
		{ SUBJECT "To: you@example.com\n" CC BODY REGZBOT, "no mail address" },
		{ SUBJECT TO CC BODY "0123456789012345678901234567890123456789012345678901234567890123456789 23\n" REGZBOT, "72 columns" },
		{ SUBJECT TO CC, "body is empty" },
		{ "", "body is empty" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { "" };
		int r = mail_lint(rows[i].mail, &err);

		if (r != (rows[i].part ? -EINVAL : 0) ||
		    (rows[i].part && !strstr(err.text, rows[i].part))) {
			print_error("row %zu: %d %s\n", i, r, err.text);
			fail();
		}
	}
}

/* One sentence with everything, so that it is put right in one go. */
static void test_all_at_once(void **state)
{
	struct error err = { "" };

	(void)state;
	assert_int_equal(mail_lint("Subject: [REGRESSION] slow\n\nHi\n", &err), -EINVAL);
	assert_non_null(strstr(err.text, "subsystem prefix"));
	assert_non_null(strstr(err.text, "no maintainer"));
	assert_non_null(strstr(err.text, "is no recipient"));
	assert_non_null(strstr(err.text, "#regzbot"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_all_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
