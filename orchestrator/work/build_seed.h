// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a job's configs start from: the seed and the fragments, read once. For the
 * build*.c files only.
 */
#pragma once

#include "configs/kernel_config.h"
#include "orchestrator/work/build_site.h"

struct build_seed {
	char *target;      /* make target; NULL when the seed is a config */
	char *name;        /* for sentences: the path or target */
	struct kernel_config config; /* when target is NULL */
	struct kernel_config *fragments;
	size_t n_fragments;
	char hash[DIGEST_HEX_SIZE]; /* over all of it and the preempt setting */
};

/* Reads seed and fragments, which blocks; *ret_seed is the caller's to build_seed_done(). */
int build_seed_read(const struct job *job, struct build_seed *ret_seed, struct error *err);
void build_seed_done(struct build_seed *seed);

/*
 * The job's fragments, then one of the point's own config edits where it has any. *ret_fragments
 * has *ret_n members that borrow from @seed but for @edits, which is the caller's to
 * kernel_config_done().
 */
int build_seed_fragments(const struct build_seed *seed, const struct job_point *point,
			 struct kernel_config *edits, struct kernel_config **ret_fragments,
			 size_t *ret_n, struct error *err);

/* STATE/configs/HASH.config for one point: the name says everything that made it. */
char *build_seed_config_path(const struct build_seed *seed, const struct build_site *site,
			     const struct job_point *point);
