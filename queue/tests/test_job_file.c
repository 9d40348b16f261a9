// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Job files: what is read, what is refused and with which words; the manual page
 * against the table of keys; seeded mutations of a good file. Run from the top of
 * the tree, where the manual page and the example are.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <git2.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "queue/job_file.h"
#include "queue/job_key.h"

#define MANUAL "queue/abbot.job.5"
#define EXAMPLE "configs/examples/sandwich.job"
#define POINTS "[point \"parent\"]\ncommit = a^\n[point \"child\"]\ncommit = a\n"

static int parse(const char *text, struct job *ret_job, struct error *err)
{
	return job_file_parse(text, strlen(text), "my.job", ret_job, err);
}

static void every_key_is_read(void **state)
{
	static const char text[] =
		"\xef\xbb\xbf# first line after a byte-order mark\n"
		"[job]\n\tname = pte-batching ; why\n\tdesign = sandwich\r\n"
		"\trepository = \"/srv/with # and \\\"quotes\\\"\"\n"
		"\tbench = mprotect-toggle\n\torder = PCPCP\n\tthreshold = 0.5\n\texactly\n"
		"[point \"parent\"] commit = cac1db8c3aad^\n"
		"[POINT \"Child\"]\n\tCommit = v6.17\n"
		"[build]\nconfig = ./my.config\nfragment = a.config\nfragment = b.config\n"
		"config-differences = allow\njobs = 4\n"
		"[boot]\ncmdline = \"mitigations=auto \\\n quiet\"\npreempt = lazy\nsettle = 2min\n"
		"deadline = 1h\nmax-attempts = 3\nmax-reboots = 12\n"
		"not-before = 2026-01-31T20:00:00+01:00\naccept-hang-risk\n"
		"[measure]\ncpu = 2\nwarmups = 0\nprocesses = 7\ntimeout = 90\n"
		"governor = keep\nturbo = on\nmetric = protect\nargument = --size=8M\n"
		"argument = --iterations=20\nprofile-differences = allow";
	struct job job;
	struct error err = { .text = "" };

	(void)state;
	if (parse(text, &job, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(job.name, "pte-batching");
	assert_string_equal(job.repository, "/srv/with # and \"quotes\"");
	assert_string_equal(job.order, "PCPCP");
	assert_true(job.threshold_pct == 0.5);
	assert_true(job.is_exact);
	assert_int_equal(job.n_points, 2);
	assert_string_equal(job.points[0].name, "parent");
	assert_string_equal(job.points[0].revision, "cac1db8c3aad^");
	assert_string_equal(job.points[1].name, "Child");
	assert_string_equal(job.points[1].revision, "v6.17");
	assert_string_equal(job.build.config, "./my.config");
	assert_string_equal(job.build.fragments[0], "a.config");
	assert_string_equal(job.build.fragments[1], "b.config");
	assert_null(job.build.fragments[2]);
	assert_int_equal(job.build.config_differences, JOB_DIFFERENCES_ALLOW);
	assert_int_equal(job.build.jobs, 4);
	assert_string_equal(job.boot.cmdline, "mitigations=auto  quiet");
	assert_string_equal(job.boot.preempt, "lazy");
	assert_int_equal(job.boot.settle_s, 120);
	assert_int_equal(job.boot.deadline_s, 3600);
	assert_int_equal(job.boot.max_attempts, 3);
	assert_int_equal(job.boot.max_reboots, 12);
	assert_int_equal(job.boot.not_before_s, 1769886000);
	assert_true(job.boot.accepts_hang_risk);
	assert_int_equal(job.measure.cpu, 2);
	assert_int_equal(job.measure.warmups, 0);
	assert_int_equal(job.measure.processes, 7);
	assert_int_equal(job.measure.timeout_s, 90);
	assert_string_equal(job.measure.governor, "keep");
	assert_string_equal(job.measure.turbo, "on");
	assert_string_equal(job.measure.metric, "protect");
	assert_string_equal(job.measure.arguments[1], "--iterations=20");
	assert_int_equal(job.measure.profile_differences, JOB_DIFFERENCES_ALLOW);
	job_done(&job);
}

static void bad_files_are_refused(void **state)
{
	static const struct {
		const char *text;
		const char *in_text;
	} cases[] = {
		{ POINTS "[measure]\nprocesess = 3\n", "measure.processes" },
		{ POINTS "[measure]\nsettle = 3\n", "[boot]" },
		{ POINTS "[measure]\nzzzzzzzzzzzz = 3\n", "zzzzzzzzzzzz" },
		{ POINTS "[measur]\ncpu = 3\n", "my.job:5" },
		{ POINTS "[measur]\ncpu = 3\n", "[measure]" },
		{ POINTS "[measur]\n", "[measure]" },
		{ POINTS "[qqqqqqqqqqqq]\n", "known are" },
		{ POINTS "[job] [qqqqqqqq] name = a\n", "qqqqqqqq" },
		{ POINTS "[job \"a\"]\nname = a\n", "takes no name" },
		{ "[point]\ncommit = a\n", "needs a name" },
		{ POINTS "[point \"third\"]\ncommit = b\n", "two points" },
		{ POINTS "[point \"child\"]\ncommit = b\n", "two commits" },
		{ POINTS "[point \"child\"]\nconfig = b\n", "[build]" },
		{ POINTS "[point \"\"]\ncommit = b\n", "name" },
		{ POINTS "[point \"a/b\"]\ncommit = b\n", "a/b" },
		{ "[point \"parent\"]\ncommit = a\n", "two points" },
		{ "[point \"parent\"]\ncommit\n[point \"child\"]\ncommit = b\n", "no value" },
		{ "", "two points" },
		{ "name = x\n" POINTS, "name" },
		{ POINTS "[job]\nname = a\nname = b\n", "twice" },
		{ POINTS "[job]\nname\n", "job.name" },
		{ POINTS "[job]\nexactly = maybe\n", "job.exactly" },
		{ POINTS "[job]\ndesign = bisekt\n", "bisekt" },
		{ POINTS "[job]\nbench = mprotect-togle\n", "mprotect-toggle" },
		{ POINTS "[job]\norder = PCPC\n", "job.order" },
		{ POINTS "[boot]\nsettle = soon\n", "boot.settle" },
		{ POINTS "[boot]\nsettle = 2d1\n", "boot.settle" },
		{ POINTS "[boot]\ndeadline = 5s\n", "30 to 86400" },
		{ POINTS "[boot]\nnot-before = 20:00\n", "2026-01-31T20:00:00+01:00" },
		{ POINTS "[boot]\ncmdline = abbot.hold\n", "reserved" },
		{ POINTS "[boot]\ncmdline = quiet init=/bin/sh\n", "init=" },
		{ POINTS "[boot]\ncmdline = systemd.mask=abbotd.service\n", "systemd.mask=abbot" },
		{ POINTS "[boot]\ncmdline = \"a=\\\"b c\"\n", "without its partner" },
		{ POINTS "[job]\nexactly = true\ndesign = ladder\n", "exactly is of a sandwich" },
		{ POINTS "[job]\nexactly = true\ndesign = sweep\n", "exactly is of a sandwich" },
		{ POINTS "[measure]\nprocesses = 15x\n", "whole number" },
		{ POINTS "[measure]\nprocesses = 99999999999999999999\n", "measure.processes" },
		{ POINTS "[measure]\nturbo = of\n", "\"off\"" },
		{ POINTS "[measure\ncpu = 1\n", "my.job:5" },
		{ POINTS "[measure]\ncpu 1\n", "my.job:6" },
		{ POINTS "[boot]\ncmdline = a;b\n", "double quotes" },
		{ POINTS "[job]\nname = run#2\n", "double quotes" },
		{ POINTS "[job]\nname = \"a\\q\"\n", "escape" },
		{ POINTS "[job]\nname = \"a\\nb\"\n", "control" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error err = { .text = "" };
		struct job job = { .n_points = 12345 };

		if (parse(cases[i].text, &job, &err) >= 0)
			fail_msg("accepted: %s", cases[i].text);
		if (!strstr(err.text, cases[i].in_text))
			fail_msg("%s: \"%s\" lacks \"%s\"", cases[i].text, err.text,
				 cases[i].in_text);
		if (!text_has_prefix(err.text, "my.job") && !strstr(err.text, "in my.job:"))
			fail_msg("\"%s\" does not name the file", err.text);
		assert_null(strstr(err.text, "/proc/"));
		assert_null(strchr(err.text, '\n'));
		assert_int_equal(job.n_points, 12345);
	}
}

/* The other file would change the job, were it ever read. */
static void other_files_are_never_read(void **state)
{
	static const char *const headers[] = {
		"[include]\npath = %s\n",
		"[INCLUDE]\npath = %s\n",
		"  \t[include] path = %s\n",
		"[job] [include] path = %s\n",
		"[point \"parent\"][include]\npath = %s\n",
		"[includeIf \"onbranch:**\"]\npath = %s\n",
		"[includeif \"gitdir:/\"]\npath = %s\n",
		"[include.x]\npath = %s\n",
		"[ include]\npath = %s\n",
		"\f[include]\npath = %s\n",
		"[job]\nname = a \\\n[include]\n[include]\npath = %s\n",
		"\xef\xbb\xbf[include]\npath = %s\n",
	};
	char other[] = "/tmp/abbot-job-file.XXXXXX";
	static const char content[] = "[measure]\nprocesses = 99\n";
	int fd = mkstemp(other);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), (ssize_t)strlen(content));
	close(fd);
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
		_cleanup_text_ struct text_buffer text = { 0 };
		const char *at = strstr(headers[i], "%s");
		struct error err = { .text = "" };
		struct job job;

		text_append_bytes(&text, headers[i], (size_t)(at - headers[i]));
		text_append(&text, other);
		text_append(&text, at + 2);
		text_append(&text, POINTS);
		if (parse(text.text, &job, &err) != -EPERM)
			fail_msg("%s: %s", text.text, err.text);
		assert_non_null(strstr(err.text, "include"));
	}
	unlink(other);
}

