// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where and as whom a repository's kernels are built: directories, build user,
 * toolchain, and make with a clean environment. For the build*.c files only.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/subprocess.h"
#include "orchestrator/work/build.h"
#include "orchestrator/work/sandbox.h"
#include "orchestrator/work/toolchain.h"

struct build_site {
	char *state_directory; /* its real path */
	char *directory;  /* STATE/build/HASH */
	char *source;     /* DIRECTORY/src: root's (or one's own), read only to the build user */
	char *objects;    /* DIRECTORY/obj: the build user's, as are the next two */
	char *scratch;    /* DIRECTORY/conf: object directory for configs only */
	char *modules;    /* DIRECTORY/mods: what modules_install makes, while it is taken */
	char *ccache;     /* STATE/ccache */
	char *marker;     /* DIRECTORY/build-in-progress */
	char *request;    /* DIRECTORY/requested.config: what olddefconfig starts from */
	char *architecture;
	struct toolchain toolchain;
	char *no_sandbox; /* why builds here run without one; NULL: they have one */
	uint64_t max_memory_bytes;
	long long reserved_bytes;
	bool change_user;
	uid_t uid;
	gid_t gid;
};

/* STATE/build/HASH of a repository; NULL when either is not there. The caller's to free. */
char *build_site_directory(const char *state_directory, const char *repository);

/*
 * Makes the directories for @job's repository; refuses without a build user (root), compiler,
 * space, or a sandbox that the job requires.
 */
int build_site_open(const struct build_context *context, const struct job *job,
		    struct build_site *ret_site, struct error *err);
void build_site_done(struct build_site *site);

/* mkdir -p, and the last one given to the build user. */
int build_site_own_directory(const struct build_site *site, const char *path, struct error *err);

/* Checks out @tree and proves that the build user can read it. */
int build_site_checkout(const struct build_site *site, const char *repository, const char *tree,
			struct error *err);

/*
 * Runs @options->argv as the build user with the clean environment, in the sandbox if there is
 * one; as subprocess_run().
 */
int build_site_run(const struct build_site *site, struct subprocess_options *options,
		   struct subprocess_result *ret_result, struct error *err);

/*
 * Contents of a file that the build user owns, read as that user: a link planted by a
 * build script leads nowhere that the build user could not go.
 */
int build_site_read(const struct build_site *site, const char *path, size_t max_bytes,
		    char **ret_data, size_t *ret_size, struct error *err);
/* The same into a new file @to (mode 0644) of ours. */
int build_site_fetch(const struct build_site *site, const char *path, const char *to,
		     struct error *err);
/* Copies a file that all may read to @path, as the build user. */
int build_site_put(const struct build_site *site, const char *from, const char *path,
		   struct error *err);

/* "CC=gcc" or "CC=ccache gcc". */
const char *build_site_cc(const struct build_site *site);
