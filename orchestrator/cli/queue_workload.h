// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of `abbot queue`: --workload given more than once.
 */
#pragma once

#include "orchestrator/cli/arguments.h"
#include "queue/job.h"

/* --workload, or one of the options that belong to the last --workload before them. */
bool queue_is_workload_option(const char *name);

/* Adds a workload to @job, or says more about the last one. -EINVAL with a sentence. */
int queue_set_workload(struct job *job, const struct cli_option *option, struct error *err);
