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
 * {"bench": <abbot-bench's JSON>, "status": "ok"|"unexpected", "value": headline metric,
 * "wall_time_s"}. Exit 3 of the bench is "unexpected" with its reason under "reason".
 * Any other failure is negative with the bench's own sentence.
 */
int measure_process(const struct job *job, json_t **ret_result, struct error *err);

/*
 * Knobs as they are: {"governor": {"cpu0": "powersave",..}|null, "turbo": ..., "epp": ...}.
 * A knob that this machine lacks is null, "not available", never "ok". @root stands for /.
 */
int profile_read(const char *root, const struct job *job, json_t **ret_saved, struct error *err);
/* Sets what the job asks for, reads back: {"in_force": {...}, "not_available": [...]}. In force also
 * holds what is only recorded and must be equal on all points (THP, ASLR, mitigations, microcode, ...). */
int profile_apply(const char *root, const struct job *job, json_t **ret_result, struct error *err);
int profile_restore(const char *root, const json_t *saved, json_t **ret_result, struct error *err);
