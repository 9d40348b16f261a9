// SPDX-License-Identifier: GPL-2.0-or-later
/* Every row of the verification table, and what must never pass for the expected kernel. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "boot/verify.h"

#define TEST_ID "aaaa"
#define DEFAULT_ID "dddd"
#define OTHER_ID "eeee"

static enum boot_verdict judge(const char *running, const char *token, bool is_armed)
{
	const struct boot_facts facts = {
		.expected_build_id = TEST_ID,
		.expected_token = "t1",
		.default_build_id = DEFAULT_ID,
		.running_build_id = running,
		.running_token = token,
		.is_armed = is_armed,
	};

	return boot_verify(&facts);
}

static void test_table(void **state)
{
	(void)state;
	assert_int_equal(judge(TEST_ID, "t1", false), BOOT_VERDICT_EXPECTED);
	assert_int_equal(judge(DEFAULT_ID, "", false), BOOT_VERDICT_FELL_BACK);
	assert_int_equal(judge(DEFAULT_ID, "", true), BOOT_VERDICT_NOT_TAKEN);
	assert_int_equal(judge(TEST_ID, "t1", true), BOOT_VERDICT_NOT_CLEARED);
	assert_int_equal(judge(TEST_ID, "t0", true), BOOT_VERDICT_NOT_CLEARED);
	assert_int_equal(judge(OTHER_ID, "t1", false), BOOT_VERDICT_WRONG);
	assert_int_equal(judge(OTHER_ID, "", true), BOOT_VERDICT_WRONG);
}

static void test_never_expected(void **state)
{
	(void)state;
	/* The right kernel by another way: no proof that this boot is the one asked for. */
	assert_int_equal(judge(TEST_ID, "", false), BOOT_VERDICT_WRONG);
	assert_int_equal(judge(TEST_ID, "t0", false), BOOT_VERDICT_WRONG);
	/* The right token on the default kernel: the entry held another image. */
	assert_int_equal(judge(DEFAULT_ID, "t1", false), BOOT_VERDICT_WRONG);
	assert_int_equal(judge("", "t1", false), BOOT_VERDICT_WRONG);
	assert_int_equal(judge(NULL, NULL, false), BOOT_VERDICT_WRONG);
}

static void test_unknown_ids_match_nothing(void **state)
{
	const struct boot_facts facts = { .expected_build_id = "",
					  .expected_token = "",
					  .default_build_id = "",
					  .running_build_id = "",
					  .running_token = "" };

	(void)state;
	assert_int_equal(boot_verify(&facts), BOOT_VERDICT_WRONG);
}

static void test_default_under_test(void **state)
{
	struct boot_facts facts = { .expected_build_id = TEST_ID,
				    .expected_token = "t1",
				    .default_build_id = TEST_ID,
				    .running_build_id = TEST_ID,
				    .running_token = "t1" };

	(void)state;
	assert_int_equal(boot_verify(&facts), BOOT_VERDICT_EXPECTED);
	facts.running_token = "";
	assert_int_equal(boot_verify(&facts), BOOT_VERDICT_FELL_BACK);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(boot_verdict_name(BOOT_VERDICT_EXPECTED), "expected");
	assert_string_equal(boot_verdict_name(BOOT_VERDICT_FELL_BACK), "fell-back");
	assert_string_equal(boot_verdict_name(BOOT_VERDICT_NOT_TAKEN), "not-taken");
	assert_string_equal(boot_verdict_name(BOOT_VERDICT_NOT_CLEARED), "not-cleared");
	assert_string_equal(boot_verdict_name(BOOT_VERDICT_WRONG), "wrong-kernel");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_never_expected),
		cmocka_unit_test(test_unknown_ids_match_nothing),
		cmocka_unit_test(test_default_under_test),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
