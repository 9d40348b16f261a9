// SPDX-License-Identifier: GPL-2.0-or-later
/* A point's changes: from a job file, in its order; as JSON; what is refused. */
#include "queue/job_change.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job_file.h"

#define FILE_HEAD "[point \"plain\"]\n\tcommit = v1\n[point \"patched\"]\n\tcommit = v1\n"

static int parse(const char *lines, struct job *job, struct error *err)
{
	_cleanup_free_ char *text = text_format("%s%s", FILE_HEAD, lines);

	*err = (struct error){ 0 };
	return job_file_parse(text, strlen(text), "my.job", job, err);
}

static void test_order_is_that_of_the_file(void **state)
{
	static const struct { enum job_change_kind kind; const char *what; } expected[] = {
		{ JOB_CHANGE_REVERT, "abc123" },
		{ JOB_CHANGE_PATCH, "b.patch" },
		{ JOB_CHANGE_OVERRIDE, "mm/mprotect.c@19999e479c2a" },
		{ JOB_CHANGE_PATCH, "a.patch" },
		{ JOB_CHANGE_CONFIG, "CONFIG_NUMA=n" },
		{ JOB_CHANGE_CMDLINE, "mitigations=off" },
	};
	struct error err;
	struct job job;

	(void)state;
	if (parse("\trevert = abc123\n\tpatch = b.patch\n\toverride = mm/mprotect.c@19999e479c2a\n"
		  "\tpatch = a.patch\n\tconfig-set = CONFIG_NUMA=n\n\tcmdline = mitigations=off\n",
		  &job, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(job.points[0].changes.n, 0);
	assert_int_equal(job.points[1].changes.n, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_int_equal(job.points[1].changes.items[i].kind, expected[i].kind);
		assert_string_equal(job.points[1].changes.items[i].what, expected[i].what);
	}
	assert_true(job_changes_has_tree(&job.points[1].changes));
	assert_true(job_changes_has_config(&job.points[1].changes));
	assert_false(job_changes_has_tree(&job.points[0].changes));
	job_done(&job);
}

static void test_json_keeps_everything(void **state)
{
	_cleanup_json_ json_t *first = NULL, *second = NULL;
	struct job_change *change;
	struct error err;
	struct job job, again;

	(void)state;
	assert_int_equal(parse("\tpatch = b.patch\n\trevert = v2\n", &job, &err), 0);
	change = &job.points[1].changes.items[0];
	change->title = text_duplicate("mm: \xc3\xa4");
	memset(change->content, 'b', 64);
	memset(job.points[1].changes.items[1].id, 'a', 40);
	first = job_to_json(&job);
	if (job_from_json(first, &again, &err) < 0)
		fail_msg("%s", err.text);
	second = job_to_json(&again);
	assert_true(json_equal(first, second));
	assert_string_equal(again.points[1].changes.items[0].content, change->content);
	job_done(&again);
	job_done(&job);
}

static void test_refused_in_a_file(void **state)
{
	static const char *const rows[][2] = {
		{ "\toverride = mm/mprotect.c\n", "PATH@COMMIT" },
		{ "\toverride = @abc\n", "PATH@COMMIT" },
		{ "\toverride = mm/mprotect.c@\n", "PATH@COMMIT" },
		{ "\toverride = ../etc/passwd@abc\n", "no path within" },
		{ "\toverride = /etc/passwd@abc\n", "no path within" },
		{ "\toverride = mm/../../x@abc\n", "no path within" },
		{ "\toverride = .git/config@abc\n", "no path within" },
		{ "\toverride = mm/.GIT/x@abc\n", "no path within" },
		{ "\toverride = mm//x.c@abc\n", "no path within" },
		{ "\trevert = -x\n", "cannot begin with" },
		{ "\tconfig-set = NUMA=y\n", "CONFIG_NAME=VALUE" },
		{ "\tconfig-set = CONFIG_NUMA\n", "CONFIG_NAME=VALUE" },
		{ "\tconfig-set = CONFIG_NUMA=\n", "CONFIG_NAME=VALUE" },
		{ "\tconfig-set = CONFIG_=y\n", "CONFIG_NAME=VALUE" },
		{ "\tcmdline = quiet abbot.token=1\n", "reserved" },
		{ "\tpatch = \"\"\n", "is empty" },
		{ "\tpatches = x\n", "did you mean point.patch" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err;
		struct job job;

		if (parse(rows[i][0], &job, &err) == 0)
			fail_msg("%s was taken", rows[i][0]);
		if (!strstr(err.text, rows[i][1]))
			fail_msg("'%s' does not hold '%s'", err.text, rows[i][1]);
	}
}

static void test_refused_as_json(void **state)
{
	static const char *const rows[] = {
		"{}", "[1]", "[{}]", "[{\"kind\":\"patch\"}]", "[{\"kind\":\"x\",\"what\":\"y\"}]",
		"[{\"kind\":\"patch\",\"what\":\"y\",\"other\":\"z\"}]",
		"[{\"kind\":\"patch\",\"what\":\"y\",\"content\":\"../../x\"}]",
		"[{\"kind\":\"patch\",\"what\":\"y\",\"content\":7}]",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_json_ json_t *json = json_loads(rows[i], 0, NULL);
		_cleanup_(job_changes_done) struct job_changes changes = { 0 };
		struct error err = { 0 };

		assert_non_null(json);
		if (job_changes_from_json(json, &changes, &err) == 0)
			fail_msg("%s was taken", rows[i]);
		assert_true(err.text[0]);
	}
}

static void test_must_be_resolved(void **state)
{
	struct error err;
	struct job job;

	(void)state;
	assert_int_equal(parse("\tpatch = b.patch\n", &job, &err), 0);
	for (size_t i = 0; i < 2; i++) {
		memset(job.points[i].commit, 'a', 40);
		memset(job.points[i].tree, 'b', 40);
	}
	job.repository = text_duplicate("/srv/linux");
	assert_true(job_validate(&job, true, &err) < 0);
	assert_non_null(strstr(err.text, "patch b.patch was not resolved"));
	memset(job.points[1].changes.items[0].content, 'c', 64);
	assert_int_equal(job_validate(&job, true, &err), 0);
	job_done(&job);
}

static void test_a_bisection_takes_none(void **state)
{
	static const char text[] = "[job]\n\tdesign = bisect\n[boot]\n\tmax-reboots = 400\n"
				   "[point \"good\"]\n\tcommit = v1\n[point \"bad\"]\n\tcommit = v2\n\tpatch = b.patch\n";
	struct error err;
	struct job job;

	(void)state;
	assert_true(job_file_parse(text, strlen(text), "my.job", &job, &err) < 0);
	if (!strstr(err.text, "its points take no patches"))
		fail_msg("%s", err.text);
}

static void test_count_is_limited(void **state)
{
	_cleanup_(job_changes_done) struct job_changes changes = { 0 };
	struct error err;

	(void)state;
	for (int i = 0; i < JOB_CHANGES_MAX; i++)
		assert_int_equal(job_changes_add(&changes, JOB_CHANGE_PATCH, "x", NULL, &err), 0);
	assert_int_equal(job_changes_add(&changes, JOB_CHANGE_PATCH, "x", NULL, &err), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_is_that_of_the_file),
		cmocka_unit_test(test_json_keeps_everything),
		cmocka_unit_test(test_refused_in_a_file),
		cmocka_unit_test(test_refused_as_json),
		cmocka_unit_test(test_must_be_resolved),
		cmocka_unit_test(test_a_bisection_takes_none),
		cmocka_unit_test(test_count_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
