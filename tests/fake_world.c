// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fake machine: see fake_world.h. Deterministic: boot ids, tokens, times and
 * measured values are functions of what was asked, so that reports can be compared.
 */
#include "tests/fake_world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/error.h"

#define DEFAULT_BUILD_ID "dddddddddddddddddddddddddddddddddddddddd"

struct fake_world *fake_world_new(void)
{
	struct fake_world *world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (world == MAP_FAILED)
		abort();
	(void)snprintf(world->governor, sizeof(world->governor), "powersave");
	(void)snprintf(world->running_build_id, sizeof(world->running_build_id), "%s",
		       DEFAULT_BUILD_ID);
	world->visit_at = -1;
	world->child_pct = 25;
	return world;
}

void fake_world_free(struct fake_world *world)
{
	(void)munmap(world, sizeof(*world));
}

static int entry_index(const struct fake_world *world, const char *entry)
{
	for (int i = 0; i < FAKE_ENTRIES_MAX; i++)
		if (entry[0] && strcmp(world->entries[i], entry) == 0)
			return i;
	return -1;
}

void fake_world_boot(struct fake_world *world)
{
	int entry = entry_index(world, world->armed_entry);
	const char *build_id;

	if (world->never_returns && !world->armed_entry[0] && world->running_token[0]) {
		world->boots++;
		world->is_going_down = false;
		return;
	}
	build_id = entry < 0 ? DEFAULT_BUILD_ID : world->entry_build_ids[entry];

	world->boots++;
	world->is_going_down = false;
	if (entry >= 0 && ((world->bisect_panics && strstr(world->armed_entry, "-0000") &&
			    strtol(strrchr(world->armed_entry, '-') + 1, NULL, 16) >> 16 ==
				    world->bisect_panics) ||
			   (world->child_panics && strstr(world->armed_entry, "child")) ||
			   (world->dead_from_boot && world->boots >= world->dead_from_boot))) {
		entry = -1;
		build_id = DEFAULT_BUILD_ID;
		world->has_crash_record = true;
	}
	(void)snprintf(world->running_build_id, sizeof(world->running_build_id), "%s", build_id);
	(void)snprintf(world->running_token, sizeof(world->running_token), "%s",
		       entry < 0 ? "" : world->armed_token);
	world->armed_entry[0] = world->armed_token[0] = '\0'; /* the loader clears it first */
	world->is_deadline_stopped = false;
	(void)snprintf(world->governor, sizeof(world->governor), "powersave");
}

/* One place where the daemon or the machine may die. */
static void place(struct fake_world *world)
{
	int here = world->places++;

	if (world->crash == FAKE_CRASH_NONE || here != world->crash_at)
		return;
	if (world->crash == FAKE_CRASH_POWER) {
		world->power_cuts++;
		fake_world_boot(world);
	}
	world->crash = world->second_crash;
	world->crash_at = world->second_crash_at;
	world->second_crash = FAKE_CRASH_NONE;
	_exit(FAKE_EXIT_KILLED);
}

/* A place of an act: the daemon's own process may be asked for something meanwhile. */
static void act_place(struct fake_world *world)
{
	if (world->visit_at >= 0 && world->places >= world->visit_at) {
		world->visit_at = -1;
		world->visit(world);
	}
	place(world);
}

static int observe(void *context, struct observation *ret, struct error *err)
{
	const struct fake_world *world = context;

	(void)err;
	memset(ret, 0, sizeof(*ret));
	ret->now_s = 1700000000 + world->boots * 600;
	ret->uptime_s = 3600;
	(void)snprintf(ret->boot_id, sizeof(ret->boot_id), "boot-%d", world->boots);
	(void)snprintf(ret->build_id, sizeof(ret->build_id), "%s", world->running_build_id);
	(void)snprintf(ret->release, sizeof(ret->release), "6.12.0-fake");
	(void)snprintf(ret->version, sizeof(ret->version), "#1");
	(void)snprintf(ret->token, sizeof(ret->token), "%s", world->running_token);
	ret->is_armed = world->armed_token[0] != '\0';
	(void)snprintf(ret->armed_entry, sizeof(ret->armed_entry), "%s", world->armed_entry);
	(void)snprintf(ret->armed_token, sizeof(ret->armed_token), "%s", world->armed_token);
	ret->is_system_ready = true;
	ret->is_held = world->is_held;
	return 0;
}

/* Asked before every append: so a crash between an act and its event is tried too. */
static int now_ns(void *context, int64_t *ret_now_ns)
{
	struct fake_world *world = context;

	place(world);
	*ret_now_ns = (1700000000LL + world->boots * 600LL) * 1000000000;
	return 0;
}

static int make_token(void *context, char ret_token[33], struct error *err)
{
	const struct fake_world *world = context;

	(void)err;
	(void)snprintf(ret_token, 33, "%032x", world->boots + 1);
	return 0;
}

static int preflight(void *context, const struct run_state *state, struct error *err)
{
	const struct fake_world *world = context;

	(void)state;
	act_place(context);
	if (world->is_refused)
		return error_set(err, -EPERM, "this machine is not safe to reboot unattended");
	return 0;
}

