// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the ordinary planner and executor on the host as long as they configure and
 * build. What they see is the lab's default kernel, so that the job begins here as it
 * would in the guest; the guest then goes on from the kernel store.
 */
#include "orchestrator/cli/lab_host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/now.h"
#include "common/paths.h"
#include "common/text.h"
#include "orchestrator/work/build.h"
#include "orchestrator/work/executor.h"

/* As long as "-ab" and the 12 digits of a key, as every local version here. */
#define DEFAULT_LOCAL_VERSION "-ab0000default0"

#define WAIT_STEP_NS 100000000

int lab_host_open(struct lab_host *host, int64_t wait_s, struct error *err)
{
	const struct timespec step = { .tv_nsec = WAIT_STEP_NS };
	int64_t tries = wait_s * (1000000000 / WAIT_STEP_NS);
	int r = store_open(host->state_directory, false, &host->store, err);

	if (r == -EBUSY && tries > 0)
		fprintf(stderr, "waiting until another abbot leaves %s\n", host->state_directory);
	while (r == -EBUSY && tries-- > 0) {
		(void)nanosleep(&step, NULL);
		r = store_open(host->state_directory, false, &host->store, err);
	}
	return r;
}

void lab_host_close(struct lab_host *host)
{
	if (host->store)
		store_close(host->store);
	host->store = NULL;
}

static int host_observe(void *context, struct observation *ret_observation, struct error *err)
{
	const struct lab_host *host = context;
	struct observation seen = { .now_s = time(NULL), .is_system_ready = true };
	_cleanup_free_ char *boot_id = NULL;
	int r = file_read("/proc/sys/kernel/random/boot_id", 64, &boot_id, NULL, err);

	if (r < 0)
		return r;
	(void)snprintf(seen.boot_id, sizeof(seen.boot_id), "%s", text_strip(boot_id));
	(void)snprintf(seen.build_id, sizeof(seen.build_id), "%s", host->default_build_id);
	(void)snprintf(seen.release, sizeof(seen.release), "%s", host->default_release);
	(void)snprintf(seen.machine, sizeof(seen.machine), "lab");
	*ret_observation = seen;
	return 0;
}

static int host_now_ns(void *context, int64_t *ret_now_ns)
{
	(void)context;
	*ret_now_ns = now_realtime_ns();
	return 0;
}

static struct build_context build_context_of(const struct lab_host *host)
{
	return (struct build_context){
		.state_directory = host->state_directory,
		.shows_progress = true,
	};
}

/* Nothing is booted here; the machine in QEMU looks at itself. */
static int host_preflight(void *context, const struct run_state *state, struct error *err)
{
	(void)context;
	(void)state;
	(void)err;
	return 0;
}

static int host_configure(void *context, const struct run_state *state, json_t **ret_result,
			  struct error *err)
{
	struct build_context build = build_context_of(context);

	return build_configure(&build, &state->job, ret_result, err);
}

static int host_build(void *context, const struct run_state *state, int point,
		      json_t **ret_result, struct error *err)
{
	struct build_context build = build_context_of(context);

	return build_kernel(&build, &state->job, (size_t)point, ret_result, err);
}

static int load_state(const struct lab_host *host, struct run_state *ret_state,
		      struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	int r = store_load_events(host->store, host->job_id, &events, err);

	return r < 0 ? r : run_state_fold(ret_state, &events, err);
}

static void copy_member(char *text, size_t size, const json_t *meta, const char *name)
{
	const char *value = json_string_value(json_object_get(meta, name));

	(void)snprintf(text, size, "%s", value ? value : "");
}

/*
 * Configured for the default kernel: where that would have modules, it needs an initrd to
 * come up, so the lab's own config is taken in its place. @fragments has two places.
 */
static int configure_default(const struct build_context *build, struct job *job,
			     char **fragments, struct error *err)
{
	static char config[] = "tinyconfig";
	_cleanup_json_ json_t *configured = NULL, *again = NULL;
	const json_t *point;
	int r = build_configure(build, job, &configured, err);

	if (r < 0)
		return r;
	point = json_array_get(json_object_get(configured, "points"), 0);
	if (!json_is_true(json_object_get(point, "has_modules")))
		return 0;
	r = paths_data("fragments/lab.config", &fragments[0], err);
	if (r < 0)
		return r;
	job->build.config = config;
	job->build.fragments = fragments;
	return build_configure(build, job, &again, err);
}

