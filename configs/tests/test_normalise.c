// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The normalisation policy, fragments against it, preemption models, and the
 * assertion after olddefconfig.
 */
#include "configs/normalise.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"

static void parse(const char *text, struct kernel_config *ret_config)
{
	struct error err = { 0 };

	assert_int_equal(kernel_config_parse(text, strlen(text), "t", ret_config, &err), 0);
}

static void test_policy_is_applied(void **state)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_(normalise_requests_done) struct normalise_requests requests = { 0 };
	static const char *const expected[][2] = {
		{ "LOCALVERSION", "\"\"" }, { "LOCALVERSION_AUTO", "n" }, { "WERROR", "n" },
		{ "SYSTEM_TRUSTED_KEYS", "\"\"" }, { "SYSTEM_REVOCATION_KEYS", "\"\"" },
		{ "BUILD_SALT", "\"\"" }, { "MODULE_SIG_ALL", "n" }, { "DEBUG_INFO_NONE", "y" },
		{ "DEBUG_INFO_BTF", "n" }, { "DEBUG_INFO_DWARF5", "n" }, { "RANDSTRUCT_NONE", "y" },
		{ "PREEMPT_DYNAMIC", "y" }, { "SMP", "y" },
	};
	struct error err = { 0 };

	(void)state;
	parse("CONFIG_LOCALVERSION=\"-distro\"\nCONFIG_LOCALVERSION_AUTO=y\nCONFIG_WERROR=y\n"
	      "CONFIG_SYSTEM_TRUSTED_KEYS=\"debian/certs.pem\"\nCONFIG_BUILD_SALT=\"6.1\"\n"
	      "CONFIG_DEBUG_INFO_DWARF5=y\nCONFIG_DEBUG_INFO_BTF=y\nCONFIG_SMP=y\n", &config);
	assert_int_equal(normalise_apply(&config, NULL, 0, "auto", &requests, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_string_equal(kernel_config_get(&config, expected[i][0]), expected[i][1]);
	/* The model itself is left alone. */
	assert_null(kernel_config_get(&config, "PREEMPT_NONE"));
	for (size_t i = 0; i < requests.n_requests; i++) {
		assert_false(requests.requests[i].must_hold);
		assert_true(strlen(requests.requests[i].why) > 10);
	}
}

static void test_fragments_must_hold_and_win(void **state)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_(normalise_requests_done) struct normalise_requests requests = { 0 };
	struct kernel_config fragments[2] = { 0 };
	struct error err = { 0 };

	(void)state;
	parse("CONFIG_SMP=y\n", &config);
	parse("CONFIG_DEBUG_INFO_DWARF5=y\nCONFIG_FOO=y\nCONFIG_LOCALVERSION=\"-mine\"\n", &fragments[0]);
	parse("# CONFIG_FOO is not set\nCONFIG_BAR=7\n", &fragments[1]);
	assert_int_equal(normalise_apply(&config, fragments, 2, "auto", &requests, &err), 0);
	kernel_config_done(&fragments[0]);
	kernel_config_done(&fragments[1]);
	assert_string_equal(kernel_config_get(&config, "FOO"), "n");
	assert_string_equal(kernel_config_get(&config, "DEBUG_INFO_DWARF5"), "y");
	assert_null(kernel_config_get(&config, "DEBUG_INFO_NONE"));
	assert_string_equal(kernel_config_get(&config, "LOCALVERSION"), "\"\"");
	assert_int_equal(normalise_assert(&config, &requests, &err), 0);

	/* A dependency took one away, another tree does not know the other. */
	assert_int_equal(kernel_config_set(&config, "BAR", "8", &err), 0);
	assert_int_equal(kernel_config_set(&config, "DEBUG_INFO_DWARF5", "n", &err), 0);
	assert_int_equal(kernel_config_set(&config, "WERROR", "y", &err), 0);
	assert_int_equal(normalise_assert(&config, &requests, &err), -EPERM);
	assert_non_null(strstr(err.text, "2 requested config settings did not hold"));
	assert_non_null(strstr(err.text, "CONFIG_BAR=7 is now 8"));
	assert_non_null(strstr(err.text, "CONFIG_DEBUG_INFO_DWARF5=y is now n"));
	assert_null(strstr(err.text, "WERROR"));
}

static void test_absent_is_n(void **state)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config after = { 0 };
	_cleanup_(normalise_requests_done) struct normalise_requests requests = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config fragment = { 0 };
	struct error err = { 0 };

	(void)state;
	parse("# CONFIG_GONE is not set\n", &fragment);
	assert_int_equal(normalise_apply(&config, &fragment, 1, "auto", &requests, &err), 0);
	assert_int_equal(normalise_assert(&after, &requests, &err), 0);
	parse("CONFIG_GONE=y\n", &after);
	assert_int_equal(normalise_assert(&after, &requests, &err), -EPERM);
}

static void test_preempt_models(void **state)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_(normalise_requests_done) struct normalise_requests requests = { 0 };
	struct error err = { 0 };

	(void)state;
	parse("CONFIG_PREEMPT_NONE=y\n", &config);
	assert_int_equal(normalise_apply(&config, NULL, 0, "sometimes", &requests, &err), -EINVAL);
	assert_non_null(strstr(err.text, "sometimes"));
	assert_int_equal(normalise_apply(&config, NULL, 0, "full", &requests, &err), 0);
	assert_string_equal(kernel_config_get(&config, "PREEMPT"), "y");
	assert_string_equal(kernel_config_get(&config, "PREEMPT_NONE"), "n");
	assert_int_equal(normalise_assert(&config, &requests, &err), 0);
	assert_int_equal(kernel_config_set(&config, "PREEMPT", "n", &err), 0);
	assert_int_equal(normalise_assert(&config, &requests, &err), -EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_policy_is_applied),
		cmocka_unit_test(test_fragments_must_hold_and_win),
		cmocka_unit_test(test_absent_is_n),
		cmocka_unit_test(test_preempt_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
