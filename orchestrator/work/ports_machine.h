// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ports of a real machine: boot loader, builds, benchmark, reboot.
 */
#pragma once

#include "boot/boot_loader.h"
#include "common/error.h"
#include "orchestrator/work/ports.h"
#include "queue/run_state.h"

/*
 * *ret_ports is released by ports_machine_free(). Looks at nothing yet. @paths, which is
 * copied, says where the machine is ("" but in tests) and which boot loader to use.
 */
int ports_machine_new(const struct boot_paths *paths, const char *state_directory,
		      struct ports **ret_ports, struct error *err);
void ports_machine_free(struct ports *ports);

/*
 * The boot entry of a point: "abbot-JOB-NAME", other characters than lower-case letters,
 * digits and '-' replaced, and then told apart by "-pINDEX". Always a valid id.
 */
void ports_machine_entry_id(const struct run_state *state, int point,
			    char ret_id[BOOT_ENTRY_SIZE]);

/* The job of such an id; 0 when it is none. */
int64_t ports_machine_entry_job(const char *id);
