// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bisection's state as the plain steps that reports/render/bisect_story.h tells.
 */
#pragma once

#include "common/error.h"
#include "queue/run_state.h"
#include "reports/render/bisect_story.h"

struct bisect_tale {
	struct bisect_story story; /* points into the rest */
	char *ids;
	struct bisect_story_commit *commits;
	struct bisect_step *steps;
	struct change_point_found *found; /* without the twins at either side of a pair */
	double found_p;            /* of the first found pair, of all boots; 0: none found */
};

/*
 * @state must have its line of commits, and stays the caller's: texts are borrowed. @unit
 * is that of the values. Released by bisect_tale_done(). -ENOMEM.
 */
int bisect_tale_make(const struct run_state *state, const char *unit, struct bisect_tale *ret_tale,
		     struct error *err);
void bisect_tale_done(struct bisect_tale *tale);
