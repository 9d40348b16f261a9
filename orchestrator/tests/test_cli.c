// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The real `abbot` on a state directory of its own: what bad input gets (one sentence,
 * the right exit status, nothing half-done), and a job from queue to cancel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/tests/programs.h"
#include "queue/store.h"

struct fixture {
	char *repository;
	char *state;
	char *plain; /* an empty directory that is in no repository */
};

static struct fixture fixture_make(void **state)
{
	struct fixture f = {
		.repository = temporary_path(state, "linux"),
		.state = temporary_path(state, "state"),
		.plain = temporary_path(state, "plain"),
	};

	programs_make_repository(f.repository);
	assert_int_equal(mkdir(f.plain, 0755), 0);
	return f;
}

static void fixture_done(struct fixture *f)
{
	free(f->repository);
	free(f->state);
	free(f->plain);
}

static bool is_one_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return end && end != text && end[1] == '\0';
}

#define ABBOT(f, directory, ...) \
	RUN(directory, programs_path("abbot"), "--state", (f)->state, __VA_ARGS__)

static void expect_output(struct program_output output, const char *part)
{
	if (output.exit_status != 0 || output.error_output[0])
		fail_msg("exit %d: %s", output.exit_status, output.error_output);
	if (!strstr(output.output, part))
		fail_msg("wanted \"%s\" in:\n%s", part, output.output);
	program_output_done(&output);
}

static void expect_refusal(struct program_output output, int exit_status, const char *part)
{
	if (output.exit_status != exit_status)
		fail_msg("wanted exit %d, got %d: %s", exit_status, output.exit_status,
			 output.error_output);
	if (!is_one_line(output.error_output) || !text_has_prefix(output.error_output, "abbot: "))
		fail_msg("not one sentence: %s", output.error_output);
	if (!strstr(output.error_output, part))
		fail_msg("wanted \"%s\" in: %s", part, output.error_output);
	assert_string_equal(output.output, "");
	program_output_done(&output);
}

struct bad_input {
	const char *words[6];
	int exit_status;
	const char *part;
};

static const struct bad_input bad_inputs[] = {
	{ { "quue" }, 2, "did you mean \"queue\"?" },
	{ { "frobnicate-everything" }, 2, "\"abbot help\" lists them" },
	{ { "help", "reprot" }, 2, "did you mean \"report\"?" },
	{ { "queue" }, 2, "one revision, two, more for a sweep or ladder, or --file-job" },
	{ { "queue", "--exactley", "PCP" }, 2, "did you mean --exactly?" },
	{ { "queue", "--exactly" }, 2, "--exactly needs a value" },
	{ { "queue", "--dry-run=yes", "main" }, 2, "takes no value" },
	{ { "queue", "no-such-revision" }, 2, "no-such-revision" },
	{ { "queue", "main~1" }, 2, "parent" },
	{ { "queue", "--exactly", "CPC", "main" }, 2, "CPC" },
	{ { "queue", "--exactly", "PP", "main" }, 2, "PP" },
	{ { "queue", "--cpu", "two", "main" }, 2, "--cpu" },
	{ { "queue", "--processes", "0", "main" }, 2, "--processes" },
	{ { "queue", "--settle", "1 fortnight", "main" }, 2, "--settle" },
	{ { "queue", "--threshold", "nan", "main" }, 2, "--threshold" },
	{ { "queue", "--turbo", "of", "main" }, 2, "--turbo" },
	{ { "queue", "--workload", "mprotect-togle", "main" }, 2, "mprotect-togle" },
	{ { "queue", "--config", "./no.config", "main" }, 2, "./no.config" },
	{ { "queue", "--fragment", "no.config", "main" }, 2, "no.config" },
	{ { "queue", "--repository", "/nonexistent", "main" }, 2, "/nonexistent" },
	{ { "queue", "--file-job", "no.job" }, 2, "no.job" },
	{ { "queue", "--file-job", "x.job", "main" }, 2, "give no revision" },
	{ { "queue", "--cmdline", "a\xff", "main" }, 2, "argument 2 is not UTF-8" },
	{ { "status" }, 2, "no job yet" },
	{ { "status", "one" }, 2, "\"one\" is not a job number" },
	{ { "status", "-1" }, 2, "-1" },
	{ { "status", "1", "2" }, 2, "one job number" },
	{ { "report", "--fromat", "json" }, 2, "did you mean --format?" },
	{ { "simulate" }, 2, "say what to simulate: bisect or verdict" },
	{ { "simulate", "verdict", "--runs", "many" }, 2, "--runs many: give a whole number" },
	{ { "simulate", "verdict", "--boot-sd", "wide" }, 2, "--boot-sd wide: give a number" },
	{ { "simulate", "verdict", "--boots", "4" }, 2, "an odd number of boots" },
	{ { "analyze", "--history-sd", "1", "/dev/null" }, 2, "/dev/null" },
	{ { "cancel" }, 2, "one job number" },
	{ { "cancel", "1" }, 2, "no job 1" },
	{ { "queue", "--not-before", "25:00", "x" }, 2, "HH:MM" },
	{ { "check", "now" }, 2, "no argument" },
	{ { "check", "--yes=1" }, 2, "takes no value" },
	{ { "lab" }, 2, "numbers of 1 to 16 jobs" },
	{ { "lab", "1", "two" }, 2, "two" },
	{ { "lab", "--power-cut", "soon", "1" }, 2, "--power-cut soon" },
	{ { "lab", "--power-cut", "0", "1" }, 2, "--power-cut 0" },
	{ { "lab", "--power-cut", "1", "--power-cut", "x", "1" }, 2, "--power-cut x" },
	{ { "lab", "--power-switch", "never", "1" }, 2, "--power-switch never" },
};

