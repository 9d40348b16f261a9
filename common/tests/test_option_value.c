// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Both spellings of an option's value, its absence, and words that only begin alike.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/option_value.h"

static char *words[] = { (char[]){ "--state" }, (char[]){ "here" }, (char[]){ "--state=there" },
			 (char[]){ "--state=" }, (char[]){ "--states" }, (char[]){ "--stat" },
			 (char[]){ "--state" } };
#define N_WORDS ((int)(sizeof(words) / sizeof(*words)))

static void test_value(void **state)
{
	static const struct {
		int index, r, index_after;
		const char *value;
	} rows[] = { { 0, 1, 1, "here" }, { 2, 1, 2, "there" }, { 3, 1, 3, "" },
		     { 1, 0, 1, NULL },	  { 4, 0, 4, NULL },	{ 5, 0, 5, NULL },
		     { 6, -EINVAL, 6, NULL } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct error err = { 0 };
		const char *value = NULL;
		int index = rows[i].index;

		assert_int_equal(option_value("--state", N_WORDS, words, &index, &value, &err),
				 rows[i].r);
		assert_int_equal(index, rows[i].index_after);
		if (rows[i].value)
			assert_string_equal(value, rows[i].value);
		else
			assert_null(value);
		assert_string_equal(err.text, rows[i].r < 0 ? "--state needs a value" : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_value) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
