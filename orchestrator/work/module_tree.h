// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel's modules as a tree of plain files: copied with every name and type checked,
 * because a build script or a stranger may have filled it, and hashed on the way.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/digest.h"
#include "common/error.h"

struct module_tree {
	size_t n_files;
	uint64_t n_bytes;
	char sha256[DIGEST_HEX_SIZE]; /* over every path, size and content, in order of the names */
};

struct module_tree_source {
	const char *directory; /* what make calls MODLIB, or a copy of it */
	bool checks_owner;     /* refuse files that are not @uid's */
	uid_t uid;
};

/*
 * Copies the tree to @to, which is made and must not exist yet. The links "build" and
 * "source" are left out; any other link, device, strange name, or a tree too large is
 * -EPERM. Modes are 0755 and 0644 whatever they were. Everything is on the disk at the
 * end. Blocks; on failure a part of @to may be there.
 */
int module_tree_copy(const struct module_tree_source *source, const char *to,
		     struct module_tree *ret_tree, struct error *err);