static void expect_failure_says(const char *const *argv, int exit_status, const char *part)
{
	const struct subprocess_options options = { .argv = argv, .timeout_ms = 60000 };
	_cleanup_(subprocess_result_done) struct subprocess_result result = { 0 };
	struct error err;

	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	assert_int_equal(result.exit_status, exit_status);
	assert_non_null(strstr(result.output, part));
}

static void test_bad_input(void **state)
{
	struct fixture f = fixture_make(state);
	_cleanup_free_ char *store = path_join(f.state, STORE_FILE_NAME);

	for (size_t i = 0; i < ARRAY_SIZE(bad_inputs); i++) {
		const struct bad_input *bad = &bad_inputs[i];
		const char *argv[10] = { programs_path("abbot"), "--state", f.state };

		memcpy(argv + 3, bad->words, sizeof(bad->words));
		expect_refusal(programs_run(f.repository, argv), bad->exit_status, bad->part);
	}
	/* Refused revisions have made the store, but no job. */
	if (file_exists(store))
		expect_output(ABBOT(&f, f.repository, "list"), "No jobs.");
	fixture_done(&f);
}

/* Not a word on the terminal, and exit 0, would be taken for success. */
static void test_output_that_cannot_be_written(void **state)
{
	(void)state;
	const char *const verbs[] = { "--version", "help", "help queue", "simulate verdict --runs 1" };

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		_cleanup_free_ char *line = text_format("'%s' %s 2>&1 >/dev/full", programs_path("abbot"), verbs[i]);
		const char *const argv[] = { "sh", "-c", line, NULL };

		expect_failure_says(argv, 3, "could not be written");
	}
}

static void test_global_options(void **state)
{
	(void)state;
	expect_output(RUN(NULL, programs_path("abbot"), "--version"), "abbot 0.");
	expect_output(RUN(NULL, programs_path("abbot"), "--help"), "Verbs:");
	expect_refusal(RUN(NULL, programs_path("abbot")), 2, "which verb?");
	expect_refusal(RUN(NULL, programs_path("abbot"), "--sate", "/x", "list"), 2, "--state?");
	expect_refusal(RUN(NULL, programs_path("abbot"), "--state"), 2, "needs a value");
	expect_refusal(RUN(NULL, programs_path("abbot"), "--state=/nonexistent", "list"), 2,
		       "nothing was queued yet");
}

static void test_outside_a_repository(void **state)
{
	struct fixture f = fixture_make(state);

	expect_refusal(ABBOT(&f, f.plain, "queue", "main"), 2, "--repository");
	expect_refusal(ABBOT(&f, f.plain, "queue", "--repository", ".", "main"), 2, "plain");
	expect_output(ABBOT(&f, f.plain, "queue", "--repository", "../linux", "main"),
		      "job 1 queued: main");
	fixture_done(&f);
}