/* The word alone is not an include. */
static void the_word_include_is_harmless(void **state)
{
	struct job job;
	struct error err = { .text = "" };

	(void)state;
	assert_int_equal(parse("# [include]\n\t; [include]\n[job]\nrepository = /include\n" POINTS,
			       &job, &err),
			 0);
	assert_string_equal(job.repository, "/include");
	job_done(&job);
}

static void binary_and_huge_files_are_refused(void **state)
{
	char *huge = malloc(JOB_FILE_MAX_BYTES + 1);
	static const char with_nul[] = POINTS "\0[include]\n";
	struct job job;
	struct error err;

	(void)state;
	memset(huge, '\n', JOB_FILE_MAX_BYTES + 1);
	/* A length goes with it, no NUL. NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
	memcpy(huge, POINTS, strlen(POINTS));
	assert_int_equal(job_file_parse(huge, JOB_FILE_MAX_BYTES + 1, "my.job", &job, &err), -EFBIG);
	assert_int_equal(job_file_parse(huge, JOB_FILE_MAX_BYTES, "my.job", &job, &err), 0);
	job_done(&job);
	assert_int_equal(job_file_parse(with_nul, sizeof(with_nul) - 1, "my.job", &job, &err),
			 -EINVAL);
	free(huge);
}

static char *read_whole(const char *path, size_t *ret_size)
{
	char *data;
	struct error err;

	if (file_read(path, JOB_FILE_MAX_BYTES, &data, ret_size, &err) < 0)
		fail_msg("%s (run this test from the top of the tree)", err.text);
	return data;
}

static void the_example_is_a_job(void **state)
{
	size_t size;
	_cleanup_free_ char *data = read_whole(EXAMPLE, &size);
	struct error err = { .text = "" };
	struct job job;

	(void)state;
	if (job_file_parse(data, size, EXAMPLE, &job, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(job.points[1].revision, "cac1db8c3aad");
	assert_int_equal(job.measure.cpu, 2);
	job_done(&job);
}

/* As roff spells it: a plain "-" would be a hyphen. */
static char *in_roff(const char *text)
{
	struct text_buffer out = { 0 };

	for (; *text; text++) {
		if (*text == '-')
			text_append(&out, "\\");
		text_append_bytes(&out, text, 1);
	}
	return text_buffer_take(&out);
}

/* The lines from "start" to the next one that begins with "end" or the text's end. */
static char *cut(const char *text, const char *start, const char *end)
{
	const char *from = strstr(text, start);
	const char *to;

	if (!from)
		return NULL;
	from += strlen(start);
	to = strstr(from, end);
	return to ? text_format("%.*s", (int)(to - from), from) : text_duplicate(from);
}

static void require(const struct job_key *key, const char *paragraph, const char *what)
{
	if (!strstr(paragraph, what))
		fail_msg("%s: the paragraph of %s.%s lacks \"%s\"", MANUAL, key->section, key->name,
			 what);
}

static void the_manual_names_every_key(void **state)
{
	_cleanup_free_ char *manual = read_whole(MANUAL, NULL);
	size_t n_documented = 0, n_keys = 0;

	(void)state;
	for (const struct job_key *key = job_keys; key->section; key++) {
		bool is_named = job_section_is_named(key->section);
		_cleanup_free_ char *heading =
			text_format("\n.SS [%s%s]", key->section, is_named ? " \\(dqNAME\\(dq" : "");
		_cleanup_free_ char *section = cut(manual, heading, "\n.S");
		_cleanup_free_ char *name = in_roff(key->name);
		_cleanup_free_ char *tag = text_format("\n.TP\n.B %s\n", name);
		_cleanup_free_ char *paragraph = section ? cut(section, tag, "\n.TP") : NULL;
		_cleanup_free_ char *preset = key->preset ? in_roff(key->preset) : NULL;
		_cleanup_free_ char *standard =
			preset ? text_format("Default: %s.", *preset ? preset : "none") : NULL;
		_cleanup_free_ char *range = text_format("Range: %s%lld to %lld",
							 key->minimum < 0 ? "\\" : "",
							 (long long)key->minimum,
							 (long long)key->maximum);

		n_keys++;
		if (!paragraph)
			fail_msg("%s does not describe %s.%s", MANUAL, key->section, key->name);
		if (standard)
			require(key, paragraph, standard);
		if (key->type == JOB_KEY_LIST)
			require(key, paragraph, "may be repeated");
		if (key->minimum != key->maximum && key->type != JOB_KEY_TIME)
			require(key, paragraph, range);
		for (size_t i = 0; key->words && key->words[i]; i++) {
			_cleanup_free_ char *word = in_roff(key->words[i]);

			require(key, paragraph, word);
		}
	}
	/* And none besides: the description's tagged paragraphs are the keys. */
	for (const char *at = manual; (at = strstr(at, "\n.TP\n.B ")); at++)
		n_documented++;
	assert_int_equal(n_documented, n_keys);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Under the sanitizers this is the real test; without them it still must not crash. */
static void mutations_never_crash(void **state)
{
	static const char *const pieces[] = { "[", "]", "\"", "\\", "\n", "\\\n", "=", "#", ";",
					      "[point \"x\"]", "[job]", "commit", "=99999999999999999999",
					      "\r", "\xff", "\t", ".", "[include", "-1", "[point \"" };
	size_t size;
	_cleanup_free_ char *good = read_whole(EXAMPLE, &size);
	uint64_t seed = 20250217;
	int n_accepted = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		size_t room = size + 256, length = size;
		char *data = malloc(room), *exact;
		struct error err = { .text = "" };
		struct job job;
		int r;

		memcpy(data, good, size);
		for (uint64_t n = 1 + next_random(&seed) % 4; n > 0; n--) {
			size_t at = next_random(&seed) % length;
			const char *piece = pieces[next_random(&seed) % ARRAY_SIZE(pieces)];
			size_t piece_length = strlen(piece), cut_length;

			switch (next_random(&seed) % 4) {
			case 0:
				data[at] = (char)next_random(&seed);
				break;
			case 1:
				memmove(data + at + piece_length, data + at, length - at);
				/* NOLINTNEXTLINE(bugprone-not-null-terminated-result): as above */
				memcpy(data + at, piece, piece_length);
				length += piece_length;
				break;
			case 2:
				cut_length = next_random(&seed) % 40;
				if (at + cut_length >= length)
					break;
				memmove(data + at, data + at + cut_length, length - at - cut_length);
				length -= cut_length;
				break;
			default:
				if (at > 0 && next_random(&seed) % 8 == 0)
					length = at;
				break;
			}
		}
		/* Cut to size, so that the sanitizer sees one byte too far. */
		exact = realloc(data, length);
		assert_non_null(exact);
		data = exact;
		r = job_file_parse(data, length, "fuzz", &job, &err);
		if (r == 0) {
			_cleanup_json_ json_t *json = job_to_json(&job);
			struct job copy;

			n_accepted++;
			assert_int_equal(job_from_json(json, &copy, &err), 0);
			assert_int_equal(job_validate(&copy, false, &err), 0);
			job_done(&copy);
			job_done(&job);
		} else {
			assert_true(err.text[0]);
		}
		free(data);
	}
	/* Neither all refused nor all accepted, or the mutations would test nothing. */
	assert_in_range(n_accepted, 100, 2900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_is_read),
		cmocka_unit_test(bad_files_are_refused),
		cmocka_unit_test(other_files_are_never_read),
		cmocka_unit_test(the_word_include_is_harmless),
		cmocka_unit_test(binary_and_huge_files_are_refused),
		cmocka_unit_test(the_example_is_a_job),
		cmocka_unit_test(the_manual_names_every_key),
		cmocka_unit_test(mutations_never_crash),
	};

	int failed;

	/* Starting libgit2 costs three milliseconds, which thousands of mutations would pay. */
	git_libgit2_init();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	git_libgit2_shutdown();
	return failed;
}
