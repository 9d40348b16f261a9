// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a tree fit to be checked out? For checkout.c only; called inside its child process.
 */
#pragma once

#include "orchestrator/work/source_git.h"

/*
 * Reads @tree and all below it. -EINVAL for what git itself never makes and libgit2 does
 * not refuse: two entries of one name (a link and a directory: the files would land where
 * the link leads), names with a slash, "..", ".git"; and for more entries than a kernel has.
 */
int checkout_tree_check(git_repository *repository, const git_tree *tree, struct error *err);
