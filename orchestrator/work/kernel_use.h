// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who needs which kernel, and what of Abbot's is on the machine though no job needs it
 * any more. For the "kernels" operations.
 */
#pragma once

#include <stdbool.h>

#include "orchestrator/work/service_internal.h"

struct kernel_use_row {
	int64_t job;
	char key[65];
};

struct kernel_use {
	struct kernel_use_row *needed; /* by jobs that have not ended */
	size_t n_needed;
	struct kernel_use_row *known;  /* kernels of every job of this machine, ended or not */
	size_t n_known;
	int64_t *open_jobs;            /* of this machine, not ended */
	size_t n_open_jobs;
	int64_t building_job;          /* its kernels are not all known yet; 0: none */
	char **entries;                /* our boot entries; NULL-terminated */
	char **releases;               /* our module directories; NULL-terminated */
};

/* Without service->root, entries and releases are empty. Blocks on the disk. */
int kernel_use_load(const struct service *service, struct kernel_use *ret_use, struct error *err);
void kernel_use_done(struct kernel_use *use);

/* The first job that has not ended and needs it, or 0. */
int64_t kernel_use_needed_by(const struct kernel_use *use, const char *key);
/* It has a boot entry or modules on this machine. */
bool kernel_use_is_installed(const struct service *service, const struct kernel_use *use,
			     const char *key);

/*
 * Sentences about entries and module directories that no open job needs; with @removes
 * they are taken away, each only if it is ours. A new array, also after an error.
 */
json_t *kernel_use_orphans(const struct service *service, const struct kernel_use *use,
			   bool removes, int *ret_status, struct error *err);
