// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The end of a build log: what a report quotes of it, and the line that says why.
 */
#include "orchestrator/work/build_log.h"

#include "orchestrator/tests/test_source_repository.h"

static char *excerpt_of(const char *log, size_t n_lines)
{
	char *directory = repository_temporary();
	_cleanup_free_ char *path = path_join(directory, "build.log");
	char *excerpt;

	assert_int_equal(file_write_durable(path, log, strlen(log), 0644, NULL), 0);
	excerpt = build_log_excerpt(path, n_lines);
	assert_int_equal(file_remove_tree(directory, NULL), 0);
	free(directory);
	return excerpt;
}

/* What a parallel build says between the error and its end. */
static void test_error_among_other_jobs(void **state)
{
	_cleanup_text_ struct text_buffer log = { 0 };
	_cleanup_free_ char *excerpt = NULL;
	_cleanup_free_ char *reason = NULL;

	(void)state;
	text_append(&log, "make: Entering directory '/src'\n  CC      mm/mprotect.o\n"
			  "mm/mprotect.c:9:1: error: implicit declaration of 'f'\n    9 | f();\n"
			  "make[4]: *** [mm/mprotect.o] Error 1\n");
	for (int i = 0; i < 2000; i++)
		text_printf(&log, "  CC      fs/file%d.o\n", i);
	text_append(&log, "make: *** [Makefile:2: all] Error 2\nmake: Leaving directory '/src'\n");
	excerpt = excerpt_of(log.text, 20);
	assert_string_equal(excerpt, "mm/mprotect.c:9:1: error: implicit declaration of 'f'\n    9 | f();\n"
				     "make[4]: *** [mm/mprotect.o] Error 1\n"
				     "make: *** [Makefile:2: all] Error 2");
	reason = build_log_reason(excerpt);
	assert_string_equal(reason, "mm/mprotect.c:9:1: error: implicit declaration of 'f'");
}

static void test_last_lines_only(void **state)
{
	_cleanup_free_ char *two = excerpt_of("a\nb\033\nc\n\n", 2);
	_cleanup_free_ char *none = excerpt_of("", 2);
	_cleanup_free_ char *absent = build_log_excerpt("/nonexistent/log", 2);

	(void)state;
	assert_string_equal(two, "b?\nc");
	assert_string_equal(none, "");
	assert_string_equal(absent, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_among_other_jobs),
		cmocka_unit_test(test_last_lines_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
