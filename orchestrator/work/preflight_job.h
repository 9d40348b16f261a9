// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * May this job run on this machine? What `abbot check` refuses, as far as the job needs it.
 */
#pragma once

#include "boot/boot_loader.h"
#include "common/error.h"
#include "queue/run_state.h"

/* A job that is handed in: 0, or -EPERM with what was refused. Blocks. */
int preflight_job_queue(const struct boot_paths *paths, const char *state_directory,
			const struct job *job, struct error *err);

/* A job that begins, or goes on after a pause; likewise. What is built already needs no compiler. */
int preflight_job_begin(const struct boot_paths *paths, const char *state_directory,
			const struct run_state *state, struct error *err);
