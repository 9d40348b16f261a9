// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A range on its way into the queue, on a real store and repository: what is said of it,
 * what becomes a sandwich, what is refused; and the line that the machine's port reads.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/tests/programs.h"
#include "orchestrator/tests/test_source_repository.h"
#include "orchestrator/work/ports_machine.h"
#include "orchestrator/work/service.h"
#include "queue/job_key.h"

struct fixture {
	struct store *store;
	char *repository;
	char *state;
};

/* base, one commit to mm/, three empty ones. */
static struct fixture fixture_open(void **state)
{
	struct fixture f = { .repository = temporary_path(state, "linux"),
			     .state = temporary_path(state, "state") };
	struct error err = { 0 };

	programs_make_repository(f.repository);
	for (int i = 0; i < 3; i++)
		repository_do(f.repository, "git commit -q --allow-empty -m empty");
	if (store_open(f.state, true, &f.store, &err) < 0)
		fail_msg("%s", err.text);
	return f;
}

static void fixture_close(struct fixture *f)
{
	store_close(f->store);
	free(f->repository);
	free(f->state);
}

static struct job make_job(const struct fixture *f, const char *good, const char *bad, const char *path)
{
	struct job job;

	job_init(&job);
	free(job.name);
	job.name = text_duplicate("search");
	job.design = JOB_DESIGN_BISECT;
	job.boot.max_reboots = 400;
	job.repository = text_duplicate(f->repository);
	assert_int_equal(job_add_point(&job, "good", good, NULL), 0);
	assert_int_equal(job_add_point(&job, "bad", bad, NULL), 0);
	if (path)
		assert_int_equal(job_list_append(&job.paths, path, NULL), 0);
	return job;
}

static json_t *ask(struct fixture *f, json_t *request)
{
	const struct service service = { .store = f->store, .state_directory = f->state,
					 .caller = "root", .now_ns = 1700000000000000000 };
	json_t *reply = service_handle(&service, request);

	json_decref(request);
	return reply;
}

static json_t *queue(struct fixture *f, const char *good, const char *bad, const char *path)
{
	struct job job = make_job(f, good, bad, path);
	json_t *request = json_pack("{s:s, s:o, s:b}", "op", "queue", "job", job_to_json(&job), "dry_run", 0);

	job_done(&job);
	return ask(f, request);
}

static void assert_says(const json_t *reply, const char *key, const char *part)
{
	const char *text = json_string_value(json_object_get(reply, key));

	if (!text || !strstr(text, part)) {
		_cleanup_free_ char *all = json_dumps(reply, 0);

		fail_msg("wanted \"%s\" in %s", part, all);
	}
}

/* What the daemon appends when it has read the line. */
static void add_line(struct fixture *f)
{
	struct error err = { 0 };
	struct event event;

	event_init(&event, 1, EVENT_RANGE, EVENT_RESULT);
	event.at_ns = 1700000001000000000;
	(void)json_object_set_new(event.data, "ids", json_string("1111111111111111111111111111111111111111"
								 "2222222222222222222222222222222222222222"
								 "3333333333333333333333333333333333333333"
								 "4444444444444444444444444444444444444444"
								 "5555555555555555555555555555555555555555"));
	if (store_append(f->store, &event, &err) < 0)
		fail_msg("%s", err.text);
	event_done(&event);
}

static void test_range_is_queued(void **state)
{
	struct fixture f = fixture_open(state);
	_cleanup_json_ json_t *reply = queue(&f, "main~4", "main", "mm");
	_cleanup_json_ json_t *plan = NULL, *story = NULL, *status = NULL;

	assert_says(reply, "text", "4 commits, 1 of them touch the paths");
	plan = ask(&f, json_pack("{s:s, s:i}", "op", "plan", "job", 1));
	assert_says(plan, "text", "commits between, each on the default kernel");
	assert_says(plan, "text", "(good): reboot");
	assert_says(plan, "text", "(as the boots before tell): reboot");
	story = ask(&f, json_pack("{s:s, s:i, s:s}", "op", "log", "job", 1, "bisect", "story"));
	assert_says(story, "error", "has not begun");
	add_line(&f);
	status = ask(&f, json_pack("{s:s, s:i}", "op", "status", "job", 1));
	assert_says(status, "text", "search: 4 of 4 commits suspected; about 15 boots and 2 builds to go");
	fixture_close(&f);
}

static void test_one_commit_is_a_sandwich(void **state)
{
	struct fixture f = fixture_open(state);
	_cleanup_json_ json_t *reply = queue(&f, "main~4", "main~3", "mm");

	assert_says(reply, "text", "parent, child, parent");
	fixture_close(&f);
}

static void test_ranges_that_are_refused(void **state)
{
	struct fixture f = fixture_open(state);
	_cleanup_json_ json_t *swapped = queue(&f, "main", "main~2", NULL);
	_cleanup_json_ json_t *alike = queue(&f, "main", "main", NULL);
	_cleanup_json_ json_t *nowhere = queue(&f, "main~2", "main", "no/such");
	_cleanup_json_ json_t *list = NULL;

	assert_says(swapped, "error", "write main~2..main");
	assert_says(alike, "error", "the same commit");
	assert_says(nowhere, "error", "no/such");
	list = ask(&f, json_pack("{s:s}", "op", "list"));
	assert_int_equal(json_array_size(json_object_get(list, "jobs")), 0);
	fixture_close(&f);
}

static void test_line_of_the_machine(void **state)
{
	struct fixture f = fixture_open(state);
	_cleanup_free_ char *base = repository_run(f.repository, NULL, "git rev-parse main~4");
	_cleanup_free_ char *tip = repository_run(f.repository, NULL, "git rev-parse main");
	const struct boot_paths paths = { .root = f.state };
	struct run_state run;
	struct ports *ports = NULL;
	_cleanup_json_ json_t *line = NULL;
	const char *ids;

	run_state_init(&run);
	run.job = make_job(&f, "main~4", "main", "mm");
	(void)snprintf(run.job.points[0].commit, sizeof(run.job.points[0].commit), "%s", base);
	(void)snprintf(run.job.points[1].commit, sizeof(run.job.points[1].commit), "%s", tip);
	assert_int_equal(ports_machine_new(&paths, f.state, &ports, NULL), 0);
	assert_int_equal(ports->range(ports->context, &run, &line, NULL), 0);
	ids = json_string_value(json_object_get(line, "ids"));
	assert_int_equal(strlen(ids), 5 * 40);
	assert_memory_equal(ids, base, 40);
	assert_memory_equal(ids + 4 * 40, tip, 40);
	assert_int_equal(json_array_size(json_object_get(line, "heavy")), 1);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(line, "heavy"), 0)), 1);
	ports_machine_free(ports);
	run_state_done(&run);
	fixture_close(&f);
}

#define UNIT_TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(test_range_is_queued),
		UNIT_TEST(test_one_commit_is_a_sandwich),
		UNIT_TEST(test_ranges_that_are_refused),
		UNIT_TEST(test_line_of_the_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
