// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Error sentences: codes come back, texts are cut and cleaned.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/error.h"

static void test_set_returns_code(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(error_set(&err, -EINVAL, "bad %s at %d", "key", 7), -EINVAL);
	assert_string_equal(err.text, "bad key at 7");
	assert_int_equal(error_set(NULL, -EIO, "ignored %s", "text"), -EIO);
}

static void test_errno_text(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(error_set_errno(&err, -ENOENT, "cannot open %s", "/x"), -ENOENT);
	assert_string_equal(err.text, "cannot open /x: No such file or directory");
	assert_int_equal(error_set_errno(NULL, -EPERM, "x"), -EPERM);
}

static void test_prefix(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, -EIO, "inner");
	assert_int_equal(error_prefix(&err, -EIO, "outer %d", 2), -EIO);
	assert_string_equal(err.text, "outer 2: inner");
}

static void test_own_text_as_argument(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, -EIO, "inner");
	error_set(&err, -EIO, "outer (%s)", err.text);
	assert_string_equal(err.text, "outer (inner)");
}

static void test_control_characters(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, -EIO, "a\033[31mb\nc\td\x7f%s", "\001");
	assert_string_equal(err.text, "a?[31mb?c?d??");
	/* UTF-8 stays. */
	error_set(&err, -EIO, "%s", "gr\xc3\xbc\xc3\x9f");
	assert_string_equal(err.text, "gr\xc3\xbc\xc3\x9f");
}

static void test_too_long(void **state)
{
	struct error err;
	char big[3000];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	error_set(&err, -EIO, "%s", big);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	error_set_errno(&err, -EIO, "%s", big);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	error_prefix(&err, -EIO, "%s", "front");
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_memory_equal(err.text, "front: xxx", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_returns_code),
		cmocka_unit_test(test_errno_text),
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_own_text_as_argument),
		cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
