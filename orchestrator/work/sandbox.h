// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sandbox around what a kernel tree brings along (Makefiles, scripts): bubblewrap, run by
 * the user who has no rights, with no network, nobody else's processes, a read-only system,
 * and private /tmp, /run and homes. Limits of memory, processes and file sizes are the
 * caller's, in struct subprocess_options.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "common/subprocess.h"

struct sandbox_place {
	const char *path;  /* absolute, no link in it; one that does not exist is left out */
	bool is_writable;  /* else it is only shown, where it would be hidden */
};

/*
 * Can it be made for the user of @as (change_user, uid, gid)? 0, or -EOPNOTSUPP with the
 * reason and what to do. Runs bwrap once; some 20 ms.
 */
int sandbox_check(const struct subprocess_options *as, struct error *err);

/*
 * Runs @options->argv in it, with @places in the given order: a later one may be within an
 * earlier one. As subprocess_run(); a signal that ended the program is a signal here, too.
 */
int sandbox_run(const struct subprocess_options *options, const struct sandbox_place *places,
		size_t n_places, struct subprocess_result *ret_result, struct error *err);
