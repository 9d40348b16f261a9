// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ports of a real machine: boot loader, builds, benchmark, reboot.
 */
#pragma once

#include "boot/boot_loader.h"
#include "common/error.h"
#include "orchestrator/work/ports.h"
#include "queue/run_state.h"

/* *ret_ports is released by ports_machine_free(). Looks at nothing yet. */
int ports_machine_new(const char *state_directory, struct ports **ret_ports, struct error *err);
void ports_machine_free(struct ports *ports);

/* As ports_machine_new(), with the boot loader and observation under @root (tests). */
int ports_machine_new_at(const char *root, const char *state_directory,
			 struct ports **ret_ports, struct error *err);

/*
 * The boot entry of a point: "abbot-JOB-NAME", other characters than letters, digits and
 * '-' replaced, and then told apart by "-pINDEX". Always a valid id.
 */
void ports_machine_entry_id(const struct run_state *state, int point,
			    char ret_id[BOOT_ENTRY_SIZE]);

/* The job of such an id; 0 when it is none. */
int64_t ports_machine_entry_job(const char *id);
