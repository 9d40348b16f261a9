// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The .config reader: strictness, last value counts, round trip, canonical hash,
 * and seeded garbage for the sanitizers.
 */
#include "configs/kernel_config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"

static int parse(const char *text, struct kernel_config *ret_config, struct error *err)
{
	return kernel_config_parse(text, strlen(text), "test.config", ret_config, err);
}

static void test_reads_every_kind_of_value(void **state)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(parse("#\n# Linux/x86 6.12.1 Kernel Configuration\n#\n"
			       "CONFIG_SMP=y\nCONFIG_EXT4_FS=m\r\n# CONFIG_WERROR is not set\n\n"
			       "CONFIG_NR_CPUS=8\nCONFIG_PHYSICAL_START=0x1000000\n"
			       "CONFIG_NEGATIVE=-1\nCONFIG_CMDLINE=\"a \\\"b\\\" # c\"\n"
			       "CONFIG_eXFAT_1=y",
			       &config, &err), 0);
	assert_int_equal(config.n_symbols, 8);
	assert_string_equal(kernel_config_get(&config, "SMP"), "y");
	assert_string_equal(kernel_config_get(&config, "EXT4_FS"), "m");
	assert_string_equal(kernel_config_get(&config, "WERROR"), "n");
	assert_string_equal(kernel_config_get(&config, "PHYSICAL_START"), "0x1000000");
	assert_string_equal(kernel_config_get(&config, "NEGATIVE"), "-1");
	assert_string_equal(kernel_config_get(&config, "CMDLINE"), "\"a \\\"b\\\" # c\"");
	assert_string_equal(kernel_config_get(&config, "eXFAT_1"), "y");
	assert_null(kernel_config_get(&config, "SM"));
	assert_null(kernel_config_get(&config, "ZZZ"));
}

static void test_refuses_what_kconfig_would_misread(void **state)
{
	static const char *const bad[] = {
		"CONFIG_A=y\nCONFIG_B\n", "CONFIG_A=y\nB=y\n", "CONFIG_A=y\nCONFIG_B=yes\n",
		"CONFIG_A=y\nCONFIG_=y\n", "CONFIG_A=y\nCONFIG_B=\"open\n", "CONFIG_A=y\nCONFIG_B=0x\n",
		"CONFIG_A=y\nCONFIG_B=\"a\"b\"\n", "CONFIG_A=y\nCONFIG_B=\n", "CONFIG_A=y\nCONFIG_B-C=y\n",
		"CONFIG_A=y\nCONFIG_B=\"a\\\"\n", "CONFIG_A=y\n\177ELF\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct kernel_config config = { .n_symbols = 77 };
		struct error err = { 0 };

		assert_int_equal(parse(bad[i], &config, &err), -EINVAL);
		assert_non_null(strstr(err.text, "test.config line 2"));
		assert_int_equal(config.n_symbols, 77);
	}
}

static void test_refuses_nul_and_size(void **state)
{
	struct kernel_config config = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(kernel_config_parse("CONFIG_A=y\n\0x", 13, "f", &config, &err), -EINVAL);
	assert_non_null(strstr(err.text, "NUL"));
	assert_int_equal(kernel_config_parse("", KERNEL_CONFIG_MAX_BYTES + 1, "f", &config, &err), -EFBIG);
}

static void test_last_of_two_counts(void **state)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(parse("CONFIG_B=y\nCONFIG_A=y\n# CONFIG_B is not set\nCONFIG_A=m\nCONFIG_A=n\n",
			       &config, &err), 0);
	assert_int_equal(config.n_symbols, 2);
	assert_string_equal(config.symbols[0].name, "A");
	assert_string_equal(config.symbols[0].value, "n");
	assert_string_equal(config.symbols[1].value, "n");
}

static void test_set_and_write_round_trip(void **state)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config again = { 0 };
	_cleanup_free_ char *text = NULL;
	struct error err = { 0 };

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		/* 37 is coprime to 100: every name once, in no order. */
		_cleanup_free_ char *name = text_format("S%03u", i * 37 % 100);

		assert_int_equal(kernel_config_set(&config, name, i % 2 ? "y" : "n", &err), 0);
	}
	assert_int_equal(kernel_config_set(&config, "S005", "\"x y\"", &err), 0);
	assert_int_equal(config.n_symbols, 100);
	for (size_t i = 1; i < config.n_symbols; i++)
		assert_true(strcmp(config.symbols[i - 1].name, config.symbols[i].name) < 0);
	assert_int_equal(kernel_config_set(&config, "S005", "x y", &err), -EINVAL);
	assert_int_equal(kernel_config_set(&config, "S-5", "y", &err), -EINVAL);
	text = kernel_config_write(&config);
	assert_int_equal(parse(text, &again, &err), 0);
	assert_int_equal(again.n_symbols, 100);
	for (size_t i = 0; i < 100; i++) {
		assert_string_equal(again.symbols[i].name, config.symbols[i].name);
		assert_string_equal(again.symbols[i].value, config.symbols[i].value);
	}
	assert_string_equal(kernel_config_get(&again, "S005"), "\"x y\"");
}

static void hash_of(const char *text, char ret_hex[DIGEST_HEX_SIZE])
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	struct error err = { 0 };

	assert_int_equal(parse(text, &config, &err), 0);
	kernel_config_canonical_hash(&config, ret_hex);
}

static void test_canonical_hash(void **state)
{
	char a[DIGEST_HEX_SIZE], b[DIGEST_HEX_SIZE];

	(void)state;
	hash_of("CONFIG_A=y\nCONFIG_B=3\n", a);
	/* printf 'A=y\nB=3\n' | sha256sum */
	assert_string_equal(a, "2353d8b94335575486f97a053dd6aa7c80d699ca91d295649ed704b71ec429c0");
	hash_of("# x\nCONFIG_B=3\nCONFIG_LOCALVERSION=\"-x\"\n# CONFIG_C is not set\nCONFIG_A=y\n", b);
	assert_string_equal(a, b);
	hash_of("CONFIG_A=y\nCONFIG_B=4\n", b);
	assert_string_not_equal(a, b);
	hash_of("CONFIG_A=y\nCONFIG_B=3\nCONFIG_LOCALVERSION_AUTO=y\n", b);
	assert_string_not_equal(a, b);
}

static void test_garbage_never_crashes(void **state)
{
	static const char seed_text[] = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=\"q\\\"\"\nCONFIG_D=0x1f\n";
	uint32_t random = 12345;

	(void)state;
	for (int round = 0; round < 5000; round++) {
		/* Exactly the size: a read beyond the end is seen by the sanitizer. */
		size_t size = sizeof(seed_text) - 1 - (size_t)(round % 40);
		_cleanup_free_ char *data = malloc(size);
		struct kernel_config config = { 0 };
		struct error err;

		memcpy(data, seed_text, size);
		for (int i = 0; i < round % 4; i++) {
			random = random * 1664525u + 1013904223u;
			data[(random >> 8) % size] = (char)(random >> 24);
		}
		if (kernel_config_parse(data, size, "f", &config, &err) == 0)
			kernel_config_done(&config);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_every_kind_of_value),
		cmocka_unit_test(test_refuses_what_kconfig_would_misread),
		cmocka_unit_test(test_refuses_nul_and_size),
		cmocka_unit_test(test_last_of_two_counts),
		cmocka_unit_test(test_set_and_write_round_trip),
		cmocka_unit_test(test_canonical_hash),
		cmocka_unit_test(test_garbage_never_crashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
