// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What Abbot does not set but demands to be equal on every point of a job: huge-page
 * settings, ASLR, mitigations, microcode, preemption, NUMA balancing, swap, KSM, SMT, idle driver.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

/*
 * An object; what this machine does not have is null. @cpu: the measuring one, -1 the highest online.
 * @config_path: as profile_preemption.h has it.
 */
json_t *profile_facts_read(const char *root, int64_t cpu, const char *config_path);

/* A copy with every object's keys in alphabetical order. */
json_t *profile_sort(const json_t *value);
