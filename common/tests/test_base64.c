// SPDX-License-Identifier: GPL-2.0-or-later
/* Base64: the vectors of RFC 4648, all byte values, and what is refused. */
#include "common/base64.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_vectors(void **state)
{
	static const char *const rows[][2] = {
		{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		_cleanup_text_ struct text_buffer text = { 0 }, bytes = { 0 };

		text_append(&text, "");
		text_append(&bytes, "");
		base64_encode(rows[i][0], strlen(rows[i][0]), &text);
		assert_string_equal(text.text, rows[i][1]);
		assert_int_equal(base64_decode(text.text, text.size, &bytes), 0);
		assert_string_equal(bytes.text, rows[i][0]);
	}
}

static void test_all_bytes(void **state)
{
	_cleanup_text_ struct text_buffer text = { 0 }, bytes = { 0 };
	char all[256];

	(void)state;
	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (char)i;
	base64_encode(all, sizeof(all), &text);
	assert_int_equal(base64_decode(text.text, text.size, &bytes), 0);
	assert_int_equal(bytes.size, sizeof(all));
	assert_memory_equal(bytes.text, all, sizeof(all));
}

static void test_refused(void **state)
{
	static const char *const bad[] = { "Z", "Zg", "Zg=", "Zg===", "Zm9v=", "Zm9*", "Zg==Zg==", "====" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		_cleanup_text_ struct text_buffer bytes = { 0 };

		if (base64_decode(bad[i], strlen(bad[i]), &bytes) != -EINVAL)
			fail_msg("%s was taken", bad[i]);
	}
}

static void test_lines_of_a_mail(void **state)
{
	_cleanup_text_ struct text_buffer bytes = { 0 };
	static const char text[] = "Zm9v\r\nYm\n Fy\n";

	(void)state;
	assert_int_equal(base64_decode(text, strlen(text), &bytes), 0);
	assert_string_equal(bytes.text, "foobar");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_all_bytes),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_lines_of_a_mail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