static int configure(void *context, const struct run_state *state, json_t **ret,
		     struct error *err)
{
	(void)state;
	(void)err;
	act_place(context);
	*ret = json_pack("{s:b, s:[]}", "equal", 1, "differences");
	act_place(context);
	return 0;
}

/* Ids that sort as their index, so that tests read well. */
static int range(void *context, const struct run_state *state, json_t **ret, struct error *err)
{
	struct fake_world *world = context;
	char ids[40 * FAKE_COMMITS_MAX + 1];

	(void)state;
	(void)err;
	act_place(world);
	for (int i = 0; i <= world->bisect_commits; i++)
		(void)snprintf(ids + 40 * (size_t)i, 41, "%08x%032x", (unsigned int)i, 0U);
	*ret = json_pack("{s:s, s:[], s:b}", "ids", ids, "heavy", "first_parents", 1);
	act_place(world);
	return 0;
}

static int select_commit(void *context, const struct run_state *state, size_t commit, json_t **ret,
			 struct error *err)
{
	struct fake_world *world = context;

	(void)state;
	act_place(world);
	if (commit == (size_t)world->bisect_unconfigurable)
		return error_set(err, -EPERM, "kconfig fails");
	*ret = json_pack("{s:s, s:s}", "tree", "3333333333333333333333333333333333333333", "title",
			 "mm: a commit");
	act_place(world);
	return 0;
}

/* Of a bisection: the commit that point @point is; 0 in any other job. */
static int commit_of(const struct run_state *state, int point)
{
	return state->bisect ? (int)state->points[point].commit_index : 0;
}

static void build_id_of(int point, char ret_build_id[41])
{
	(void)snprintf(ret_build_id, 41, "%c%039d", point < 3 ? 'a' + point : 'e', point);
}

static int build(void *context, const struct run_state *state, int point, json_t **ret,
		 struct error *err)
{
	struct fake_world *world = context;
	char build_id[41], code_id[65];

	act_place(world);
	world->builds++;
	if (world->bisect_unbuildable && commit_of(state, point) == world->bisect_unbuildable)
		return error_set(err, -EPROTO, "it does not build");
	build_id_of(point, build_id);
	(void)snprintf(code_id, sizeof(code_id), "%064d",
		       state->bisect ? commit_of(state, point) -
					       (commit_of(state, point) == world->bisect_twin)
				     : point + 1000);
	*ret = json_pack("{s:s, s:s, s:s, s:s, s:s}", "status", "built", "key", build_id, "build_id",
			 build_id, "code_id", code_id, "release", "6.12.0-fake");
	act_place(world);
	return 0;
}

static int install(void *context, const struct run_state *state, int point, json_t **ret,
		   struct error *err)
{
	struct fake_world *world = context;
	char entry[64];
	int slot;

	(void)err;
	act_place(world);
	(void)snprintf(entry, sizeof(entry), "abbot-%lld-%.40s", (long long)state->job_id,
		       state->job.points[point].name);
	slot = entry_index(world, entry);
	for (int i = 0; i < FAKE_ENTRIES_MAX && slot < 0; i++)
		if (!world->entries[i][0])
			slot = i;
	(void)snprintf(world->entries[slot], sizeof(world->entries[slot]), "%s", entry);
	build_id_of(point, world->entry_build_ids[slot]);
	*ret = json_pack("{s:s}", "entry", entry);
	act_place(world);
	return 0;
}

static int arm(void *context, const char *entry, const char *token, json_t **ret,
	       struct error *err)
{
	struct fake_world *world = context;

	act_place(world);
	if (entry_index(world, entry) < 0)
		return error_set(err, -2, "%s is not installed", entry);
	(void)snprintf(world->armed_entry, sizeof(world->armed_entry), "%s", entry);
	(void)snprintf(world->armed_token, sizeof(world->armed_token), "%s", token);
	*ret = json_object();
	act_place(world);
	return 0;
}

static int disarm(void *context, struct error *err)
{
	struct fake_world *world = context;

	(void)err;
	act_place(world);
	world->armed_entry[0] = world->armed_token[0] = '\0';
	act_place(world);
	return 0;
}

static int stop_deadline(void *context, struct error *err)
{
	struct fake_world *world = context;

	(void)err;
	act_place(world);
	world->is_deadline_stopped = true;
	act_place(world);
	return 0;
}

static int reboot_machine_fake(void *context, json_t **ret, struct error *err)
{
	struct fake_world *world = context;

	(void)err;
	act_place(world);
	world->is_going_down = true;
	if (strcmp(world->governor, "powersave") != 0)
		world->unrestored++;
	*ret = json_object();
	act_place(world);
	return 0;
}

static int profile_read(void *context, const struct run_state *state, json_t **ret,
			struct error *err)
{
	const struct fake_world *world = context;

	(void)state;
	if (world->is_profile_unreadable)
		return error_set(err, -5, "the knobs cannot be read");
	*ret = json_pack("{s:s}", "governor", world->governor);
	return 0;
}

