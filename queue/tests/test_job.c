// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jobs as data: defaults, the way to JSON and back, what is refused on the way and
 * what job_validate() says to jobs that could not run.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job.h"
#include "queue/job_key.h"

#define OBJECT_ID "cac1db8c3aad97d6ffb56ced8868d6cbbbd2bfbe"

static void make_job(struct job *job)
{
	struct error err;

	job_init(job);
	assert_int_equal(job_add_point(job, "parent", "cac1db8c3aad^", &err), 0);
	assert_int_equal(job_add_point(job, "child", "cac1db8c3aad", &err), 0);
}

static void resolve_job(struct job *job)
{
	job->repository = text_duplicate("/srv/linux");
	for (size_t i = 0; i < job->n_points; i++) {
		strcpy(job->points[i].commit, OBJECT_ID);
		strcpy(job->points[i].tree, OBJECT_ID);
	}
}

static void replace(char **member, const char *text)
{
	free(*member);
	*member = text_duplicate(text);
}

static void defaults_are_as_documented(void **state)
{
	struct job job;

	(void)state;
	job_init(&job);
	assert_int_equal(job.design, JOB_DESIGN_SANDWICH);
	assert_string_equal(job.order, "auto");
	assert_false(job.is_exact);
	assert_true(job.threshold_pct == 2.0);
	assert_null(job.repository);
	assert_int_equal(job.n_points, 0);
	assert_string_equal(job.build.config, "running");
	assert_null(job.build.fragments[0]);
	assert_int_equal(job.build.config_differences, JOB_DIFFERENCES_REFUSE);
	assert_int_equal(job.build.jobs, 0);
	assert_string_equal(job.boot.cmdline, "");
	assert_string_equal(job.boot.preempt, "auto");
	assert_int_equal(job.boot.settle_s, 60);
	assert_int_equal(job.boot.deadline_s, 900);
	assert_int_equal(job.boot.max_attempts, 2);
	assert_int_equal(job.boot.max_reboots, 40);
	assert_string_equal(job.measure.workload, "mprotect-toggle");
	assert_null(job.measure.arguments[0]);
	assert_string_equal(job.measure.metric, "iteration");
	assert_int_equal(job.measure.cpu, -1);
	assert_int_equal(job.measure.warmups, 3);
	assert_int_equal(job.measure.processes, 15);
	assert_int_equal(job.measure.timeout_s, 600);
	assert_string_equal(job.measure.governor, "performance");
	assert_string_equal(job.measure.turbo, "off");
	assert_int_equal(job.measure.profile_differences, JOB_DIFFERENCES_REFUSE);
	job_done(&job);
	job_done(&job);
	job_done(NULL);
}

/* Every key away from its default, so that a member that JSON forgets shows. */
static void fill_job(struct job *job)
{
	struct error err;

	make_job(job);
	resolve_job(job);
	for (const struct job_key *key = job_keys; key->section; key++) {
		const char *value = NULL;

		if (job_section_is_named(key->section))
			continue;
		switch (key->type) {
		case JOB_KEY_TEXT:
			value = key->words ? key->words[key->words[1] ? 1 : 0] : "other";
			break;
		case JOB_KEY_LIST:
			assert_int_equal(job_key_set_text(key, job, "one", &err), 0);
			value = "two = \"zwei\" # \\";
			break;
		case JOB_KEY_INTEGER:
		case JOB_KEY_DURATION:
			value = "77";
			if (key->maximum < 77)
				value = "7";
			break;
		case JOB_KEY_PERCENT:
			value = "0.1";
			break;
		case JOB_KEY_TIME:
			value = "2026-01-31T20:00:00Z";
			break;
		case JOB_KEY_BOOLEAN:
			value = "yes";
			break;
		case JOB_KEY_DESIGN:
			value = "sandwich";
			break;
		case JOB_KEY_DIFFERENCES:
			value = "allow";
			break;
		case JOB_KEY_CHANGE:
			fail_msg("%s.%s: only points have changes", key->section, key->name);
		}
		assert_int_equal(job_key_set_text(key, job, value, &err), 0);
	}
	job->points[1].title = text_duplicate("mm: batch \xc3\xa4 \"PTE\"");
	memset(job->points[1].kernel, 'a', JOB_KERNEL_KEY_SIZE - 1);
}

