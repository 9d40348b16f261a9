// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SHA-256 against the published vectors (FIPS 180-4 examples).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/tests/temporary.h"

#define SHA_EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define SHA_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define SHA_MILLION_A "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

static void test_bytes(void **state)
{
	char hex[DIGEST_HEX_SIZE];

	(void)state;
	digest_bytes("abc", 3, hex);
	assert_string_equal(hex, SHA_ABC);
	digest_bytes(NULL, 0, hex);
	assert_string_equal(hex, SHA_EMPTY);
}

static void test_pieces(void **state)
{
	struct digest *digest = digest_new();
	char hex[DIGEST_HEX_SIZE];

	(void)state;
	assert_non_null(digest);
	digest_add(digest, "a", 1);
	digest_add(digest, "", 0);
	digest_add(digest, "bc", 2);
	digest_finish(digest, hex);
	assert_string_equal(hex, SHA_ABC);
}

static void hash_two(const char *a, const char *b, char hex[DIGEST_HEX_SIZE])
{
	struct digest *digest = digest_new();

	assert_non_null(digest);
	digest_add_text(digest, a);
	digest_add_text(digest, b);
	digest_finish(digest, hex);
}

static void test_text_borders(void **state)
{
	char one[DIGEST_HEX_SIZE], two[DIGEST_HEX_SIZE];

	(void)state;
	hash_two("ab", "c", one);
	hash_two("a", "bc", two);
	assert_string_not_equal(one, two);
}

static void test_file(void **state)
{
	_cleanup_free_ char *path = temporary_path(state, "f"), *data = malloc(1000000);
	char hex[DIGEST_HEX_SIZE] = "untouched";
	struct error err;

	assert_non_null(data);
	memset(data, 'a', 1000000);
	assert_int_equal(file_write_durable(path, data, 1000000, 0600, &err), 0);
	assert_int_equal(digest_file("/nonexistent", hex, &err), -ENOENT);
	assert_int_equal(digest_file(*state, hex, &err), -EISDIR);
	assert_string_equal(hex, "untouched");
	assert_int_equal(digest_file(path, hex, &err), 0);
	assert_string_equal(hex, SHA_MILLION_A);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_text_borders),
		cmocka_unit_test_setup_teardown(test_file, temporary_setup, temporary_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
