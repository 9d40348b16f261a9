// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole bisection with real commits, configs and builds on a miniature kernel tree; only
 * booting and measuring are the fake machine's. One commit does not build, one changes
 * nothing but a comment.
 */
#include "orchestrator/work/executor.h"

#include <stdio.h>

#include "orchestrator/tests/test_build_tree.h"
#include "orchestrator/tests/test_source_repository.h"
#include "orchestrator/work/ports_machine.h"
#include "orchestrator/work/source.h"
#include "tests/fake_world.h"

#define COMMITS 8
#define UNBUILDABLE 4
#define CULPRIT 6
#define COMMENT 7
#define STEPS_MAX 2000

/* The machine's ports take another context than the fake ones. */
static struct ports *machine;

static int real_range(void *context, const struct run_state *state, json_t **ret_result, struct error *err)
{
	(void)context;
	return machine->range(machine->context, state, ret_result, err);
}

static int real_select(void *context, const struct run_state *state, size_t commit, json_t **ret_result,
		       struct error *err)
{
	(void)context;
	return machine->select(machine->context, state, commit, ret_result, err);
}

static int real_configure(void *context, const struct run_state *state, json_t **ret_result,
			  struct error *err)
{
	(void)context;
	return machine->configure(machine->context, state, ret_result, err);
}

/* With the build id that the fake machine boots that point with. */
static int real_build(void *context, const struct run_state *state, int point, json_t **ret_result,
		      struct error *err)
{
	char build_id[41];
	int r = machine->build(machine->context, state, point, ret_result, err);

	(void)context;
	(void)snprintf(build_id, sizeof(build_id), "%c%039d", point < 3 ? 'a' + point : 'e', point);
	if (r == 0)
		(void)json_object_set_new(*ret_result, "build_id", json_string(build_id));
	return r;
}

static void commit_number(const char *repository, int i)
{
	_cleanup_free_ char *code = text_format("int protect(void) { return %d; }\n", i);
	_cleanup_free_ char *comment = text_format("/* as before */ int protect(void) { return %d; }\n", i - 1);
	_cleanup_free_ char *title = text_format("change-%d", i);

	repository_write(repository, "mm/mprotect.c",
			 i == UNBUILDABLE ? "this is no C\n" : i == COMMENT ? comment : code);
	repository_commit(repository, title);
}

static void make_repository(const char *directory, const char *repository)
{
	repository_do(directory, "git init -q -b main linux");
	repository_write(repository, "Makefile", build_tree_makefile);
	repository_write(repository, "Kconfig", build_tree_kconfig);
	repository_write(repository, "tiny.config", build_tree_tiny);
	repository_write(repository, "kernel/other.c", "int other(void) { return 1; }\n");
	for (int i = 0; i <= COMMITS; i++)
		commit_number(repository, i);
}

static void queue(struct store *store, const char *repository)
{
	_cleanup_free_ char *note = NULL;
	struct error err = { 0 };
	struct job job;
	int64_t id;

	job_init(&job);
	job.design = JOB_DESIGN_BISECT;
	job.repository = text_duplicate(repository);
	free(job.build.config);
	job.build.config = text_duplicate("tinyconfig");
	job.measure.warmups = 0;
	job.measure.processes = 1;
	job.boot.settle_s = 0;
	job.boot.max_reboots = 400;
	if (job_add_point(&job, "good", "main~8", &err) < 0 || job_add_point(&job, "bad", "main", &err) < 0 ||
	    source_resolve(&job, &note, &err) < 0 ||
	    store_add_job(store, &job, STORE_MACHINE_REAL, 0, 1, &id, &err) < 0)
		fail_msg("%s", err.text);
	job_done(&job);
}

static void run(struct store *store, const struct ports *ports, struct fake_world *world)
{
	struct error err = { 0 };

	for (int i = 0; i < STEPS_MAX; i++) {
		struct action action;
		int r = executor_step(store, ports, 1, &action, &err);

		if (r < 0)
			fail_msg("%s", err.text);
		if (r == 0 && !world->is_going_down)
			return;
		if (r == 0)
			fake_world_boot(world);
	}
	fail_msg("the bisection does not end");
}

static int boots_of(const struct run_state *state, size_t index)
{
	int point = bisect_point(state, index), n = 0;

	for (int i = 0; i < state->n_boots; i++)
		n += state->boots[i].point == point;
	return n;
}

static void check(struct store *store, const char *repository)
{
	_cleanup_free_ char *culprit = repository_run(repository, NULL, "git rev-parse --short=12 main~2");
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state;
	int unbuildable;

	run_state_init(&state);
	assert_int_equal(store_load_events(store, 1, &events, NULL), 0);
	assert_int_equal(run_state_fold(&state, &events, NULL), 0);
	if (state.status != JOB_DONE || !strstr(state.reason, culprit))
		fail_msg("%s: %s, not %s", job_status_name(state.status), state.reason, culprit);
	unbuildable = bisect_point(&state, UNBUILDABLE);
	/* The middle, so it is tried first. */
	assert_true(unbuildable >= 0 && state.points[unbuildable].is_passed_over);
	assert_int_equal(boots_of(&state, UNBUILDABLE), 0);
	/* Equal code: one of the two is booted, and the other known by it. */
	assert_true(boots_of(&state, CULPRIT) == 0 || boots_of(&state, COMMENT) == 0);
	(void)printf("%d boots, %zu kernels\n", state.n_boots, state.job.n_points);
	for (size_t i = 2; i < state.job.n_points; i++)
		assert_non_null(strstr(state.job.points[i].title, "change-"));
}

static void test_found_with_real_builds(void **unused)
{
	_cleanup_free_ char *directory = repository_temporary();
	_cleanup_free_ char *repository = path_join(directory, "linux");
	_cleanup_free_ char *state = path_join(directory, "state");
	const struct boot_paths paths = { .root = state };
	struct fake_world *world = fake_world_new();
	struct ports ports = fake_world_ports(world);
	struct store *store = NULL;
	struct error err = { 0 };

	(void)unused;
	make_repository(directory, repository);
	if (store_open(state, true, &store, &err) < 0 || ports_machine_new(&paths, state, &machine, &err) < 0)
		fail_msg("%s", err.text);
	world->bisect_commits = COMMITS;
	world->bisect_culprit = CULPRIT;
	world->bisect_pct = 8;
	world->noise_pct = .5;
	ports.range = real_range;
	ports.select = real_select;
	ports.configure = real_configure;
	ports.build = real_build;
	queue(store, repository);
	run(store, &ports, world);
	check(store, repository);
	store_close(store);
	ports_machine_free(machine);
	fake_world_free(world);
	assert_int_equal(file_remove_tree(directory, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found_with_real_builds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
