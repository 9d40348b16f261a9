// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recorded part of the machine profile. Nothing that changes from boot to boot of an
 * unchanged machine belongs here: no frequency, no counter, no size that the kernel computes.
 */
#include "orchestrator/work/profile_facts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/profile_files.h"
#include "orchestrator/work/profile_preemption.h"

#define THP "sys/kernel/mm/transparent_hugepage"
#define CPU "sys/devices/system/cpu"

static const struct fact {
	const char *name;
	const char *path;
	bool is_selection;   /* "always [madvise] never" */
} facts[] = {
	{ "aslr", "proc/sys/kernel/randomize_va_space", false },
	{ "cpufreq_driver", CPU "/cpu0/cpufreq/scaling_driver", false },
	{ "idle_driver", CPU "/cpuidle/current_driver", false },
	{ "idle_governor", CPU "/cpuidle/current_governor_ro", false },
	{ "ksm", "sys/kernel/mm/ksm/run", false },
	{ "numa_balancing", "proc/sys/kernel/numa_balancing", false },
	{ "online_cpus", CPU "/online", false },
	{ "smt", CPU "/smt/control", false },
	{ "swappiness", "proc/sys/vm/swappiness", false },
	{ "thp_defrag", THP "/defrag", true },
	{ "thp_enabled", THP "/enabled", true },
	{ "thp_shmem_enabled", THP "/shmem_enabled", true },
};

static json_t *string_or_null(const char *text)
{
	/* NULL too when it is not UTF-8. */
	json_t *json = text ? json_string(text) : NULL;

	return json ? json : json_null();
}

/* {"meltdown": "Not affected",..}; null when the kernel has no such directory. */
static json_t *read_mitigations(const char *root)
{
	_cleanup_free_ char *path = text_format("%s/" CPU "/vulnerabilities", root);
	DIR *directory = opendir(path);
	_cleanup_json_ json_t *values = json_object();
	struct dirent *entry;

	if (!directory)
		return json_null();
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;

		_cleanup_free_ char *file = text_format(CPU "/vulnerabilities/%s",
							entry->d_name);
		_cleanup_free_ char *value = profile_file_read(root, file);

		if (value)
			(void)json_object_set_new(values, entry->d_name, string_or_null(value));
	}
	(void)closedir(directory);
	return TAKE_PTR(values);
}

/* Every revision that some CPU runs, in the order of the first such CPU: "0x2b, 0x2c". */
static json_t *read_microcode(const char *root)
{
	_cleanup_free_ char *text = profile_file_read(root, "proc/cpuinfo");
	_cleanup_json_ json_t *seen = json_object();
	_cleanup_text_ struct text_buffer revisions = { 0 };
	char *state = NULL;

	for (char *line = text ? strtok_r(text, "\n", &state) : NULL; line;
	     line = strtok_r(NULL, "\n", &state)) {
		char *colon = strchr(line, ':');

		if (!text_has_prefix(line, "microcode") || !colon)
			continue;

		const char *revision = text_strip(colon + 1);

		if (json_object_get(seen, revision))
			continue;
		(void)json_object_set_new(seen, revision, json_true());
		text_printf(&revisions, "%s%s", revisions.size ? ", " : "", revision);
	}
	return string_or_null(revisions.text);
}

static json_t *read_preemption(const char *root, const char *config_path)
{
	_cleanup_free_ char *model = profile_preemption_read(root, config_path);

	return string_or_null(model);
}

/* How many swap areas are in use. Not their size: zram's follows the kernel's own. */
static json_t *read_swap(const char *root)
{
	_cleanup_free_ char *text = profile_file_read(root, "proc/swaps");
	json_int_t n_areas = 0;

	if (!text)
		return json_null();
	for (const char *place = strchr(text, '\n'); place; place = strchr(place + 1, '\n'))
		n_areas++;
	return json_integer(n_areas);
}