static void json_keeps_everything(void **state)
{
	_cleanup_json_ json_t *json = NULL, *again = NULL, *reread = NULL;
	_cleanup_free_ char *text = NULL;
	struct job job, copy;
	struct error err;

	(void)state;
	fill_job(&job);
	json = job_to_json(&job);
	text = json_dumps(json, JSON_COMPACT);
	reread = json_loads(text, 0, NULL);
	assert_int_equal(job_from_json(reread, &copy, &err), 0);
	again = job_to_json(&copy);
	assert_true(json_equal(json, again));

	assert_string_equal(copy.name, "other");
	assert_true(copy.is_exact);
	assert_true(copy.threshold_pct == 0.1);
	assert_string_equal(copy.build.fragments[1], "two = \"zwei\" # \\");
	assert_null(copy.build.fragments[2]);
	assert_int_equal(copy.boot.settle_s, 77);
	assert_int_equal(copy.boot.max_attempts, 7);
	assert_int_equal(copy.measure.profile_differences, JOB_DIFFERENCES_ALLOW);
	assert_string_equal(copy.points[0].revision, "cac1db8c3aad^");
	assert_string_equal(copy.points[1].commit, OBJECT_ID);
	assert_string_equal(copy.points[1].title, job.points[1].title);
	assert_string_equal(copy.points[1].kernel, job.points[1].kernel);
	assert_string_equal(copy.points[0].kernel, "");
	job_done(&job);
	job_done(&copy);
}

static void json_without_keys_is_defaults(void **state)
{
	_cleanup_json_ json_t *json = json_object();
	struct job job;
	struct error err;

	(void)state;
	assert_int_equal(job_from_json(json, &job, &err), 0);
	assert_int_equal(job.measure.processes, 15);
	job_done(&job);
}

