// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whom a mail about a commit goes to, as scripts/get_maintainer.pl of the commit's own tree
 * says. That script is anybody's: it runs as nobody in the sandbox (sandbox.h), within limits
 * of time, memory and output, or not at all.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "common/error.h"
#include "queue/job.h"

#define MAINTAINERS_SECONDS 30

struct maintainers_request {
	const char *repository;
	const struct job_point *parent;
	const struct job_point *child;
	const char *tree;       /* absolute: the child's checked-out tree, which all can read */
	const char *scratch;    /* directory of the caller's own for the patch */
	uint64_t timeout_ms;    /* of the script */
};

/*
 * {"to":[..],"cc":[..]}: maintainers and lists or reviewers, in the script's order; or
 * {"note": a sentence}, why nobody is named: the commits are no parent and child, there is no
 * such script, it fails, does not end, or prints what is no recipient. Never NULL; blocks as
 * long as the script runs.
 */
json_t *maintainers_find(const struct maintainers_request *request);

/*
 * The script's output: "NAME <ADDRESS> (ROLE:SUBSYSTEM)", a line each. *ret_recipients is
 * {"to","cc"}. A name that a mail's header cannot hold as it is is left out. -EBADMSG with a
 * sentence for another line, too many lines, or none. Pure.
 */
int maintainers_parse(const char *data, size_t size, json_t **ret_recipients, struct error *err);

/*
 * Writes the patch from @parent to @child of @repository to the file @path. -EPERM: the child
 * is not the parent's next commit, or changes too much for anybody to be named.
 */
int maintainers_write_patch(const char *repository, const char *parent, const char *child,
			    const char *path, struct error *err);
