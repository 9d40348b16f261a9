// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where Abbot's own files are, installed or in a build of the source tree: the
 * same program finds its companions in both. Never looks in the working directory.
 */
#pragma once

#include "common/error.h"

/*
 * Another program of Abbot, "abbot-bench": beside the running executable, in the
 * build directory that holds it (unit tests), in ../bin from it, then in
 * PREFIX/bin. *ret_path is absolute and the caller's to free. -ENOENT if nowhere.
 */
int paths_program(const char *name, char **ret_path, struct error *err);

/*
 * A file that `make` makes and nobody runs, "abbot-bench-source.tar.gz": the same places,
 * with ../share/abbot for ../bin. *ret_path as above.
 */
int paths_built(const char *name, char **ret_path, struct error *err);

/*
 * A data file or directory, "fragments/lab.config", "systemd/abbotd.service",
 * "examples": below $ABBOT_DATA if that is set (and the program is not setuid),
 * below configs/ of the source tree that holds the build directory, below
 * ../share/abbot from the executable, then below PREFIX/share/abbot.
 * *ret_path is absolute and the caller's to free. -ENOENT if nowhere.
 */
int paths_data(const char *name, char **ret_path, struct error *err);
