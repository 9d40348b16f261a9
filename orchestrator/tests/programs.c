// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the built programs for tests. Anything that fails here fails the test.
 */
#include "orchestrator/tests/programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/text.h"

#define RUN_TIMEOUT_MS 30000
#define RUN_MAX_BYTES ((size_t)8 * 1024 * 1024)

const char *programs_path(const char *name)
{
	static char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 64);

	assert_true(size > 0);
	path[size] = '\0';
	for (int i = 0; i < 3; i++) { /* BUILD/orchestrator/tests/test_x */
		char *slash = strrchr(path, '/');

		assert_non_null(slash);
		*slash = '\0';
	}
	(void)snprintf(path + strlen(path), 64, "/%s", name);
	assert_int_equal(access(path, X_OK), 0);
	return path;
}

char *programs_source_file(const char *name)
{
	const char *data = getenv("ABBOT_DATA");

	return data ? text_format("%s/../%s", data, name) : text_duplicate(name);
}

struct program_output programs_run(const char *directory, const char *const *argv)
{
	const struct subprocess_options options = {
		.argv = argv,
		.directory = directory,
		.timeout_ms = RUN_TIMEOUT_MS,
		.max_output_bytes = RUN_MAX_BYTES,
	};
	struct subprocess_result result = { 0 };
	struct program_output output;
	struct error err = { 0 };

	if (subprocess_run(&options, &result, &err) < 0)
		fail_msg("%s", err.text);
	assert_false(result.timed_out);
	output = (struct program_output){
		.output = text_duplicate(result.output ? result.output : ""),
		.error_output = text_duplicate(result.error_output ? result.error_output : ""),
		.exit_status = result.exit_status,
	};
	subprocess_result_done(&result);
	return output;
}

void program_output_done(struct program_output *output)
{
	free(output->output);
	free(output->error_output);
	*output = (struct program_output){ 0 };
}

static void git(const char *directory, const char *const *words)
{
	const char *argv[16] = { "git", "-c", "user.name=A", "-c", "user.email=a@example.org" };
	struct program_output output;
	size_t n = 5;

	for (; *words; words++)
		argv[n++] = *words;
	output = programs_run(directory, argv);
	if (output.exit_status != 0)
		fail_msg("git: %s", output.error_output);
	program_output_done(&output);
}

#define GIT(directory, ...) git(directory, (const char *const[]){ __VA_ARGS__, NULL })

static void write_file(const char *directory, const char *name, const char *text)
{
	_cleanup_free_ char *path = path_join(directory, name);
	struct error err = { 0 };

	if (file_write_durable(path, text, strlen(text), 0644, &err) < 0)
		fail_msg("%s", err.text);
}

void programs_make_repository(const char *directory)
{
	_cleanup_free_ char *mm = path_join(directory, "mm");

	assert_int_equal(file_make_directories(mm, 0755, NULL), 0);
	GIT(directory, "init", "-q", "-b", "main");
	write_file(directory, "Makefile", "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 0\n"
					  "%config:\n\t@echo this is no kernel >&2; false\n");
	write_file(directory, "Kconfig", "\n");
	write_file(directory, "Kbuild", "\n");
	GIT(directory, "add", ".");
	GIT(directory, "commit", "-q", "-m", "base");
	write_file(directory, "mm/mprotect.c", "int x;\n");
	GIT(directory, "add", ".");
	GIT(directory, "commit", "-q", "-m", "mm: change it");
}