static int profile_apply(void *context, const struct run_state *state, json_t **ret,
			 struct error *err)
{
	struct fake_world *world = context;

	(void)state;
	(void)err;
	act_place(world);
	(void)snprintf(world->governor, sizeof(world->governor), "performance");
	*ret = json_pack("{s:{s:s}, s:[]}", "in_force", "governor", world->governor,
			 "not_available");
	act_place(world);
	return 0;
}

static int profile_restore(void *context, const json_t *saved, json_t **ret,
			   struct error *err)
{
	struct fake_world *world = context;

	(void)err;
	act_place(world);
	(void)snprintf(world->governor, sizeof(world->governor), "%s",
		       json_string_value(json_object_get(saved, "governor")));
	*ret = json_object();
	act_place(world);
	return 0;
}

/* The child costs 25 % more; values depend on nothing but kernel, boot and process. */
static int measure(void *context, const struct run_state *state, int boot, int process,
		   json_t **ret, struct error *err)
{
	struct fake_world *world = context;
	int commit = commit_of(state, state->boots[boot].point);
	bool is_child = state->boots[boot].point == 1;
	const struct job_process which = job_process_at(&state->job, boot, process);
	/* Fibonacci hashing: equal runs give equal values, and neighbours differ. */
	double noise = (double)((uint32_t)(boot + 1) * 2654435769U) / 2147483648.0 - 1;
	double value = (is_child ? 100.0 + world->child_pct : 100.0) + world->noise_pct * noise +
		       (world->noise_pct > 0 ? 0 : 0.25 * boot) + 0.125 * process +
		       50.0 * (double)which.bench;

	if (state->bisect)
		value = (commit >= world->bisect_culprit ? 100 + world->bisect_pct : 100) +
			world->noise_pct * noise + 0.125 * process;
	if (world->bisect_fails && commit == world->bisect_fails)
		return error_set(err, -EIO, "the benchmark fails");
	if (!world->is_deadline_stopped)
		world->under_deadline++;
	act_place(world);
	if (process == 1 && ((is_child && world->child_panics_measuring) ||
			     (world->bisect_dies && commit == world->bisect_dies))) {
		fake_world_boot(world);
		world->has_crash_record = true;
		_exit(FAKE_EXIT_KILLED);
	}
	world->processes++;
	if (state->bisect)
		world->boots_of[commit]++;
	*ret = json_pack("{s:{s:{s:{s:f}, s:{s:f}}}, s:s, s:f, s:s}", "bench", "metrics",
			 "iteration", "mean", value, "protect", "mean", value / 2, "status",
			 "ok", "value", value, "workload",
			 job_bench_at(&state->job, which.bench).name);
	act_place(world);
	return 0;
}

static int diagnose(void *context, const struct run_state *state, int boot, json_t **ret,
		    struct error *err)
{
	struct fake_world *world = context;

	(void)err;
	act_place(world);
	world->diagnoses++;
	*ret = json_pack("{s:{s:s, s:{s:i}}}", "functions", "by", "the fake", "counts",
			 state->job.measure.diagnoses[0] + strlen("functions="), 7 + boot);
	act_place(world);
	return 0;
}

/* Written down first, then removed: each is a step of its own. */
static int evidence(void *context, const struct run_state *state, int boot, json_t **ret,
		    struct error *err)
{
	struct fake_world *world = context;
	const char *token = state->boots[boot].token;

	(void)err;
	act_place(world);
	world->evidences++;
	if (world->has_crash_record) {
		(void)snprintf(world->crash_file, sizeof(world->crash_file), "%s", token);
		act_place(world);
		world->has_crash_record = false;
		act_place(world);
	}
	*ret = strcmp(world->crash_file, token) == 0
		       ? json_pack("{s:[{s:s, s:s, s:s}], s:s}", "findings", "kind", "panic", "text",
				   "Kernel panic - not syncing: fake", "from", "pstore", "crash",
				   "it panicked: Kernel panic - not syncing: fake")
		       : json_pack("{s:[]}", "findings");
	act_place(world);
	return 0;
}

static int remove_entries(void *context, const struct run_state *state, json_t **ret,
			  struct error *err)
{
	struct fake_world *world = context;

	(void)state;
	(void)err;
	act_place(world);
	memset(world->entries, 0, sizeof(world->entries));
	*ret = json_object();
	act_place(world);
	return 0;
}

struct ports fake_world_ports(struct fake_world *world)
{
	return (struct ports){
		.context = world,
		.observe = observe,
		.now_ns = now_ns,
		.make_token = make_token,
		.preflight = preflight,
		.range = range,
		.select = select_commit,
		.configure = configure,
		.build = build,
		.install = install,
		.arm = arm,
		.disarm = disarm,
		.stop_deadline = stop_deadline,
		.reboot = reboot_machine_fake,
		.profile_read = profile_read,
		.profile_apply = profile_apply,
		.profile_restore = profile_restore,
		.measure = measure,
		.diagnose = diagnose,
		.evidence = evidence,
		.remove_entries = remove_entries,
	};
}
