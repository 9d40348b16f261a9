// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a lab run left on its disk, read after the machine is off.
 */
#pragma once

#include "boot/lab/lab.h"

/* sha256 over the default boot's files: grub.cfg, then the environment block. */
char *outcome_hash_default(const void *config, size_t config_size, const void *environment,
			   size_t environment_size);

/*
 * Fetches the store and /boot into @run_directory and fills all of the outcome but
 * default_entry_before, serial_path and the times.
 */
int outcome_fetch(const char *disk, const char *run_directory, struct lab_outcome *outcome,
		  struct error *err);

/* abbot-* names in a copy of /boot, and entry ids in its custom.cfg; apart for tests. */
int outcome_find_leftovers(const char *boot, char ***ret_names, struct error *err);
/* Nothing armed in our environment block; true when there is no block. */
int outcome_is_one_shot_empty(const char *boot, bool *ret_is_empty, struct error *err);
