// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comparison of configs: conflicts, one-sided symbols, what never counts.
 */
#include "configs/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"

static size_t compare(const char *a_text, const char *b_text, json_t **ret_comparison)
{
	_cleanup_(kernel_config_done) struct kernel_config a = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config b = { 0 };
	struct error err = { 0 };

	assert_int_equal(kernel_config_parse(a_text, strlen(a_text), "a", &a, &err), 0);
	assert_int_equal(kernel_config_parse(b_text, strlen(b_text), "b", &b, &err), 0);
	return kernel_config_compare(&a, &b, ret_comparison);
}

static void test_conflicts_and_one_sided(void **state)
{
	_cleanup_json_ json_t *comparison = NULL;
	_cleanup_json_ json_t *expected = json_pack(
		"{s:b,s:[{s:s,s:s,s:s},{s:s,s:s,s:s}],s:[s],s:[s,s]}", "equal", 0, "conflicts",
		"symbol", "PREEMPT", "a", "y", "b", "n", "symbol", "Z", "a", "3", "b", "4",
		"only_a", "A_ONLY", "only_b", "B_ONLY", "ZZ");
	_cleanup_free_ char *text = NULL;

	(void)state;
	assert_int_equal(compare("CONFIG_A_ONLY=y\nCONFIG_PREEMPT=y\nCONFIG_SAME=m\nCONFIG_Z=3\n# CONFIG_Q is not set\n",
				 "CONFIG_B_ONLY=y\n# CONFIG_PREEMPT is not set\nCONFIG_SAME=m\nCONFIG_Z=4\nCONFIG_ZZ=y\n",
				 &comparison), 2);
	assert_true(json_equal(comparison, expected));
	text = kernel_config_conflicts_text(comparison, "parent", "child");
	assert_string_equal(text, "  PREEMPT: parent y, child n\n  Z: parent 3, child 4\n");
}

static void test_equal_but_for_what_never_counts(void **state)
{
	_cleanup_json_ json_t *comparison = NULL;

	(void)state;
	assert_int_equal(compare("CONFIG_A=y\nCONFIG_LOCALVERSION=\"-a\"\nCONFIG_CC_VERSION_TEXT=\"x\"\n# CONFIG_N is not set\n",
				 "CONFIG_A=y\nCONFIG_LOCALVERSION=\"-b\"\nCONFIG_CC_VERSION_TEXT=\"y\"\nCONFIG_PAHOLE_VERSION=0\n",
				 &comparison), 0);
	assert_true(json_is_true(json_object_get(comparison, "equal")));
}

static void test_one_sided_is_not_equal(void **state)
{
	_cleanup_json_ json_t *comparison = NULL;

	(void)state;
	assert_int_equal(compare("CONFIG_A=y\n", "CONFIG_A=y\nCONFIG_B=y\n", &comparison), 0);
	assert_true(json_is_false(json_object_get(comparison, "equal")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conflicts_and_one_sided),
		cmocka_unit_test(test_equal_but_for_what_never_counts),
		cmocka_unit_test(test_one_sided_is_not_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
