// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine profile on trees like /sys and /proc: set, read back, restored; each recorded
 * setting changes what is in force; and the machine that runs the test gives the
 * same answer twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/work/measure.h"
#include "orchestrator/work/profile_knobs.h"
#include "orchestrator/work/profile_preemption.h"

#define CPU "sys/devices/system/cpu/"
#define THP "sys/kernel/mm/transparent_hugepage/"

static void put(void **state, const char *path, const char *text)
{
	_cleanup_free_ char *whole = temporary_path(state, path);
	_cleanup_free_ char *directory = text_duplicate(whole);

	*strrchr(directory, '/') = '\0';
	assert_int_equal(file_make_directories(directory, 0755, NULL), 0);

	_cleanup_fclose_ FILE *file = fopen(whole, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
}

static void assert_file(void **state, const char *path, const char *text)
{
	_cleanup_free_ char *whole = temporary_path(state, path);
	_cleanup_free_ char *data = NULL;

	assert_int_equal(file_read(whole, 4096, &data, NULL, NULL), 0);
	assert_string_equal(text_strip(data), text);
}

static void put_cpu(void **state, int cpu, const char *governor, const char *epp)
{
	_cleanup_free_ char *directory = text_format(CPU "cpu%d/cpufreq/", cpu);
	const char *const files[][2] = {
		{ "scaling_governor", governor },
		{ "scaling_available_governors", "performance powersave\n" },
		{ "energy_performance_preference", epp },
		{ "energy_performance_available_preferences",
		  "default performance balance_performance power\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *path = text_format("%s%s", directory, files[i][0]);

		put(state, path, files[i][1]);
	}
}

/* A machine with everything. */
static void put_machine(void **state)
{
	put_cpu(state, 0, "powersave\n", "balance_performance\n");
	put_cpu(state, 2, "powersave\n", "power\n");
	put_cpu(state, 10, "performance\n", "performance\n");
	put(state, CPU "intel_pstate/no_turbo", "0\n");
	put(state, CPU "cpu0/cpufreq/scaling_driver", "intel_pstate\n");
	put(state, CPU "intel_pstate/status", "active\n");
	put(state, CPU "cpu10/topology/thread_siblings_list", "2,10\n");
	put(state, CPU "cpuidle/current_driver", "intel_idle\n");
	put(state, CPU "cpuidle/current_governor_ro", "menu\n");
	put(state, CPU "online", "0,2,10\n");
	put(state, CPU "smt/control", "on\n");
	put(state, CPU "vulnerabilities/meltdown", "Not affected\n");
	put(state, CPU "vulnerabilities/l1tf", "Mitigation: PTE Inversion\n");
	put(state, "sys/devices/cpu_atom/cpus", "8-11\n");
	put(state, THP "enabled", "always [madvise] never\n");
	put(state, THP "defrag", "always defer [madvise] never\n");
	put(state, THP "shmem_enabled", "always within_size advise [never] deny force\n");
	put(state, THP "hugepages-64kB/enabled", "always inherit madvise [never]\n");
	put(state, THP "hugepages-2048kB/enabled", "always [inherit] madvise never\n");
	put(state, "sys/kernel/mm/ksm/run", "0\n");
	put(state, "sys/kernel/debug/sched/preempt", "none voluntary full (lazy)\n");
	put(state, "proc/sys/kernel/randomize_va_space", "2\n");
	put(state, "proc/sys/kernel/numa_balancing", "0\n");
	put(state, "proc/sys/vm/swappiness", "60\n");
	put(state, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 9 1 -2\n");
	put(state, "proc/cmdline", "ro quiet abbot.token=1\n");
	put(state, "proc/cpuinfo",
	    "processor\t: 0\nmicrocode\t: 0x2b\n\nprocessor\t: 2\nmicrocode\t: 0x2b\n");
}

static struct job make_job(const char *governor, const char *turbo)
{
	struct job job;

	job_init(&job);
	free(job.measure.governor);
	free(job.measure.turbo);
	job.measure.governor = text_duplicate(governor);
	job.measure.turbo = text_duplicate(turbo);
	return job;
}

#define _cleanup_job_ _cleanup_(job_done)

static json_t *read_profile(void **state, const struct job *job)
{
	struct error err = { 0 };
	json_t *saved = NULL;

	assert_int_equal(profile_read(*state, job, &saved, &err), 0);
	return saved;
}

static json_t *apply(void **state, const struct job *job)
{
	struct error err = { 0 };
	json_t *result = NULL;

	if (profile_apply(*state, job, NULL, &result, &err) != 0)
		fail_msg("%s", err.text);
	return result;
}

static const char *in_force(const json_t *result, const char *name)
{
	return json_string_value(json_object_get(json_object_get(result, "in_force"), name));
}

static void assert_json(const json_t *json, const char *text)
{
	_cleanup_free_ char *dump = json_dumps(json, JSON_COMPACT);

	assert_string_equal(dump, text);
}

static void test_set_and_restore(void **state)
{
	_cleanup_job_ struct job job = make_job("performance", "off");
	struct error err = { 0 };

	put_machine(state);

	_cleanup_json_ json_t *saved = read_profile(state, &job);

	assert_json(saved,
		    "{\"epp\":{\"cpu0\":\"balance_performance\",\"cpu2\":\"power\","
		    "\"cpu10\":\"performance\"},\"governor\":{\"cpu0\":\"powersave\","
		    "\"cpu2\":\"powersave\",\"cpu10\":\"performance\"},\"turbo\":\"on\"}");

	_cleanup_json_ json_t *result = apply(state, &job);

	assert_string_equal(in_force(result, "governor"), "performance");
	assert_string_equal(in_force(result, "epp"), "performance");
	assert_string_equal(in_force(result, "turbo"), "off");
	assert_json(json_object_get(result, "not_available"), "[]");
	assert_file(state, CPU "cpu2/cpufreq/scaling_governor", "performance");
	assert_file(state, CPU "cpu2/cpufreq/energy_performance_preference", "performance");
	assert_file(state, CPU "intel_pstate/no_turbo", "1");

	_cleanup_json_ json_t *restored = NULL;

	assert_int_equal(profile_restore(*state, saved, &restored, &err), 0);
	assert_json(restored, "{\"restored\":[\"governor\",\"epp\",\"turbo\"],\"missing\":[]}");
	assert_file(state, CPU "cpu0/cpufreq/scaling_governor", "powersave");
	assert_file(state, CPU "cpu2/cpufreq/energy_performance_preference", "power");
	assert_file(state, CPU "cpu10/cpufreq/scaling_governor", "performance");
	assert_file(state, CPU "intel_pstate/no_turbo", "0");

	/* Again: nothing left to do. */
	_cleanup_json_ json_t *again = NULL;

	assert_int_equal(profile_restore(*state, saved, &again, &err), 0);
	assert_json(again, "{\"restored\":[],\"missing\":[]}");
}

static void test_boost_of_cpufreq(void **state)
{
	_cleanup_job_ struct job job = make_job("keep", "off");
	struct error err = { 0 };
	_cleanup_json_ json_t *restored = NULL;

	put(state, CPU "cpufreq/boost", "1\n");

	_cleanup_json_ json_t *saved = read_profile(state, &job);
	_cleanup_json_ json_t *result = apply(state, &job);

	assert_json(saved, "{\"turbo\":\"on\"}");
	assert_string_equal(in_force(result, "turbo"), "off");
	assert_file(state, CPU "cpufreq/boost", "0");
	assert_int_equal(profile_restore(*state, saved, &restored, &err), 0);
	assert_file(state, CPU "cpufreq/boost", "1");
}

/* What each driver offers, what a job sets there, and that it is put back; null is "not available". */
static void test_every_driver(void **state)
{
	static const struct {
		const char *driver;
		const char *governors;
		const char *before;       /* governor */
		const char *preferences;  /* NULL: the driver has none */
		const char *turbo_path;   /* NULL: no knob */
		const char *turbo_on;
		const char *turbo_off;
		const char *mode_path;    /* NULL: no such file */
	} drivers[] = {
		{ "intel_pstate", "performance powersave", "powersave", "default performance power",
		  CPU "intel_pstate/no_turbo", "0", "1", CPU "intel_pstate/status" },
		{ "intel_cpufreq", "conservative ondemand performance schedutil", "schedutil", NULL,
		  CPU "intel_pstate/no_turbo", "0", "1", CPU "intel_pstate/status" },
		{ "amd-pstate-epp", "performance powersave", "powersave", "default performance power",
		  CPU "cpufreq/boost", "1", "0", CPU "amd_pstate/status" },
		{ "acpi-cpufreq", "ondemand performance schedutil", "ondemand", NULL,
		  CPU "cpufreq/boost", "1", "0", NULL },
		{ "cppc_cpufreq", "ondemand performance", "ondemand", NULL, NULL, NULL, NULL, NULL },
	};
	_cleanup_job_ struct job job = make_job("performance", "off");

	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++) {
		_cleanup_json_ json_t *saved = NULL, *result = NULL, *restored = NULL;
		struct error err = { 0 };

		assert_int_equal(file_remove_tree(*state, NULL), 0);
		put(state, CPU "cpu0/cpufreq/scaling_driver", drivers[i].driver);
		put(state, CPU "cpu0/cpufreq/scaling_available_governors", drivers[i].governors);
		put(state, CPU "cpu0/cpufreq/scaling_governor", drivers[i].before);
		if (drivers[i].preferences) {
			put(state, CPU "cpu0/cpufreq/energy_performance_available_preferences",
			    drivers[i].preferences);
			put(state, CPU "cpu0/cpufreq/energy_performance_preference", "default");
		}
		if (drivers[i].turbo_path)
			put(state, drivers[i].turbo_path, drivers[i].turbo_on);
		if (drivers[i].mode_path)
			put(state, drivers[i].mode_path, "active\n");
		saved = read_profile(state, &job);
		result = apply(state, &job);
		assert_string_equal(in_force(result, "cpufreq_driver"), drivers[i].driver);
		assert_string_equal(in_force(result, "governor"), "performance");
		if (drivers[i].preferences)
			assert_string_equal(in_force(result, "epp"), "performance");
		else
			assert_null(in_force(result, "epp"));
		if (drivers[i].turbo_path) {
			assert_string_equal(in_force(result, "turbo"), "off");
			assert_file(state, drivers[i].turbo_path, drivers[i].turbo_off);
		} else {
			assert_null(in_force(result, "turbo"));
		}
		if (drivers[i].mode_path)
			assert_string_equal(in_force(result, "pstate_mode"), "active");
		else
			assert_null(in_force(result, "pstate_mode"));
		assert_int_equal(profile_restore(*state, saved, &restored, &err), 0);
		assert_file(state, CPU "cpu0/cpufreq/scaling_governor", drivers[i].before);
		if (drivers[i].turbo_path)
			assert_file(state, drivers[i].turbo_path, drivers[i].turbo_on);
	}
}

static void test_keep_touches_nothing(void **state)
{
	_cleanup_job_ struct job job = make_job("keep", "keep");

	put_machine(state);

	_cleanup_json_ json_t *saved = read_profile(state, &job);
	_cleanup_json_ json_t *result = apply(state, &job);

	assert_json(saved, "{}");
	assert_file(state, CPU "cpu0/cpufreq/scaling_governor", "powersave");
	assert_file(state, CPU "intel_pstate/no_turbo", "0");
	/* CPUs that differ are told apart. */
	assert_json(json_object_get(json_object_get(result, "in_force"), "governor"),
		    "{\"cpu0\":\"powersave\",\"cpu10\":\"performance\",\"cpu2\":\"powersave\"}");
}

/* Null and listed, never "ok"; and nothing to restore. */
static void test_machine_without_knobs(void **state)
{
	_cleanup_job_ struct job job = make_job("performance", "off");
	struct error err = { 0 };
	_cleanup_json_ json_t *saved = read_profile(state, &job);
	_cleanup_json_ json_t *result = apply(state, &job);
	_cleanup_json_ json_t *restored = NULL;
	const json_t *force = json_object_get(result, "in_force");

	assert_json(saved, "{\"epp\":null,\"governor\":null,\"turbo\":null}");
	/* All but the model that every kernel has. */
	assert_int_equal(json_array_size(json_object_get(result, "not_available")),
			 json_object_size(force) - 1);
	assert_string_equal(in_force(result, "preemption"), "not known");
	assert_true(json_is_null(json_object_get(force, "governor")));
	assert_true(json_is_null(json_object_get(force, "thp_enabled")));
	assert_int_equal(profile_restore(*state, saved, &restored, &err), 0);
	assert_json(restored, "{\"restored\":[],\"missing\":[]}");
}

static void test_refused_governor(void **state)
{
	_cleanup_job_ struct job job = make_job("schedutil", "off");
	struct error err = { 0 };
	json_t *result = NULL;

	put_machine(state);
	assert_int_equal(profile_apply(*state, &job, NULL, &result, &err), -EINVAL);
	assert_null(result);
	assert_non_null(strstr(err.text, "cannot be schedutil"));
	assert_non_null(strstr(err.text, "performance powersave"));
}

/* /dev/null takes any write and keeps none; /dev/full takes none. */
static void test_read_back(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(profile_set_verified("/dev/null", "performance", &err), -EIO);
	assert_non_null(strstr(err.text, "after performance was written"));
	assert_int_equal(profile_set_verified("/dev/full", "performance", &err), -ENOSPC);
	assert_non_null(strstr(err.text, "/dev/full"));
}

/* One CPU has gone, one entry is damaged: the rest is put back all the same. */
static void test_restore_goes_on(void **state)
{
	struct error err = { 0 };
	json_t *restored = NULL;
	_cleanup_json_ json_t *saved = json_loads(
		"{\"governor\":{\"cpu5\":\"powersave\",\"cpu0\":\"performance\"}}", 0, NULL);
	_cleanup_json_ json_t *damaged = json_loads(
		"{\"governor\":{\"../../../x\":\"1\",\"cpu0\":\"powersave\"},\"turbo\":\"off\"}", 0,
		NULL);

	put_machine(state);
	put(state, CPU "x/cpufreq/scaling_governor", "untouched\n");
	assert_int_equal(profile_restore(*state, saved, &restored, &err), 0);
	assert_json(restored, "{\"restored\":[\"governor\"],\"missing\":[\"cpu5\"]}");
	json_decref(restored);
	restored = NULL;
	assert_int_equal(profile_restore(*state, damaged, &restored, &err), -EBADMSG);
	assert_null(restored);
	assert_file(state, CPU "cpu0/cpufreq/scaling_governor", "powersave");
	assert_file(state, CPU "intel_pstate/no_turbo", "1");
}

/* Each of these, changed alone, must make the profile another one. */
static void test_every_recorded_setting_counts(void **state)
{
	static const char *const changes[][3] = {
		{ "aslr", "proc/sys/kernel/randomize_va_space", "0\n" },
		{ "core_type", "sys/devices/cpu_atom/cpus", "16-19\n" },
		{ "cpufreq_driver", CPU "cpu0/cpufreq/scaling_driver", "acpi-cpufreq\n" },
		{ "idle_driver", CPU "cpuidle/current_driver", "acpi_idle\n" },
		{ "idle_governor", CPU "cpuidle/current_governor_ro", "teo\n" },
		{ "ksm", "sys/kernel/mm/ksm/run", "1\n" },
		{ "microcode", "proc/cpuinfo", "microcode : 0x2b\nmicrocode : 0x2c\n" },
		{ "mitigations", CPU "vulnerabilities/meltdown", "Vulnerable\n" },
		{ "numa_balancing", "proc/sys/kernel/numa_balancing", "1\n" },
		{ "online_cpus", CPU "online", "0,10\n" },
		{ "preemption", "sys/kernel/debug/sched/preempt", "(none) voluntary full lazy\n" },
		{ "pstate_mode", CPU "intel_pstate/status", "passive\n" },
		{ "smt", CPU "smt/control", "off\n" },
		{ "smt_siblings", CPU "cpu10/topology/thread_siblings_list", "10\n" },
		{ "swap_areas", "proc/swaps", "Filename\n" },
		{ "swappiness", "proc/sys/vm/swappiness", "10\n" },
		{ "thp_defrag", THP "defrag", "[always] defer madvise never\n" },
		{ "thp_enabled", THP "enabled", "[always] madvise never\n" },
		{ "thp_shmem_enabled", THP "shmem_enabled", "[always] advise never\n" },
		{ "thp_sizes", THP "hugepages-64kB/enabled", "[always] inherit madvise never\n" },
	};
	_cleanup_job_ struct job job = make_job("performance", "off");

	put_machine(state);

	_cleanup_json_ json_t *before = apply(state, &job);
	const json_t *old = json_object_get(before, "in_force");

	/* The knobs are the other three: no recorded setting is left out of this list. */
	assert_int_equal(json_object_size(old), ARRAY_SIZE(changes) + 3);
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		put_machine(state);
		put(state, changes[i][1], changes[i][2]);

		_cleanup_json_ json_t *after = apply(state, &job);
		_cleanup_json_ json_t *changed = json_copy(json_object_get(after, "in_force"));
		json_t *was = json_object_get(old, changes[i][0]);

		assert_non_null(was);
		assert_false(json_equal(json_object_get(changed, changes[i][0]), was));
		/* And nothing else. */
		(void)json_object_set(changed, changes[i][0], was);
		assert_true(json_equal(changed, old));
	}
}

/* What differs between two boots of one machine may not show. */
static void test_other_boot_same_profile(void **state)
{
	_cleanup_job_ struct job job = make_job("performance", "off");

	put_machine(state);

	_cleanup_json_ json_t *before = apply(state, &job);

	put(state, "proc/cmdline", "ro quiet abbot.token=2\n");
	put(state, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n/dev/sdb2 partition 8 0 -2\n");
	put(state, CPU "cpu0/cpufreq/scaling_cur_freq", "1234\n");

	_cleanup_json_ json_t *after = apply(state, &job);

	assert_true(json_equal(before, after));
}

/* A config, a command line, what debugfs says ("": it is not there), and the model. */
static void test_preemption(void **state)
{
	static const char *const cases[][4] = {
		{ "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "quiet\n",
		  "none voluntary (full) lazy\n", "full" },
		{ "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "quiet\n", "", "lazy" },
		{ "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "preempt=full x preempt=none\n",
		  "", "none" },
		{ "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y\n",
		  "preempt=full preempt=rt preempt=noneX nopreempt=none\n", "", "full" },
		{ "CONFIG_PREEMPT_NONE=y\n# CONFIG_PREEMPT_DYNAMIC is not set\n", "preempt=full\n", "",
		  "none" },
		{ "CONFIG_PREEMPT_VOLUNTARY=y\n", "quiet\n", "", "voluntary" },
		{ "CONFIG_PREEMPT=y\n# CONFIG_PREEMPT_NONE is not set\n", "quiet\n", "", "full" },
		{ "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT_LAZY=y\n", "quiet\n", "", "rt" },
		{ "CONFIG_SMP=y\n", "preempt=full\n", "", "not known" },
		{ "no config at all\n", "preempt=full\n", "", "not known" },
	};
	_cleanup_free_ char *config = path_join(*state, "config");
	_cleanup_free_ char *model = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *found = NULL;

		put(state, "config", cases[i][0]);
		put(state, "proc/cmdline", cases[i][1]);
		put(state, "sys/kernel/debug/sched/preempt", cases[i][2]);
		found = profile_preemption_read(*state, config);
		assert_string_equal(found, cases[i][3]);
	}
	model = profile_preemption_read(*state, NULL);
	assert_string_equal(model, "not known");
}

/* The real machine, nothing changed: equal twice, as text, with sorted keys. */
static void test_this_machine(void **state)
{
	_cleanup_job_ struct job job = make_job("keep", "keep");
	struct error err = { 0 };
	_cleanup_json_ json_t *first = NULL;
	_cleanup_json_ json_t *second = NULL;

	(void)state;
	assert_int_equal(profile_apply("/", &job, NULL, &first, &err), 0);
	assert_int_equal(profile_apply("", &job, NULL, &second, &err), 0);

	const json_t *force = json_object_get(first, "in_force");
	_cleanup_free_ char *kept = json_dumps(force, 0);
	_cleanup_free_ char *sorted = json_dumps(force, JSON_SORT_KEYS);
	_cleanup_free_ char *other = json_dumps(json_object_get(second, "in_force"), 0);

	assert_string_equal(kept, sorted);
	assert_string_equal(kept, other);
	assert_non_null(in_force(first, "aslr"));
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_set_and_restore),
		TEST(test_boost_of_cpufreq),
		TEST(test_every_driver),
		TEST(test_keep_touches_nothing),
		TEST(test_machine_without_knobs),
		TEST(test_refused_governor),
		TEST(test_read_back),
		TEST(test_restore_goes_on),
		TEST(test_every_recorded_setting_counts),
		TEST(test_other_boot_same_profile),
		TEST(test_preemption),
		TEST(test_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