static void test_queue_to_cancel(void **state)
{
	struct fixture f = fixture_make(state);
	_cleanup_free_ char *mm = path_join(f.repository, "mm");

	expect_output(ABBOT(&f, mm, "queue", "--dry-run", "main"), "this would be queued: main");
	expect_output(ABBOT(&f, mm, "list"), "No jobs.");
	expect_output(ABBOT(&f, mm, "queue", "--exactly", "PCPCP", "--processes=5", "main"),
		      "parent, child, parent, child, parent; mprotect-toggle, 5 processes");
	expect_output(ABBOT(&f, mm, "queue", "main~1", "main"), "job 2 queued: main-1..main");
	expect_output(ABBOT(&f, mm, "queue", "main~1..main"), "job 3 queued");
	expect_output(ABBOT(&f, mm, "plan", "1"), "boot 5 of 5 (parent)");
	expect_output(ABBOT(&f, mm, "status", "--json", "1"), "\"boots_expected\": 5");
	expect_output(ABBOT(&f, mm, "list", "--json"), "\"status\": \"queued\"");
	expect_output(ABBOT(&f, mm, "log", "1"), "queued: main");
	expect_output(ABBOT(&f, mm, "report", "1"), "mm: change it");
	expect_output(ABBOT(&f, mm, "pause", "1"), "paused");
	expect_refusal(ABBOT(&f, mm, "pause", "1"), 1, "paused already");
	expect_output(ABBOT(&f, mm, "resume", "1"), "goes on");
	expect_output(ABBOT(&f, mm, "cancel", "2"), "cancelled");
	expect_refusal(ABBOT(&f, mm, "cancel", "2"), 1, "already ended");
	expect_output(ABBOT(&f, mm, "status", "--watch", "2"), "cancelled");
	fixture_done(&f);
}

static void write_job(const char *path, const char *text)
{
	assert_int_equal(file_write_durable(path, text, strlen(text), 0644, NULL), 0);
}

static void test_job_file(void **state)
{
	struct fixture f = fixture_make(state);
	_cleanup_free_ char *job = path_join(f.plain, "my.job");
	_cleanup_free_ char *fragment = path_join(f.plain, "quiet.config");

	write_job(fragment, "CONFIG_X=y\n");
	write_job(job, "[job]\n\tname = from-file\n\trepository = ../linux\n"
		       "[point \"parent\"]\n\tcommit = main~1\n[point \"child\"]\n\tcommit = main\n"
		       "[build]\n\tfragment = quiet.config\n[measure]\n\tprocesses = 7\n");
	/* Relative paths are meant from the file, not from where abbot runs. */
	expect_output(ABBOT(&f, "/", "queue", "--file-job", job, "--warmups", "1"),
		      "7 processes after 1 warm-ups");
	write_job(job, "[job]\n\tnaem = x\n");
	expect_refusal(ABBOT(&f, "/", "queue", "--file-job", job), 2, "name");
	write_job(job, "[include]\n\tpath = /etc/shadow\n");
	expect_refusal(ABBOT(&f, "/", "queue", "--file-job", job), 2, "include");
	expect_output(ABBOT(&f, "/", "list"), "from-file");
	fixture_done(&f);
}

static void test_store_in_use_or_damaged(void **state)
{
	struct fixture f = fixture_make(state);
	_cleanup_free_ char *path = path_join(f.state, STORE_FILE_NAME);
	struct store *store = NULL;

	expect_output(ABBOT(&f, f.repository, "queue", "main"), "job 1 queued");
	assert_int_equal(store_open(f.state, false, &store, NULL), 0);
	expect_refusal(ABBOT(&f, f.repository, "list"), 3, "another abbotd or abbot uses");
	store_close(store);
	assert_int_equal(truncate(path, 5000), 0);
	expect_refusal(ABBOT(&f, f.repository, "list"), 3, f.state);
	expect_refusal(ABBOT(&f, f.repository, "queue", "main"), 3, f.state);
	fixture_done(&f);
}

static void test_no_daemon_at_a_given_socket(void **state)
{
	struct fixture f = fixture_make(state);
	_cleanup_free_ char *socket_path = path_join(f.plain, "none.sock");

	/* A socket without a daemon: the store itself is asked. */
	expect_refusal(ABBOT(&f, f.plain, "list"), 2, "nothing was queued yet");
	expect_refusal(RUN(f.plain, programs_path("abbot"), "--socket", socket_path, "--state",
			   f.state, "list"), 2, "nothing was queued yet");
	fixture_done(&f);
}

int main(void)
{
#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_bad_input),
		TEST(test_output_that_cannot_be_written),
		TEST(test_global_options),
		TEST(test_outside_a_repository),
		TEST(test_queue_to_cancel),
		TEST(test_job_file),
		TEST(test_store_in_use_or_damaged),
		TEST(test_no_daemon_at_a_given_socket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
