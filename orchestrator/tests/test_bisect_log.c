// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The log and the story of a whole bisection on the fake machine, asked of the store as
 * `abbot log` does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/service.h"
#include "queue/store.h"
#include "tests/crash_job.h"

static json_t *ask(const struct crash_job *job, const char *what)
{
	_cleanup_json_ json_t *request = json_pack("{s:s, s:s}", "op", "log", "bisect", what);
	struct service service = { .state_directory = job->directory, .caller = "root" };
	struct error err = { 0 };
	json_t *reply;

	assert_int_equal(store_open(job->directory, false, &service.store, &err), 0);
	reply = service_handle(&service, request);
	store_close(service.store);
	return reply;
}

static void assert_holds(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("'%s' is not in: %s", part, text ? text : "nothing");
}

/* Commit 23 is the culprit, 24 its twin; those before it are of no use. */
static void ended_bisection_is_told(void **state)
{
	struct crash_job job = crash_job_new_bisection();
	_cleanup_json_ json_t *log = NULL;
	_cleanup_json_ json_t *story = NULL;
	const char *text;

	(void)state;
	job.world->bisect_unbuildable = 20;
	job.world->bisect_panics = 21;
	job.world->bisect_twin = 24;
	crash_job_run(&job);
	log = ask(&job, "log");
	text = json_string_value(json_object_get(log, "text"));
	assert_holds(text, "git bisect start '--first-parent' '");
	assert_holds(text, "git bisect bad 00000017");
	assert_holds(text, "git bisect good 00000016");
	assert_holds(text, "# first bad commit: [00000017");
	story = ask(&job, "story");
	text = json_string_value(json_object_get(story, "text"));
	assert_holds(text, "The ends, in turn: is there a change at all?");
	assert_holds(text, "The proof: fresh boots of the pair that was found, in turn");
	assert_holds(text, "\nFound: 00000017");
	crash_job_free(&job);
}

/*
 * The culprit was never booted, the commit after it has the same kernel: both are bad, and
 * the culprit is named alone.
 */
static void twins_are_marked_alike(void **state)
{
	struct crash_job job = crash_job_new_bisection();
	_cleanup_json_ json_t *log = NULL;
	_cleanup_json_ json_t *story = NULL;
	const char *text;

	(void)state;
	job.world->bisect_twin = 24;
	crash_job_run(&job);
	log = ask(&job, "log");
	text = json_string_value(json_object_get(log, "text"));
	assert_holds(text, "git bisect bad 00000018");
	assert_holds(text, "git bisect bad 00000017");
	assert_holds(text, "# first bad commit: [00000017");
	story = ask(&job, "story");
	assert_holds(json_string_value(json_object_get(story, "text")),
		     "000000170000 the same kernel as 000000180000: not booted");
	crash_job_free(&job);
}

static void other_jobs_are_refused(void **state)
{
	struct crash_job job = crash_job_new();
	struct crash_job fresh = crash_job_new_bisection();
	_cleanup_json_ json_t *reply = ask(&job, "log");
	_cleanup_json_ json_t *early = ask(&fresh, "story");

	(void)state;
	assert_holds(json_string_value(json_object_get(reply, "error")), "is no bisection");
	assert_holds(json_string_value(json_object_get(early, "error")), "or it has not begun");
	crash_job_free(&job);
	crash_job_free(&fresh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ended_bisection_is_told),
		cmocka_unit_test(twins_are_marked_alike),
		cmocka_unit_test(other_jobs_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
