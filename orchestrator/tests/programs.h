// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For tests of the built programs: where they are, running them, a small git
 * repository with a tree that looks like a kernel's.
 */
#pragma once

#include <stddef.h>

struct program_output {
	char *output;       /* standard output */
	char *error_output;
	int exit_status;
};

/* "BUILD/abbot" of the build that this test belongs to; static storage. */
const char *programs_path(const char *name);
/* A file of the source tree; the caller's to free. */
char *programs_source_file(const char *name);

/* Runs argv (NULL-terminated, argv[0] a path or in PATH) in @directory (or NULL). */
struct program_output programs_run(const char *directory, const char *const *argv);
void program_output_done(struct program_output *output);

#define RUN(directory, ...) programs_run(directory, (const char *const[]){ __VA_ARGS__, NULL })

/* DIRECTORY: two commits, "base" and "mm: change it"; the second is HEAD and branch main. */
void programs_make_repository(const char *directory);
