// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Setting the knobs of the machine profile: each write is checked against what the driver
 * offers, and read back. Which knob gets which value is for profile.c.
 */
#include "orchestrator/work/profile_knobs.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/profile_files.h"

/* Both spellings of turbo: intel_pstate's is negative. */
static const struct turbo_place {
	const char *path;
	const char *on;
	const char *off;
} turbo_places[] = {
	{ "sys/devices/system/cpu/intel_pstate/no_turbo", "0", "1" },
	{ "sys/devices/system/cpu/cpufreq/boost", "1", "0" },
};

/* The place that this machine has, with the state now; NULL when it has none. */
static const struct turbo_place *find_turbo(const char *root, const char **ret_state)
{
	for (size_t i = 0; i < ARRAY_SIZE(turbo_places); i++) {
		_cleanup_free_ char *value = profile_file_read(root, turbo_places[i].path);

		if (!value)
			continue;
		*ret_state = strcmp(value, turbo_places[i].on) == 0 ? "on" : "off";
		return &turbo_places[i];
	}
	return NULL;
}

json_t *profile_turbo_read(const char *root)
{
	const char *state = NULL;

	return find_turbo(root, &state) ? json_string(state) : json_null();
}

int profile_set_verified(const char *path, const char *value, struct error *err)
{
	_cleanup_free_ char *before = profile_file_read("", path);
	int code;

	if (before && strcmp(before, value) == 0)
		return 0;
	code = file_write_knob(path, value, err);
	if (code < 0)
		return code;

	_cleanup_free_ char *after = profile_file_read("", path);

	if (!after || strcmp(after, value) != 0)
		return error_set(err, -EIO, "%s is %s after %s was written to it", path,
				 after ? after : "unreadable", value);
	return 1;
}

int profile_turbo_set(const char *root, const char *wanted, struct error *err)
{
	const char *state = NULL;
	const struct turbo_place *place = find_turbo(root, &state);

	if (!place || strcmp(state, wanted) == 0)
		return 0;

	_cleanup_free_ char *path = text_format("%s/%s", root, place->path);

	return profile_set_verified(path, strcmp(wanted, "on") == 0 ? place->on : place->off, err);
}

/* Is @word one of the words of @list? An absent list offers everything. */
static bool is_offered(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *place = list; place && *place;) {
		size_t size = strcspn(place, " \n");

		if (size == length && strncmp(place, word, length) == 0)
			return true;
		place += size;
		place += strspn(place, " \n");
	}
	return !list;
}

int profile_cpus_set(const char *root, const char *file, const char *list_file,
		     const char *value, struct error *err)
{
	_cleanup_json_ json_t *now = profile_read_cpus(root, file);
	const char *cpu;
	json_t *unused;

	if (json_is_null(now))
		return 0;
	json_object_foreach(now, cpu, unused) {
		_cleanup_free_ char *path = profile_cpu_path(root, cpu, file);
		_cleanup_free_ char *list_path = profile_cpu_path(root, cpu, list_file);
		_cleanup_free_ char *list = profile_file_read("", list_path);

		if (!is_offered(list, value))
			return error_set(err, -EINVAL,
					 "%s cannot be %s: this machine offers %s; "
					 "set governor = keep or one of these in [measure]",
					 path, value, list);

		int code = profile_set_verified(path, value, err);

		if (code < 0)
			return code;
	}
	return 0;
}
