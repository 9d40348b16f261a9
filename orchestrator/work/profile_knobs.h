// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The knobs below /sys that the machine profile sets, for profile.c only.
 */
#pragma once

#include <jansson.h>

#include "common/error.h"

/*
 * Writes only where the value differs, so that a machine that is as it should be is not
 * touched, and reads back: some drivers accept a write and ignore it (-EIO).
 * 1: changed; 0: it was so already.
 */
int profile_set_verified(const char *path, const char *value, struct error *err);

/*
 * The same value in cpufreq/@file of every CPU that has it. -EINVAL: not a word of
 * cpufreq/@list_file of that CPU.
 */
int profile_cpus_set(const char *root, const char *file, const char *list_file,
		     const char *value, struct error *err);

/* "on", "off", or null where there is no such knob. */
json_t *profile_turbo_read(const char *root);
/* As profile_set_verified(); 0 where there is no such knob. */
int profile_turbo_set(const char *root, const char *wanted, struct error *err);
