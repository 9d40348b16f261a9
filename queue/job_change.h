// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a point has beyond its commit, in order: patches, files taken from elsewhere,
 * reverts, config edits, words of the command line. As data; making a tree of them is
 * orchestrator/work/change.h's.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define JOB_CHANGES_MAX 256           /* of one point */
#define JOB_CHANGE_ID_SIZE 65
/* All patches and files of one job together. */
#define JOB_CHANGES_MAX_BYTES (2560 * 1024)

enum job_change_kind {
	JOB_CHANGE_PATCH,    /* what: where it came from, "0001-x.patch" */
	JOB_CHANGE_OVERRIDE, /* "mm/mprotect.c@19999e479c2a" or "mm/mprotect.c@./FILE" */
	JOB_CHANGE_REVERT,   /* a commit */
	JOB_CHANGE_CONFIG,   /* "CONFIG_X=y" */
	JOB_CHANGE_CMDLINE,  /* kernel parameters */
};

struct job_change {
	enum job_change_kind kind;
	char *what;                        /* as the user wrote it */
	char *title;                       /* subject of a patch or reverted commit; NULL: none */
	char id[JOB_CHANGE_ID_SIZE];       /* the commit, once resolved; else "" */
	char content[JOB_CHANGE_ID_SIZE];  /* SHA-256 of the patch or file; else "" */
};

/* A point's list; zeroed is empty. */
struct job_changes {
	struct job_change *items;
	size_t n;
};

/* "patch", "override", "revert", "config-set", "cmdline": keys of [point], static. */
const char *job_change_name(enum job_change_kind kind);
/* -EINVAL for another word. */
int job_change_from_name(const char *name, enum job_change_kind *ret_kind);

/* Appends; the text is copied. -E2BIG beyond JOB_CHANGES_MAX. *ret_change may be NULL. */
int job_changes_add(struct job_changes *changes, enum job_change_kind kind, const char *what,
		    struct job_change **ret_change, struct error *err);
/* Appends copies of all of @from's. */
int job_changes_copy(struct job_changes *changes, const struct job_changes *from,
		     struct error *err);
void job_changes_done(struct job_changes *changes);

/* Is there one that changes the tree; the config? */
bool job_changes_has_tree(const struct job_changes *changes);
bool job_changes_has_config(const struct job_changes *changes);

/*
 * "mm/mprotect.c@19999e479c2a": *ret_path is the caller's, *ret_source points into @what.
 * A source that begins with "/" or "." is a file, anything else a commit.
 */
int job_change_split_override(const char *what, char **ret_path, const char **ret_source,
			      struct error *err);
bool job_change_is_file(const char *source);

/*
 * Could this be a file of a tree: relative, no "..", no ".git", no control characters?
 * What patches name is checked by this, too.
 */
bool job_change_is_path(const char *path);

/* Is it well formed; with @must_be_resolved also pinned? One sentence on failure. */
int job_change_validate(const struct job_change *change, bool must_be_resolved,
			struct error *err);

/* One line for people: "patch 0001-x.patch: mm: batch PTEs". The caller's. */
char *job_change_describe(const struct job_change *change);

/* A list of objects; new reference. */
json_t *job_changes_to_json(const struct job_changes *changes);
/* Strict; appends to @changes. */
int job_changes_from_json(const json_t *json, struct job_changes *changes, struct error *err);
