// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes room for a tree in the work tree. For checkout.c only; called inside its child
 * process.
 */
#pragma once

#include "orchestrator/work/source_git.h"

/*
 * Removes below @source every link where @tree has a directory or a file, and whatever
 * else is of another kind and no directory: libgit2 follows a link that an earlier tree
 * left there, and root would write where it leads. @tree was judged by checkout_tree.h.
 */
int checkout_place_clear(git_repository *repository, const git_tree *tree, const char *source,
			 struct error *err);
