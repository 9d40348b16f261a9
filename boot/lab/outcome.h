// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a lab run left on its disk, read after the machine is off.
 */
#pragma once

#include "boot/lab/lab.h"
#include "boot/lab/loader.h"

/*
 * sha256 over the files @names (NULL-terminated) of @directory, each with its length. Caller frees.
 */
int outcome_hash_files(const char *directory, const char *const *names, char **ret_hash,
		       struct error *err);

/*
 * Fetches the store, what jobs kept (RUN/jobs/) and what @loader looks at into the run directory and fills all of the
 * outcome but default_entry_before, serial_path and the times.
 */
int outcome_fetch(const struct lab_loader *loader, const char *disk, const char *run_directory,
		  struct lab_outcome *outcome, struct error *err);
