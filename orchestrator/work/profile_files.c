// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Small files below a root. What is done with their content is for profile.c and
 * profile_facts.c.
 */
#include "orchestrator/work/profile_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define FILE_MAX_BYTES (8U << 20) /* /proc/cpuinfo of the largest machines */
#define CPU_NUMBER_MAX 65535

char *profile_file_read(const char *root, const char *path)
{
	_cleanup_free_ char *whole = text_format("%s/%s", root, path);
	_cleanup_free_ char *text = NULL;

	if (file_read(whole, FILE_MAX_BYTES, &text, NULL, NULL) < 0)
		return NULL;

	const char *stripped = text_strip(text);

	return *stripped ? text_duplicate(stripped) : NULL;
}

char *profile_file_read_selected(const char *root, const char *path)
{
	_cleanup_free_ char *text = profile_file_read(root, path);
	char *open = text ? strpbrk(text, "[(") : NULL;

	if (!open)
		return NULL;
	open++;
	open[strcspn(open, "])")] = '\0';
	return text_duplicate(open);
}

static int compare_numbers(const void *a, const void *b)
{
	long left = *(const long *)a;
	long right = *(const long *)b;

	return (left > right) - (left < right);
}

/* Numbers of the directories cpuN below @root, ascending; the caller's. NULL when there is none. */
static long *profile_list_cpus(const char *root, size_t *ret_n_cpus)
{
	_cleanup_free_ char *path = text_format("%s/sys/devices/system/cpu", root);
	_cleanup_free_ long *cpus = NULL;
	size_t n = 0;
	struct dirent *entry;
	DIR *directory = opendir(path);

	while (directory && (entry = readdir(directory))) {
		int64_t number;

		if (!text_has_prefix(entry->d_name, "cpu") ||
		    text_parse_i64(entry->d_name + 3, 0, CPU_NUMBER_MAX, &number) < 0)
			continue;

		long *grown = reallocarray(cpus, n + 1, sizeof(*cpus));

		if (!grown)
			break;
		cpus = grown;
		cpus[n++] = (long)number;
	}
	if (directory)
		(void)closedir(directory);
	if (n > 0)
		qsort(cpus, n, sizeof(*cpus), compare_numbers);
	*ret_n_cpus = n;
	return TAKE_PTR(cpus);
}

char *profile_cpu_path(const char *root, const char *cpu, const char *file)
{
	return text_format("%s/sys/devices/system/cpu/%s/cpufreq/%s", root, cpu, file);
}

json_t *profile_read_cpus(const char *root, const char *file)
{
	size_t n_cpus = 0;
	_cleanup_free_ long *cpus = profile_list_cpus(root, &n_cpus);
	_cleanup_json_ json_t *values = json_object();

	for (size_t i = 0; i < n_cpus; i++) {
		_cleanup_free_ char *name = text_format("cpu%ld", cpus[i]);
		_cleanup_free_ char *path = profile_cpu_path("", name, file);
		_cleanup_free_ char *value = profile_file_read(root, path);

		/* An offline CPU has the directory, but answers with an error. */
		if (value)
			(void)json_object_set_new(values, name, json_string(value));
	}
	return json_object_size(values) > 0 ? TAKE_PTR(values) : json_null();
}
