// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The default normalisation: which symbols every Abbot kernel has set in one known
 * way, and why. Pure.
 */
#pragma once

#include <jansson.h>

#include "configs/kernel_config.h"

/* Who asked for a symbol's value, for the assertion after olddefconfig. */
struct normalise_request {
	char *name;
	char *value;
	bool must_hold; /* false: best effort (a symbol that older trees lack) */
	char *why;
};

struct normalise_requests {
	struct normalise_request *requests;
	size_t n_requests;
};

/*
 * Applies @fragments (parsed) then the policy table to @config, in place, and records
 * each request. @preempt: "auto" leaves the model alone but for PREEMPT_DYNAMIC.
 */
int normalise_apply(struct kernel_config *config, const struct kernel_config *fragments,
		    size_t n_fragments, const char *preempt,
		    struct normalise_requests *ret_requests, struct error *err);
void normalise_requests_done(struct normalise_requests *requests);

/* After olddefconfig: -EPERM naming each requested symbol that did not hold, and its value now. */
int normalise_assert(const struct kernel_config *config,
		     const struct normalise_requests *requests, struct error *err);
