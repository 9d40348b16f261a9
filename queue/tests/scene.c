// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scenes for tests of the fold and the planner: see scene.h.
 */
#include "queue/tests/scene.h"

#include <stdlib.h>

#include "common/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static int apply(struct scene *scene, enum event_kind kind, enum event_phase phase,
		 const int scope[4], const char *data, struct error *err)
{
	struct event event;
	int r;

	event_init(&event, 1, kind, phase);
	event.sequence = ++scene->sequence;
	event.at_ns = (int64_t)scene->seen.now_s * 1000000000;
	event.point = scope[0];
	event.boot = scope[1];
	event.attempt = scope[2];
	event.process = scope[3];
	(void)snprintf(event.boot_id, sizeof(event.boot_id), "%s", scene->seen.boot_id);
	json_decref(event.data);
	event.data = json_loads(data, 0, NULL);
	assert_non_null(event.data);
	r = run_state_apply(&scene->state, &event, err);
	event_done(&event);
	return r;
}

void happened(struct scene *scene, enum event_kind kind, enum event_phase phase,
	      const int scope[4], const char *data)
{
	struct error err = { 0 };

	if (apply(scene, kind, phase, scope, data, &err) < 0)
		fail_msg("%s: %s", event_kind_name(kind), err.text);
}

void refused(struct scene *scene, enum event_kind kind, enum event_phase phase,
	     const int scope[4], const char *data, const char *words)
{
	struct error err = { 0 };

	assert_true(apply(scene, kind, phase, scope, data, &err) < 0);
	if (!strstr(err.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, err.text);
}

void running(struct scene *scene, const char *boot_id, const char *build_id, const char *token)
{
	(void)snprintf(scene->seen.boot_id, sizeof(scene->seen.boot_id), "%s", boot_id);
	(void)snprintf(scene->seen.build_id, sizeof(scene->seen.build_id), "%s", build_id);
	(void)snprintf(scene->seen.token, sizeof(scene->seen.token), "%s", token);
}

void armed(struct scene *scene, const char *token)
{
	scene->seen.is_armed = token[0] != '\0';
	(void)snprintf(scene->seen.armed_token, sizeof(scene->seen.armed_token), "%s", token);
}

struct action plan(struct scene *scene)
{
	struct action action;

	plan_next(&scene->state, &scene->seen, &action);
	if (action.kind == ACTION_EVIDENCE && !scene->asks_for_evidence) {
		happened(scene, EVENT_EVIDENCE, EVENT_RESULT,
			 SCOPE(action.point, action.boot, action.attempt, -1), "{}");
		plan_next(&scene->state, &scene->seen, &action);
	}
	return action;
}

void expect(struct scene *scene, enum action_kind kind)
{
	struct action action = plan(scene);

	if (action.kind != kind)
		fail_msg("planned %s where %s was due (%s)", action_kind_name(action.kind),
			 action_kind_name(kind), action.reason);
}

void set_up(struct scene *scene)
{
	struct error err = { 0 };
	struct job job;
	char *data;
	json_t *json;

	memset(scene, 0, sizeof(*scene));
	run_state_init(&scene->state);
	job_init(&job);
	job.is_exact = true;
	free(job.order);
	job.order = text_duplicate("PCP");
	job.measure.warmups = 1;
	job.measure.processes = 2;
	job.boot.settle_s = 60;
	assert_int_equal(job_add_point(&job, "parent", "HEAD^", &err), 0);
	assert_int_equal(job_add_point(&job, "child", "HEAD", &err), 0);
	scene->seen.now_s = NOW_S;
	scene->seen.uptime_s = 3600;
	scene->seen.is_system_ready = true;
	running(scene, "boot-0", DEFAULT_ID, "");
	json = json_pack("{s:o}", "job", job_to_json(&job));
	data = json_dumps(json, 0);
	happened(scene, EVENT_SUBMITTED, EVENT_NOTE, JOB_SCOPE, data);
	free(data);
	json_decref(json);
	job_done(&job);
}

void prepared(struct scene *scene)
{
	set_up(scene);
	happened(scene, EVENT_BEGIN, EVENT_NOTE, JOB_SCOPE,
		 "{\"build_id\":\"" DEFAULT_ID "\"}");
	happened(scene, EVENT_CONFIGURE, EVENT_RESULT, JOB_SCOPE, "{\"equal\":true}");
	happened(scene, EVENT_BUILD, EVENT_RESULT, SCOPE(0, -1, -1, -1),
		 "{\"key\":\"k0\",\"build_id\":\"" PARENT_ID "\"}");
	happened(scene, EVENT_BUILD, EVENT_RESULT, SCOPE(1, -1, -1, -1),
		 "{\"key\":\"k1\",\"build_id\":\"" CHILD_ID "\"}");
	happened(scene, EVENT_INSTALL, EVENT_RESULT, SCOPE(0, -1, -1, -1),
		 "{\"entry\":\"abbot-1-parent\"}");
	happened(scene, EVENT_INSTALL, EVENT_RESULT, SCOPE(1, -1, -1, -1),
		 "{\"entry\":\"abbot-1-child\"}");
}

void hop(struct scene *scene, int point, int boot, int attempt, const char *token)
{
	char data[256];

	(void)snprintf(data, sizeof(data), "{\"token\":\"%s\",\"from_boot_id\":\"%s\"}", token,
		       scene->seen.boot_id);
	happened(scene, EVENT_HOP, EVENT_INTENT, SCOPE(point, boot, attempt, -1), data);
	happened(scene, EVENT_ARM, EVENT_INTENT, SCOPE(point, boot, attempt, -1), "{}");
}

void came_up(struct scene *scene, int boot, const char *verdict)
{
	char data[256];

	(void)snprintf(data, sizeof(data), "{\"verdict\":\"%s\",\"boot_id\":\"%s\",\"text\":\"t\"}",
		       verdict, scene->seen.boot_id);
	happened(scene, EVENT_VERIFY, EVENT_RESULT, SCOPE(-1, boot, -1, -1), data);
}

void measured(struct scene *scene, int point, int boot, const char *boot_id,
	      const char *build_id)
{
	hop(scene, point, boot, 1, "t");
	running(scene, boot_id, build_id, "t");
	came_up(scene, boot, "expected");
	happened(scene, EVENT_PROFILE, EVENT_INTENT, SCOPE(-1, boot, -1, -1), "{\"saved\":{}}");
	happened(scene, EVENT_PROFILE, EVENT_RESULT, SCOPE(-1, boot, -1, -1),
		 "{\"in_force\":{\"governor\":\"performance\"}}");
	for (int i = 0; i < 3; i++)
		happened(scene, EVENT_MEASURE, EVENT_RESULT, SCOPE(-1, boot, -1, i),
			 "{\"status\":\"ok\",\"value\":100.5}");
}