static void bad_json_is_refused(void **state)
{
	static const struct {
		const char *json;
		const char *in_text;
	} cases[] = {
		{ "[]", "object" },
		{ "{\"jobb\":{}}", "jobb" },
		{ "{\"point\":{}}", "point" },
		{ "{\"job\":[]}", "job" },
		{ "{\"job\":{\"nam\":\"x\"}}", "job.nam" },
		{ "{\"job\":{\"name\":7}}", "job.name" },
		{ "{\"job\":{\"name\":\"a\\nb\"}}", "job.name" },
		{ "{\"job\":{\"design\":\"burger\"}}", "burger" },
		{ "{\"job\":{\"exactly\":1}}", "job.exactly" },
		{ "{\"job\":{\"threshold\":101}}", "job.threshold" },
		{ "{\"job\":{\"threshold\":\"2\"}}", "job.threshold" },
		{ "{\"job\":{\"bench\":\"mprotect-togle\"}}", "mprotect-toggle" },
		{ "{\"boot\":{\"settle\":\"60s\"}}", "boot.settle" },
		{ "{\"boot\":{\"settle\":-1}}", "boot.settle" },
		{ "{\"boot\":{\"max-reboots\":10001}}", "10000" },
		{ "{\"measure\":{\"cpu\":2.5}}", "measure.cpu" },
		{ "{\"measure\":{\"processes\":0}}", "measure.processes" },
		{ "{\"measure\":{\"processes\":99999999999}}", "measure.processes" },
		{ "{\"measure\":{\"argument\":\"x\"}}", "measure.argument" },
		{ "{\"measure\":{\"argument\":[1]}}", "measure.argument" },
		{ "{\"build\":{\"config-differences\":\"maybe\"}}", "config-differences" },
		{ "{\"points\":{}}", "points" },
		{ "{\"points\":[{}]}", "name" },
		{ "{\"points\":[7]}", "name" },
		{ "{\"points\":[{\"name\":\"a\",\"sha\":\"b\"}]}", "sha" },
		{ "{\"points\":[{\"name\":\"a\",\"commit\":7}]}", "commit" },
		{ "{\"points\":[{\"name\":\"a\",\"commit\":\"../../etc\"}]}", "commit" },
		{ "{\"points\":[{\"name\":\"a\",\"tree\":\"ABC\"}]}", "tree" },
		{ "{\"points\":[{\"name\":\"a\"},{\"name\":\"a\"}]}", "\"a\"" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_json_ json_t *json = json_loads(cases[i].json, 0, NULL);
		struct error err = { .text = "" };
		struct job job = { .n_points = 12345 };

		assert_non_null(json);
		assert_true(job_from_json(json, &job, &err) < 0);
		if (!strstr(err.text, cases[i].in_text))
			fail_msg("%s: \"%s\" lacks \"%s\"", cases[i].json, err.text,
				 cases[i].in_text);
		assert_int_equal(job.n_points, 12345);
	}
}

static void absurd_sizes_are_refused(void **state)
{
	_cleanup_json_ json_t *json = json_object();
	json_t *list = json_array(), *points = json_array();
	char *huge = calloc(1, 1 << 20);
	struct job job;
	struct error err;

	(void)state;
	memset(huge, 'a', (1 << 20) - 1);
	json_object_set_new(json, "job", json_pack("{s:s}", "name", huge));
	assert_int_equal(job_from_json(json, &job, &err), -E2BIG);
	json_object_clear(json);
	for (int i = 0; i < JOB_LIST_MAX_ITEMS + 1; i++)
		json_array_append_new(list, json_string("x"));
	json_object_set_new(json, "build", json_pack("{s:o}", "fragment", list));
	assert_int_equal(job_from_json(json, &job, &err), -E2BIG);
	json_object_clear(json);
	for (int i = 0; i < JOB_POINTS_MAX + 1; i++)
		json_array_append_new(points, json_pack("{s:o}", "name", json_sprintf("p%d", i)));
	json_object_set_new(json, "points", points);
	assert_int_equal(job_from_json(json, &job, &err), -E2BIG);
	free(huge);
}

static void points_are_counted_and_named(void **state)
{
	struct job job;
	struct error err;

	(void)state;
	job_init(&job);
	for (int i = 0; i < JOB_POINTS_MAX; i++) {
		_cleanup_free_ char *name = text_format("p%d", i);

		assert_int_equal(job_add_point(&job, name, "v6.16", &err), 0);
	}
	assert_int_equal(job_add_point(&job, "more", "v6.16", &err), -E2BIG);
	job_done(&job);
	make_job(&job);
	assert_int_equal(job_add_point(&job, "child", "v6.16", &err), -EEXIST);
	assert_int_equal(job.n_points, 2);
	job_done(&job);
}

static void a_good_job_is_valid(void **state)
{
	struct job job;
	struct error err = { .text = "" };

	(void)state;
	make_job(&job);
	assert_int_equal(job_validate(&job, false, &err), 0);
	assert_int_equal(job_validate(&job, true, &err), -EINVAL);
	resolve_job(&job);
	assert_int_equal(job_validate(&job, true, &err), 0);
	replace(&job.order, "PCPCPCP");
	assert_int_equal(job_validate(&job, true, &err), 0);
	replace(&job.build.config, "/boot/config-6.1");
	assert_int_equal(job_validate(&job, true, &err), 0);
	replace(&job.build.config, "tinyconfig");
	assert_int_equal(job_validate(&job, true, &err), 0);
	job_done(&job);
}

static void sweeps_and_ladders_have_their_own_rules(void **state)
{
	struct job job;
	struct error err = { .text = "" };

	(void)state;
	make_job(&job);
	resolve_job(&job);
	replace(&job.order, "nonsense"); /* a sandwich's business */
	job.design = JOB_DESIGN_SWEEP;
	assert_int_equal(job_validate(&job, true, &err), 0);
	job.rounds = 21; /* 42 boots, 40 reboots */
	assert_int_equal(job_validate(&job, true, &err), -ERANGE);
	assert_non_null(strstr(err.text, "42 boots"));
	job.boot.max_reboots = 10000;
	job.rounds = 100;
	assert_int_equal(job_validate(&job, true, &err), 0);
	job.design = JOB_DESIGN_LADDER;
	assert_int_equal(job_validate(&job, true, &err), -EINVAL);
	assert_non_null(strstr(err.text, "three points"));
	assert_int_equal(job_add_point(&job, "probe-1", "x", &err), 0);
	strcpy(job.points[2].commit, OBJECT_ID);
	strcpy(job.points[2].tree, OBJECT_ID);
	assert_int_equal(job_validate(&job, true, &err), 0);
	job_done(&job);
}

static void kernels_from_the_store_need_no_repository(void **state)
{
	struct job job;
	struct error err = { .text = "" };

	(void)state;
	make_job(&job);
	for (size_t i = 0; i < 2; i++)
		memset(job.points[i].kernel, 'b', JOB_KERNEL_KEY_SIZE - 1);
	assert_int_equal(job_validate(&job, true, &err), 0);
	job.points[1].kernel[10] = '\0';
	assert_int_equal(job_validate(&job, true, &err), -EINVAL);
	job_done(&job);
}

enum fault {
	FAULT_NAME_EMPTY, FAULT_NAME_SLASH, FAULT_NAME_DASH, FAULT_NAME_LONG, FAULT_POINT_NAME,
	FAULT_NO_REVISION, FAULT_REVISION_DASH, FAULT_REVISION_NEWLINE, FAULT_REVISION_UTF8,
	FAULT_ONE_POINT, FAULT_THREE_POINTS, FAULT_SHORT_COMMIT, FAULT_NO_TREE, FAULT_NO_REPOSITORY,
	FAULT_ORDER_P, FAULT_ORDER_EVEN, FAULT_ORDER_PPC, FAULT_ORDER_LOWER, FAULT_ORDER_EMPTY,
	FAULT_ORDER_LONG, FAULT_REBOOTS, FAULT_CMDLINE_TOKEN, FAULT_CMDLINE_NEWLINE,
	FAULT_CMDLINE_LONG, FAULT_CONFIG, FAULT_CONFIG_OPTION, FAULT_FRAGMENT_UTF8,
	FAULT_PROCESSES, FAULT_THRESHOLD, FAULT_THRESHOLD_NAN, FAULT_WORKLOAD, FAULT_TURBO,
	FAULT_COUNT,
};

static const char *inject(struct job *job, enum fault fault)
{
	static char text[6000];
	struct error err;

	memset(text, 'a', sizeof(text) - 1);
	switch (fault) {
	case FAULT_NAME_EMPTY: replace(&job->name, ""); return "name";
	case FAULT_NAME_SLASH: replace(&job->name, "a/b"); return "a/b";
	case FAULT_NAME_DASH: replace(&job->name, "-rf"); return "-rf";
	case FAULT_NAME_LONG: text[65] = 0; replace(&job->name, text); return "64";
	case FAULT_POINT_NAME: replace(&job->points[0].name, "a b"); return "a b";
	case FAULT_NO_REVISION: replace(&job->points[1].revision, ""); return "child";
	case FAULT_REVISION_DASH: replace(&job->points[1].revision, "--x"); return "child";
	case FAULT_REVISION_NEWLINE: replace(&job->points[1].revision, "a\nb"); return "control";
	case FAULT_REVISION_UTF8: replace(&job->points[1].revision, "a\xff"); return "UTF-8";
	case FAULT_ONE_POINT: job->n_points = 1; return "two points";
	case FAULT_THREE_POINTS:
		assert_int_equal(job_add_point(job, "x", "y", &err), 0);
		strcpy(job->points[2].commit, OBJECT_ID);
		strcpy(job->points[2].tree, OBJECT_ID);
		return "two points";
	case FAULT_SHORT_COMMIT: job->points[0].commit[12] = 0; return "full commit";
	case FAULT_NO_TREE: job->points[0].tree[0] = 0; return "parent";
	case FAULT_NO_REPOSITORY:
		free(job->repository);
		job->repository = NULL;
		return "repository";
	case FAULT_ORDER_P: replace(&job->order, "P"); return "job.order";
	case FAULT_ORDER_EVEN: replace(&job->order, "PCPC"); return "job.order";
	case FAULT_ORDER_PPC: replace(&job->order, "PPP"); return "job.order";
	case FAULT_ORDER_LOWER: replace(&job->order, "pcp"); return "job.order";
	case FAULT_ORDER_EMPTY: replace(&job->order, ""); return "job.order";
	case FAULT_ORDER_LONG:
		for (int i = 0; i < 101; i++)
			text[i] = i % 2 ? 'C' : 'P';
		text[101] = 0;
		replace(&job->order, text);
		return "job.order";
	case FAULT_REBOOTS: job->boot.max_reboots = 2; return "max-reboots";
	case FAULT_CMDLINE_TOKEN: replace(&job->boot.cmdline, "quiet abbot.token=1"); return "reserved";
	case FAULT_CMDLINE_NEWLINE: replace(&job->boot.cmdline, "a\nb"); return "boot.cmdline";
	case FAULT_CMDLINE_LONG: text[1025] = 0; replace(&job->boot.cmdline, text); return "1024";
	case FAULT_CONFIG: replace(&job->build.config, "my.conf"); return "my.conf";
	case FAULT_CONFIG_OPTION: replace(&job->build.config, "-fconfig"); return "build.config";
	case FAULT_FRAGMENT_UTF8:
		assert_int_equal(job_list_append(&job->build.fragments, "\xc3", &err), 0);
		return "build.fragment";
	case FAULT_PROCESSES: job->measure.processes = 0; return "measure.processes";
	case FAULT_THRESHOLD: job->threshold_pct = -1; return "job.threshold";
	case FAULT_THRESHOLD_NAN: job->threshold_pct = __builtin_nan(""); return "job.threshold";
	case FAULT_WORKLOAD: replace(&job->measure.workload, "fork-bomb"); return "job.bench";
	case FAULT_TURBO: replace(&job->measure.turbo, "of"); return "measure.turbo";
	case FAULT_COUNT: break;
	}
	fail();
	return NULL;
}

static void impossible_jobs_are_refused(void **state)
{
	(void)state;
	for (int i = 0; i < FAULT_COUNT; i++) {
		struct error err = { .text = "" };
		struct job job;
		const char *in_text;
		size_t n_points;

		make_job(&job);
		resolve_job(&job);
		in_text = inject(&job, (enum fault)i);
		if (job_validate(&job, true, &err) >= 0 || !strstr(err.text, in_text))
			fail_msg("fault %d: \"%s\" lacks \"%s\"", i, err.text, in_text);
		assert_null(strchr(err.text, '\n'));
		n_points = job.n_points;
		job.n_points = n_points < 2 ? 2 : n_points;
		job_done(&job);
	}
}

static void table_is_sound(void **state)
{
	(void)state;
	for (const struct job_key *key = job_keys; key->section; key++) {
		assert_ptr_equal(job_key_find(key->section, key->name), key);
		if (key[1].section && strcmp(key->section, key[1].section) == 0)
			assert_string_not_equal(key->name, key[1].name);
	}
	assert_null(job_key_find("job", "settle"));
	assert_string_equal(job_key_nearest("measure", "procesess"), "processes");
	assert_null(job_key_nearest("measure", "zzzzzzzzzzz"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_are_as_documented),
		cmocka_unit_test(json_keeps_everything),
		cmocka_unit_test(json_without_keys_is_defaults),
		cmocka_unit_test(bad_json_is_refused),
		cmocka_unit_test(absurd_sizes_are_refused),
		cmocka_unit_test(points_are_counted_and_named),
		cmocka_unit_test(a_good_job_is_valid),
		cmocka_unit_test(sweeps_and_ladders_have_their_own_rules),
		cmocka_unit_test(kernels_from_the_store_need_no_repository),
		cmocka_unit_test(impossible_jobs_are_refused),
		cmocka_unit_test(table_is_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
