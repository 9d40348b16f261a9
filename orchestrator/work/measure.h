// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One process of the workload on the machine as the profile left it: abbot-bench,
 * pinned, with a time limit; and the machine profile itself.
 */
#pragma once

#include <jansson.h>

#include "common/error.h"
#include "queue/job.h"

/*
 * Workload @index of the job, as job_bench_at() has it: {"bench": <abbot-bench's JSON>, "status":
 * "ok"|"unexpected", "value": headline metric, "wall_time_s", "workload": its name in the job}.
 * The value is the mean of its metric, a real. Exit 3 of the bench is
 * "unexpected" with its sentence under "reason" and a null value: a number from a wrong state
 * is never one. Any other failure is negative with the bench's own sentence: -EINVAL what it
 * refuses, -ETIMEDOUT, -EPROTO a crash, -EBADMSG output that is no result. The program is
 * the one of common/paths.h, or $ABBOT_BENCH. Blocks until it has ended.
 */
int measure_process(const struct job *job, size_t index, json_t **ret_result, struct error *err);

/*
 * What profile_apply() would change, as it is now: {"governor": {"cpu0": "powersave",..}|null,
 * "epp": {"cpu0": "balance_performance",..}|null, "turbo": "on"|"off"|null}. A knob that this machine
 * lacks is null, "not available", never "ok"; one that the job keeps is not there. @root stands for /
 * ("" and "/" are the machine itself).
 */
int profile_read(const char *root, const struct job *job, json_t **ret_saved, struct error *err);

/*
 * Sets what the job asks for, reads back: {"in_force": {...}, "not_available": [...]}. In force also
 * holds what is only recorded and must be equal on all points (THP, ASLR, mitigations, microcode, ...);
 * its keys are sorted, and it holds nothing that changes between boots of an unchanged
 * machine. @config_path: the config of the kernel that runs, or NULL; it tells the preemption model where
 * debugfs does not. -EINVAL: this CPU driver does not offer what the job asks for; -EIO: it was
 * written but is not what is read back. After a failure profile_restore() is still due.
 */
int profile_apply(const char *root, const struct job *job, const char *config_path,
		  json_t **ret_result, struct error *err);

/*
 * Puts back what profile_read() saved, reads back: {"restored": [names that had to be changed],
 * "missing": [CPUs that are gone]}. Goes on after a failure, and returns the first one.
 */
int profile_restore(const char *root, const json_t *saved, json_t **ret_result, struct error *err);
