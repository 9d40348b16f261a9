// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hunks of one file's patch. For patch.c only.
 */
#pragma once

#include <git2.h>

#include "common/error.h"
#include "common/text.h"

/*
 * Appends to @after what the hunks of @patch make of @before (@size bytes). -EINVAL with a
 * sentence "PATH: hunk 2 ..." for one that does not fit.
 */
int patch_hunks_apply(git_patch *patch, const char *path, const char *before, size_t size,
		      struct text_buffer *after, struct error *err);
