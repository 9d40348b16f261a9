// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A diff applied to files in memory as `git apply` does without fuzz: every line of context
 * must be there; a hunk may have moved, and then the nearest place counts. All or nothing
 * is the caller's: on failure the overlay is of no further use.
 */
#pragma once

#include "orchestrator/work/overlay.h"
#include "orchestrator/work/source_git.h"

/*
 * @text is a git diff, with words of a mail around it. @name ("patch 0001-x.patch") begins
 * every sentence, which names the file and the hunk that does not apply. Refused: binary
 * patches, links, submodules, paths that lead out of the tree.
 */
int patch_apply_text(struct overlay *overlay, const char *text, size_t size, const char *name,
		     struct error *err);

/* The same for a diff that libgit2 made. */
int patch_apply_diff(struct overlay *overlay, git_diff *diff, const char *name,
		     struct error *err);
