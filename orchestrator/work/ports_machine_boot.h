// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside of ports_machine: the ports that go to the boot loader. See ports.h for what
 * each must do.
 */
#pragma once

#include "orchestrator/work/ports_machine.h"

struct ports_machine {
	char *root;            /* of struct boot_paths; "" on a machine */
	char *boot_loader;     /* likewise */
	char *state_directory;
};

/* ports_machine_bisect.c */
int machine_range(void *context, const struct run_state *state, json_t **ret_result, struct error *err);
int machine_select(void *context, const struct run_state *state, size_t commit, json_t **ret_result,
		   struct error *err);

int machine_install(void *context, const struct run_state *state, int point,
		    json_t **ret_result, struct error *err);
int machine_arm(void *context, const char *entry, const char *token, json_t **ret_result,
		struct error *err);
int machine_disarm(void *context, struct error *err);
int machine_remove_entries(void *context, const struct run_state *state, json_t **ret_result,
			   struct error *err);
