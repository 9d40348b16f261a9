// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Built kernels by content: STATE/kernels/KEY/{bzImage,config,meta.json,build.log,modules/}.
 * modules/ is what belongs in /lib/modules/RELEASE, where the config has modules.
 * A key's directory appears by rename when it is complete, and never changes after.
 *
 * meta.json: {"status":"built"|"failed","key","commit","tree","title","release","build_id","code_id",
 *   "image":"bzImage","image_sha256","vmlinux_sha256","config_sha256","compiler","binutils",
 *   "arch","kcflags","cpu_time_s","wall_time_s","reused":bool,"error":"log's last lines",
 *   "modules":{"count","bytes","sha256"}}
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "common/error.h"

#define KERNEL_STORE_MODULES "modules"

/* 0 and the meta object; -ENOENT when there is none. Checks image_sha256 against the image. */
int kernel_store_find(const char *state_directory, const char *key, json_t **ret_meta,
		      struct error *err);
/* Path of a file of a stored kernel ("bzImage"); caller frees. The key is checked to be hex. */
char *kernel_store_path(const char *state_directory, const char *key, const char *file);
/* An empty private directory to fill; kernel_store_commit() renames it into place. */
int kernel_store_stage(const char *state_directory, const char *key, char **ret_directory,
		       struct error *err);
int kernel_store_commit(const char *state_directory, const char *key, const char *directory,
			const json_t *meta, struct error *err);
