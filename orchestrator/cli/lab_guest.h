// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the lab's guest starts with: a state directory with the resolved jobs, their
 * points naming built kernels, and those kernels.
 */
#pragma once

#include "common/error.h"
#include "queue/run_state.h"

/* @directory is made anew. The guest's job states[i] has the number LAB_GUEST_JOB + i. Blocks on disk. */
#define LAB_GUEST_JOB 1
int lab_guest_make_state(const struct run_state *states, size_t n_states,
			 const char *state_directory, const char *directory, struct error *err);
