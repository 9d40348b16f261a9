// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One kernel on its way into the store, and its two ends. For build.c only.
 */
#pragma once

#include "common/digest.h"
#include "orchestrator/work/build_make.h"
#include "orchestrator/work/kernel_key.h"

/* Everything about one kernel between "what is its key" and "it is in the store". */
struct kernel_work {
	const struct build_context *context;
	const struct job *job;
	const struct job_point *point;
	struct build_site site;
	char *config_path;
	char config_sha256[DIGEST_HEX_SIZE];
	size_t n_symbols_on;
	bool has_modules;
	char key[DIGEST_HEX_SIZE];
	char local_version[KERNEL_KEY_LOCAL_VERSION_SIZE];
	char *stage;
	char *log;
	struct build_made made;
};

/* -EPROTO with the sentence for a commit that does not build, from its stored meta. */
int build_result_failure_sentence(const json_t *meta, const struct job_point *point,
				  struct error *err);

/*
 * make said no. A fault of this machine (space, memory, killed) is an error and leaves no
 * record; any other is recorded in the store: *ret_meta is set and -EPROTO returned.
 */
int build_result_failure(const struct kernel_work *work, json_t **ret_meta, struct error *err);

/* Image, ids and hashes into the store; *ret_meta is what was stored. */
int build_result_success(const struct kernel_work *work, json_t **ret_meta, struct error *err);
