// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot queue` with patches and the like, the real program on a state directory of its own:
 * which points become of the options, what is refused, and that nothing is kept then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/tests/programs.h"

#define HEAD(file) "diff --git a/" file " b/" file "\n"
#define NEW(file, text) HEAD(file) "new file mode 100644\n--- /dev/null\n+++ b/" file "\n@@ -0,0 +1 @@\n+" text "\n"
#define ONE NEW("mm/one.c", "int one;")
#define TWO HEAD("mm/mprotect.c") "--- a/mm/mprotect.c\n+++ b/mm/mprotect.c\n@@ -1 +1 @@\n-int x;\n+int y;\n"

static struct {
	char *repository;
	char *state;
} paths;

static void write_text(const char *name, const char *text)
{
	_cleanup_free_ char *path = path_join(paths.repository, name);
	struct error err;

	assert_int_equal(file_write_durable(path, text, strlen(text), 0644, &err), 0);
}

static int setup(void **state)
{
	int r = temporary_setup(state);

	paths.repository = temporary_path(state, "linux");
	paths.state = temporary_path(state, "state");
	programs_make_repository(paths.repository);
	write_text("one.patch", ONE);
	write_text("two.patch", TWO);
	write_text("bad.patch", HEAD("mm/mprotect.c") "--- a/mm/mprotect.c\n+++ b/mm/mprotect.c\n@@ -1 +1 @@\n-int z;\n+int y;\n");
	write_text("own.c", "int own;\n");
	return r;
}

static int teardown(void **state)
{
	free(paths.repository);
	free(paths.state);
	return temporary_teardown(state);
}

#define QUEUE(...) RUN(paths.repository, programs_path("abbot"), "--state", paths.state, "queue", __VA_ARGS__)

/* The parts come one after the other. */
static void expect_parts(struct program_output output, const char *const *parts)
{
	const char *at = output.output;

	if (output.exit_status != 0)
		fail_msg("exit %d: %s", output.exit_status, output.error_output);
	for (; *parts; parts++) {
		at = strstr(at, *parts);
		if (!at)
			fail_msg("wanted \"%s\" in:\n%s", *parts, output.output);
		at += strlen(*parts);
	}
	program_output_done(&output);
}

#define EXPECT(output, ...) expect_parts(output, (const char *const[]){ __VA_ARGS__, NULL })

static void test_points(void **state)
{
	(void)state;
	EXPECT(QUEUE("--dry-run", "--patch", "one.patch", "main"),
	       "  plain ", "  patched ", "+ patch one.patch (", "= tree ", "boots    plain, patched, plain");
	EXPECT(QUEUE("--dry-run", "--control", "patched", "--override", "mm/mprotect.c@./own.c", "main"),
	       "  patched ", "+ override mm/mprotect.c@./own.c (", "  plain ", "boots    patched, plain, patched");
	EXPECT(QUEUE("--dry-run", "--config-set", "CONFIG_NUMA=n", "--patched-cmdline", "quiet", "main"),
	       "  plain ", "+ config-set CONFIG_NUMA=n", "+ cmdline quiet", "boots");
	EXPECT(QUEUE("--dry-run", "--revert", "main", "main"), "  plain ", "+ revert main (", "): mm: change it");
}

static void test_ladders(void **state)
{
	(void)state;
	EXPECT(QUEUE("--dry-run", "--each", "--patch", "one.patch", "--patch", "two.patch", "main"),
	       "  plain ", "  patched ", "one.patch", "two.patch", "  first-1 ", "one.patch",
	       "boots    plain, patched, first-1, patched, plain");
	EXPECT(QUEUE("--dry-run", "--each", "--control", "patched", "--patch", "one.patch", "--patch", "two.patch", "main"),
	       "boots    patched, plain, first-1, plain, patched");
}

static void test_what_is_kept(void **state)
{
	_cleanup_free_ char *kept = path_join(paths.state, "patches");

	(void)state;
	EXPECT(QUEUE("--dry-run", "--patch", "one.patch", "main"), "this would be queued");
	assert_false(file_exists(kept));
	EXPECT(QUEUE("--patch", "one.patch", "main"), "job 1 queued");
	assert_true(file_exists(kept));
	EXPECT(RUN(NULL, programs_path("abbot"), "--state", paths.state, "report", "1"), "patched", "+ patch one.patch");
	EXPECT(RUN(NULL, programs_path("abbot"), "--state", paths.state, "report", "1", "--format", "json"),
	       "\"changes\"", "patch one.patch", "\"tree\"");
	EXPECT(RUN(NULL, programs_path("abbot"), "--state", paths.state, "plan", "1"), "with its changes");
}

static void test_job_file(void **state)
{
	(void)state;
	write_text("my.job", "[point \"a\"]\n\tcommit = main\n\tpatch = one.patch\n[point \"b\"]\n\tcommit = main\n"
			     "\tpatch = two.patch\n\tpatch = one.patch\n");
	EXPECT(QUEUE("--dry-run", "--file-job", "my.job"), "  a ", "one.patch", "  b ", "two.patch", "one.patch");
}

static void test_refused(void **state)
{
	static const struct { const char *args[8]; const char *says; } rows[] = {
		{ { "--patch", "bad.patch", "main" }, "mm/mprotect.c: hunk 1 (line 1) does not apply" },
		{ { "--patch", "none.patch", "main" }, "none.patch cannot be read" },
		{ { "--patch", "own.c", "main" }, "holds no diff" },
		{ { "--patch", "one.patch", "main~1", "main" }, "give a single one" },
		{ { "--patch", "one.patch", "main~1..main" }, "give a single one" },
		{ { "--each", "main" }, "want changes" },
		{ { "--each", "--patch", "one.patch", "main" }, "two changes at least" },
		{ { "--control", "other", "--patch", "one.patch", "main" }, "write plain or patched" },
		{ { "--design", "sweep", "--patch", "one.patch", "main" }, "the design is a sandwich" },
		{ { "--config-set", "NUMA=n", "main" }, "CONFIG_NAME=VALUE" },
		{ { "--patched-cmdline", "abbot.token=1", "main" }, "reserved" },
		{ { "--override", "mm/none.c@main", "main" }, "has no file mm/none.c" },
		{ { "--patch", "http://example.org/x", "main" }, "only https is" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *argv[16] = { programs_path("abbot"), "--state", paths.state, "queue" };
		struct program_output output;

		for (size_t k = 0; k < 8 && rows[i].args[k]; k++)
			argv[4 + k] = rows[i].args[k];
		output = programs_run(paths.repository, argv);
		if (output.exit_status == 0 || !strstr(output.error_output, rows[i].says))
			fail_msg("%s %s: exit %d: %s", rows[i].args[0], rows[i].args[1], output.exit_status, output.error_output);
		assert_string_equal(output.output, "");
		program_output_done(&output);
	}
	EXPECT(RUN(NULL, programs_path("abbot"), "--state", paths.state, "list"), "No jobs");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_points), TEST(test_ladders), TEST(test_what_is_kept), TEST(test_job_file), TEST(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