/*
 * The default kernel is the first point's tree, and its config where that has no modules,
 * under another local version, and so with another build id. A tree that does not build
 * is the job's own matter: then the executor will find it again and end the job.
 */
static int build_default(struct lab_host *host, struct job *job, struct error *err)
{
	struct build_context build = build_context_of(host);
	_cleanup_json_ json_t *meta = NULL;
	const struct job_build before = job->build;
	size_t n_points = job->n_points;
	char *fragments[2] = { NULL, NULL };
	int r;

	build.local_version_override = DEFAULT_LOCAL_VERSION;
	job->n_points = 1;
	r = configure_default(&build, job, fragments, err);
	if (r == 0)
		r = build_kernel(&build, job, 0, &meta, err);
	job->build = before;
	job->n_points = n_points;
	free(fragments[0]);
	if (r == -EPERM || r == -EPROTO)
		return 0;
	if (r < 0)
		return error_prefix(err, r, "the lab's default kernel");
	host->default_key = text_duplicate(json_string_value(json_object_get(meta, "key")));
	copy_member(host->default_build_id, sizeof(host->default_build_id), meta, "build_id");
	copy_member(host->default_release, sizeof(host->default_release), meta, "release");
	if (!host->default_key)
		return error_set(err, -EBADMSG, "the lab's default kernel has no key");
	return 0;
}

/* What can be done without a machine. */
static bool is_for_host(enum action_kind kind)
{
	return kind == ACTION_BEGIN || kind == ACTION_CONFIGURE || kind == ACTION_BUILD ||
	       kind == ACTION_END;
}

/* 1: something was done; 0: nothing more to do here. */
static int step(struct lab_host *host, const struct ports *ports, struct error *err)
{
	_cleanup_(run_state_done) struct run_state state;
	struct observation seen;
	struct action action;
	int r;

	run_state_init(&state);
	r = load_state(host, &state, err);
	if (r == 0)
		r = host_observe(host, &seen, err);
	if (r < 0)
		return r;
	plan_next(&state, &seen, &action);
	if (!is_for_host(action.kind))
		return 0;
	return executor_step(host->store, ports, host->job_id, &action, err);
}

int lab_host_prepare(struct lab_host *host, struct run_state *ret_state, struct error *err)
{
	const struct ports ports = {
		.context = host,
		.observe = host_observe,
		.now_ns = host_now_ns,
		.preflight = host_preflight,
		.configure = host_configure,
		.build = host_build,
	};
	struct run_state state;
	int r;

	run_state_init(&state);
	r = load_state(host, &state, err);
	if (r == 0 && !host->default_key)
		r = build_default(host, &state.job, err);
	run_state_done(&state);
	if (r < 0)
		return r;
	do
		r = step(host, &ports, err);
	while (r > 0);
	if (r < 0)
		return r;
	run_state_init(&state);
	r = load_state(host, &state, err);
	if (r < 0) {
		run_state_done(&state);
		return r;
	}
	*ret_state = state;
	return run_state_is_ended(&state) ? 0 : 1;
}

int lab_host_fail(const struct lab_host *host, const char *reason, struct error *err)
{
	_cleanup_(run_state_done) struct run_state state;
	struct event event;
	int r;

	run_state_init(&state);
	if (!host->store)
		return error_set(err, -EBADF, "the store is closed");
	r = load_state(host, &state, err);
	if (r < 0 || run_state_is_ended(&state))
		return r;
	event_init(&event, host->job_id, EVENT_END, EVENT_NOTE);
	event.at_ns = now_realtime_ns();
	(void)json_object_set_new(event.data, "status",
				  json_string(job_status_name(JOB_FAILED)));
	(void)json_object_set_new(event.data, "reason", json_string(reason));
	r = store_append(host->store, &event, err);
	event_done(&event);
	return r;
}

void lab_host_done(struct lab_host *host)
{
	lab_host_close(host);
	free(host->default_key);
	host->default_key = NULL;
}
