// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs and data are found from a test's own place in the build directory.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/paths.h"
#include "common/tests/temporary.h"

static void test_program_beside(void **state)
{
	_cleanup_free_ char *path = NULL;
	struct error err;

	(void)state;
	assert_int_equal(paths_program("test_paths", &path, &err), 0);
	assert_int_equal(path[0], '/');
	assert_non_null(strstr(path, "/common/tests/test_paths"));
}

static void test_program_of_the_build(void **state)
{
	_cleanup_free_ char *path = NULL;
	struct error err;

	(void)state;
	/* Reached by climbing from BUILD/common/tests to the directory with libabbot.a. */
	assert_int_equal(paths_program("common/tests/test_paths", &path, &err), 0);
	assert_true(file_exists(path));
}

static void test_built_of_the_build(void **state)
{
	_cleanup_free_ char *path = NULL;
	struct error err = { "" };

	(void)state;
	/* Every build has it, wherever this test lies within. */
	assert_int_equal(paths_built("libabbot.a", &path, &err), 0);
	assert_non_null(strstr(path, "/libabbot.a"));
}

static void test_missing(void **state)
{
	char *path = NULL;
	struct error err;

	(void)state;
	(void)unsetenv("ABBOT_DATA");
	assert_int_equal(paths_program("abbot-nonesuch", &path, &err), -ENOENT);
	assert_non_null(strstr(err.text, "abbot-nonesuch"));
	assert_int_equal(paths_built("nonesuch.tar.gz", &path, &err), -ENOENT);
	assert_non_null(strstr(err.text, "nonesuch.tar.gz"));
	assert_int_equal(paths_data("nonesuch/file", &path, &err), -ENOENT);
	assert_non_null(strstr(err.text, "nonesuch/file"));
	assert_null(path);
}

static void test_data_override(void **state)
{
	_cleanup_free_ char *file = temporary_path(state, "some.config"), *path = NULL;
	char *none = NULL;
	struct error err;

	assert_int_equal(file_write_durable(file, "", 0, 0600, &err), 0);
	assert_int_equal(setenv("ABBOT_DATA", *state, 1), 0);
	assert_int_equal(paths_data("some.config", &path, &err), 0);
	assert_string_equal(path, file);
	/* Only an absolute directory: never the working directory. */
	assert_int_equal(chdir(*state), 0);
	assert_int_equal(setenv("ABBOT_DATA", ".", 1), 0);
	assert_int_equal(paths_data("some.config", &none, &err), -ENOENT);
	assert_int_equal(chdir("/"), 0);
	(void)unsetenv("ABBOT_DATA");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program_beside),
		cmocka_unit_test(test_program_of_the_build),
		cmocka_unit_test(test_built_of_the_build),
		cmocka_unit_test(test_missing),
		cmocka_unit_test_setup_teardown(test_data_override, temporary_setup,
						temporary_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
