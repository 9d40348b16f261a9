// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /lib/modules/RELEASE of a kernel under test, and the config beside it that makers of
 * initrds ask for. Each such directory has a mark of ours, which says whose it is; one
 * without it is somebody else's and is never touched.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define INSTALL_MARK_NAME ".abbot"

/*
 * The mark, lines of text: "key KEY", "job N" for every job that needs it, and "config"
 * when /boot/config-RELEASE is ours too.
 */
struct install_mark {
	char key[65];
	int64_t *jobs;
	size_t n_jobs;
	bool has_config;
};

void install_mark_done(struct install_mark *mark);

struct install_modules {
	const char *root;    /* "" on a machine */
	const char *release; /* of the kernel */
	const char *key;
	int64_t job;
	const char *source;  /* the stored kernel's modules; NULL: it has none */
	const char *sha256;  /* what module_tree_copy() must find there; NULL with @source */
	const char *config;  /* path of the kernel's config */
};

/*
 * Puts modules and config in place, runs depmod, and notes the job in the mark. Idempotent:
 * appears by rename when it is whole, and is replaced unless another job needs it.
 * -EEXIST: a directory or config of that name is not ours. @log_path gets depmod's words.
 */
int install_modules_put(const struct install_modules *modules, const char *log_path,
			struct error *err);

/*
 * The job needs @release no more: without any other job, all of it is removed. A
 * directory without our mark, or absent, is success and stays.
 */
int install_modules_drop(const char *root, const char *release, int64_t job, struct error *err);

/* 1 and the mark, the caller's to install_mark_done(); 0: absent; -EEXIST: not ours. */
int install_mark_read(const char *root, const char *release, struct install_mark *ret_mark,
		      struct error *err);

/* Releases whose directory has our mark: NULL-terminated, released by install_names_done(). */
int install_modules_list(const char *root, char ***ret_releases, struct error *err);
void install_names_done(char ***names);

/* Of every release, what @job alone needs, and what crashes left. Goes on after a failure; the first error is told. */
int install_modules_drop_job(const char *root, int64_t job, struct error *err);

/* "ROOT/lib/modules" and "ROOT/boot/config-RELEASE"; the caller's to free. */
char *install_modules_directory(const char *root);
char *install_config_path(const char *root, const char *release);