/* Sizes of large folios that are not at their default: {"64kB": "always/never"} (anonymous/shmem). */
static json_t *read_thp_sizes(const char *root)
{
	_cleanup_free_ char *path = text_format("%s/" THP, root);
	DIR *directory = opendir(path);
	_cleanup_json_ json_t *sizes = json_object();
	struct dirent *entry;

	if (!directory)
		return json_null();
	while ((entry = readdir(directory))) {
		if (!text_has_prefix(entry->d_name, "hugepages-"))
			continue;

		_cleanup_free_ char *anonymous_path = text_format(THP "/%s/enabled",
								  entry->d_name);
		_cleanup_free_ char *shmem_path = text_format(THP "/%s/shmem_enabled",
							      entry->d_name);
		_cleanup_free_ char *anonymous = profile_file_read_selected(root, anonymous_path);
		_cleanup_free_ char *shmem = profile_file_read_selected(root, shmem_path);
		bool is_default = (!anonymous || strcmp(anonymous, "never") == 0 ||
				   strcmp(anonymous, "inherit") == 0) &&
				  (!shmem || strcmp(shmem, "never") == 0 ||
				   strcmp(shmem, "inherit") == 0);
		_cleanup_free_ char *both = text_format("%s/%s", anonymous ? anonymous : "-",
							shmem ? shmem : "-");

		if (!is_default)
			(void)json_object_set_new(sizes, entry->d_name + strlen("hugepages-"),
						  string_or_null(both));
	}
	(void)closedir(directory);
	return TAKE_PTR(sizes);
}

/* Is @number in "0-3,8,10-11"? */
static bool list_has(const char *list, long number)
{
	for (const char *place = list; place && *place;) {
		char *end;
		long first = strtol(place, &end, 10);
		long last = *end == '-' ? strtol(end + 1, &end, 10) : first;

		if (end == place)
			return false;
		if (number >= first && number <= last)
			return true;
		place = *end == ',' ? end + 1 : end + strlen(end);
	}
	return false;
}

/* The CPU that is measured on: the job's, or the highest-numbered online one. -1: not known. */
static int64_t measuring_cpu(const char *root, int64_t cpu)
{
	_cleanup_free_ char *online = cpu < 0 ? profile_file_read(root, CPU "/online") : NULL;
	const char *last;

	if (!online)
		return cpu;
	last = strpbrk(online, ",-") ? online + strlen(online) : online;
	while (last > online && last[-1] >= '0' && last[-1] <= '9')
		last--;
	return strtol(last, NULL, 10);
}

/* On hybrid machines: is the measuring CPU a performance or an efficiency core? */
static json_t *read_core_type(const char *root, int64_t cpu)
{
	_cleanup_free_ char *efficient = profile_file_read(root, "sys/devices/cpu_atom/cpus");

	if (!efficient || cpu < 0)
		return json_null();
	return json_string(list_has(efficient, (long)cpu) ? "efficiency" : "performance");
}

/* "2,10": which CPUs share the measuring one's core; "10" alone where none does. */
static json_t *read_smt_siblings(const char *root, int64_t cpu)
{
	_cleanup_free_ char *path =
		text_format(CPU "/cpu%lld/topology/thread_siblings_list", (long long)cpu);
	_cleanup_free_ char *siblings = cpu < 0 ? NULL : profile_file_read(root, path);

	return string_or_null(siblings);
}

/* "active", "passive", "guided": who chooses frequencies, the processor or the kernel. */
static json_t *read_pstate_mode(const char *root)
{
	_cleanup_free_ char *intel = profile_file_read(root, CPU "/intel_pstate/status");
	_cleanup_free_ char *amd = intel ? NULL : profile_file_read(root, CPU "/amd_pstate/status");

	return string_or_null(intel ? intel : amd);
}

json_t *profile_facts_read(const char *root, int64_t cpu, const char *config_path)
{
	json_t *values = json_object();

	cpu = measuring_cpu(root, cpu);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		_cleanup_free_ char *value = facts[i].is_selection ?
			profile_file_read_selected(root, facts[i].path) :
			profile_file_read(root, facts[i].path);

		(void)json_object_set_new(values, facts[i].name, string_or_null(value));
	}
	(void)json_object_set_new(values, "core_type", read_core_type(root, cpu));
	(void)json_object_set_new(values, "microcode", read_microcode(root));
	(void)json_object_set_new(values, "mitigations", read_mitigations(root));
	(void)json_object_set_new(values, "preemption", read_preemption(root, config_path));
	(void)json_object_set_new(values, "pstate_mode", read_pstate_mode(root));
	(void)json_object_set_new(values, "smt_siblings", read_smt_siblings(root, cpu));
	(void)json_object_set_new(values, "swap_areas", read_swap(root));
	(void)json_object_set_new(values, "thp_sizes", read_thp_sizes(root));
	return values;
}

json_t *profile_sort(const json_t *value)
{
	_cleanup_free_ char *text = json_dumps(value, JSON_SORT_KEYS | JSON_ENCODE_ANY);

	return text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
}
