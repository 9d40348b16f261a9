// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the small files of /sys and /proc below a root, for the machine profile only.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* The stripped text of a file; NULL if it is not there or empty. The caller's. */
char *profile_file_read(const char *root, const char *path);

/* "always [madvise] never" -> "madvise", "none (lazy) full" -> "lazy"; NULL as above or without brackets. */
char *profile_file_read_selected(const char *root, const char *path);

/* {"cpu0": text,..} of sys/devices/system/cpu/cpuN/cpufreq/@file; null when no CPU has it. */
json_t *profile_read_cpus(const char *root, const char *file);

/* The path of that file for one CPU, the caller's. */
char *profile_cpu_path(const char *root, const char *cpu, const char *file);
