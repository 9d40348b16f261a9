// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recipients of a job's mail: those that the store kept, and those of a request.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/result_build.h"
#include "orchestrator/work/result_mail.h"

struct log {
	struct event events[4];
	struct event_list list;
};

/* Takes the reference to @data. */
static void add(struct log *log, enum event_kind kind, enum event_phase phase, json_t *data)
{
	struct event *event = &log->events[log->list.n_events++];

	event_init(event, 1, kind, phase);
	json_decref(event->data);
	event->data = data;
	event->sequence = (int64_t)log->list.n_events;
	log->list.events = log->events;
}

static void add_job(struct log *log)
{
	struct job job;

	job_init(&job);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(job_add_point(&job, i ? "child" : "parent", "HEAD", NULL), 0);
		memset(job.points[i].commit, 'a' + i, 40);
		memset(job.points[i].tree, 'c' + i, 40);
	}
	add(log, EVENT_SUBMITTED, EVENT_NOTE, json_pack("{s:o}", "job", job_to_json(&job)));
	job_done(&job);
}

/* @recipients is JSON, with single quotes for double ones. */
static void add_configured(struct log *log, const char *recipients)
{
	_cleanup_free_ char *text = text_format("{'equal':true,'recipients':%s}", recipients);
	json_t *data;

	for (char *c = text; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	data = json_loads(text, 0, NULL);
	assert_non_null(data);
	add(log, EVENT_CONFIGURE, EVENT_RESULT, data);
}

static void build(struct log *log, struct result *ret_result)
{
	const struct store_job job = { .id = 1 };
	struct error err = { "" };

	if (result_build(&job, &log->list, ret_result, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < log->list.n_events; i++)
		event_done(&log->events[i]);
}

static void test_recipients_of_the_store(void **state)
{
	_cleanup_(result_done) struct result result;
	struct log log = { 0 };

	(void)state;
	add_job(&log);
	/* Configured again, as after a crash: the last one counts. */
	add_configured(&log, "{'to':['old@x.y'],'note':'none'}");
	add_configured(&log, "{'to':['M <m@x.y>'],'cc':['l@x.y','r@x.y']}");
	build(&log, &result);
	assert_int_equal(result.mail.to.n, 1);
	assert_string_equal(result.mail.to.items[0], "M <m@x.y>");
	assert_int_equal(result.mail.cc.n, 2);
	assert_string_equal(result.mail.cc.items[1], "r@x.y");
	assert_null(result.mail.note);
}

static void test_none(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_(result_done) struct result damaged;
	struct log log = { 0 }, odd = { 0 };

	(void)state;
	add_job(&log);
	add_configured(&log, "{'note':'the tree has no script'}");
	build(&log, &result);
	assert_int_equal(result.mail.to.n + result.mail.cc.n, 0);
	assert_string_equal(result.mail.note, "the tree has no script");
	add_job(&odd);
	add_configured(&odd, "{'to':7,'cc':[null,8,'l@x.y'],'note':[]}");
	build(&odd, &damaged);
	assert_int_equal(damaged.mail.to.n, 0);
	assert_int_equal(damaged.mail.cc.n, 1);
	assert_null(damaged.mail.note);
}

/* --cc adds, --to takes the place of all. */
static void test_request(void **state)
{
	_cleanup_(result_done) struct result result;
	_cleanup_json_ json_t *more = json_pack("{s:[s]}", "cc", "me@x.y");
	_cleanup_json_ json_t *instead = json_pack("{s:[s], s:[s]}", "to", "you@x.y", "cc", "me@x.y");
	struct log log = { 0 };

	(void)state;
	add_job(&log);
	add_configured(&log, "{'to':['m@x.y'],'cc':['l@x.y']}");
	build(&log, &result);
	assert_int_equal(result_mail_apply(&result, NULL, NULL), 0);
	assert_int_equal(result.mail.to.n + result.mail.cc.n, 2);
	assert_int_equal(result_mail_apply(&result, more, NULL), 0);
	assert_int_equal(result.mail.to.n, 1);
	assert_int_equal(result.mail.cc.n, 2);
	assert_string_equal(result.mail.cc.items[1], "me@x.y");
	assert_int_equal(result_mail_apply(&result, instead, NULL), 0);
	assert_int_equal(result.mail.to.n, 1);
	assert_string_equal(result.mail.to.items[0], "you@x.y");
	assert_int_equal(result.mail.cc.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recipients_of_the_store),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
