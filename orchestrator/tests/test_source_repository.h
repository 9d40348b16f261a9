// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Real git repositories for tests, made by the git command in a fresh directory.
 * What is asked of them is each test's own.
 */
#pragma once

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/text.h"

static const char *const repository_environment[] = {
	"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1",
	"GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.org", "GIT_COMMITTER_NAME=T",
	"GIT_COMMITTER_EMAIL=t@example.org", "GIT_AUTHOR_DATE=1700000000 +0000",
	"GIT_COMMITTER_DATE=1700000000 +0000", "GIT_CONFIG_COUNT=2",
	"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
	"GIT_CONFIG_KEY_1=protocol.file.allow", "GIT_CONFIG_VALUE_1=always", NULL,
};

/* Splits @command at spaces; fails the test unless it succeeds. Returns its stripped output. */
static inline char *repository_run(const char *directory, const char *input, const char *command)
{
	_cleanup_free_ char *words = text_duplicate(command);
	const char *argv[32];
	size_t n = 0;
	struct subprocess_options options = { .argv = argv, .environment = repository_environment,
					      .directory = directory, .input_path = input,
					      .timeout_ms = 60000 };
	struct subprocess_result result = { 0 };
	struct error err = { 0 };
	char *position = NULL, *output;

	for (char *word = strtok_r(words, " ", &position); word && n < 31;
	     word = strtok_r(NULL, " ", &position))
		argv[n++] = word;
	argv[n] = NULL;
	if (subprocess_check(&options, &result, &err) < 0)
		fail_msg("%s: %s: %s", command, err.text, result.error_output ? result.error_output : "");
	output = text_duplicate(text_strip(result.output));
	subprocess_result_done(&result);
	return output;
}

static inline void repository_do(const char *directory, const char *command)
{
	free(repository_run(directory, NULL, command));
}

static inline void repository_write(const char *directory, const char *name, const char *text)
{
	_cleanup_free_ char *path = path_join(directory, name);
	_cleanup_free_ char *parent = text_duplicate(path);
	struct error err = { 0 };

	*strrchr(parent, '/') = '\0';
	assert_int_equal(file_make_directories(parent, 0755, &err), 0);
	assert_int_equal(file_write_durable(path, text, strlen(text), 0644, &err), 0);
}

static inline void repository_commit(const char *directory, const char *title)
{
	repository_do(directory, "git add -A");
	_cleanup_free_ char *command = text_format("git commit -q -m %s", title);

	repository_do(directory, command);
}

static inline char *repository_temporary(void)
{
	const char *root = getenv("TMPDIR");
	char *path = text_format("%s/abbot-test-XXXXXX", root ? root : "/tmp");

	assert_non_null(mkdtemp(path));
	/* Another user must reach what is in it. */
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

/* An empty repository "linux" in a directory of its own, which goes with it. */
struct repository_fixture {
	char *directory;
	char *repository;
};

static inline struct repository_fixture *repository_fixture_new(void)
{
	struct repository_fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	fixture->directory = repository_temporary();
	fixture->repository = path_join(fixture->directory, "linux");
	repository_do(fixture->directory, "git init -q -b main linux");
	return fixture;
}

static inline int repository_fixture_teardown(void **state)
{
	struct repository_fixture *fixture = *state;
	struct error err;

	assert_int_equal(file_remove_tree(fixture->directory, &err), 0);
	free(fixture->directory);
	free(fixture->repository);
	free(fixture);
	return 0;
}
