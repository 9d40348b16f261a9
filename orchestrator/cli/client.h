// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks the queue: the daemon over its socket, or, without a daemon or with --state,
 * the store itself through the same function (orchestrator/work/service.h).
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "common/error.h"
#include "orchestrator/cli/verb.h"

/*
 * One request, one answer; blocks until it is there. A refusal by the queue is a
 * negative errno with its sentence in @err. @create: may make the state directory.
 */
int client_request(const struct cli *cli, const json_t *request, bool create,
		   json_t **ret_reply, struct error *err);

/*
 * The whole of a verb that takes an optional job number: parses the words, asks for
 * @op, prints the answer's "text" (or, with --json, its @json_key). @needs_job: the
 * number must be there.
 */
int client_run_verb(const struct cli *cli, const struct verb *verb, int argc, char **argv,
		    const char *op, const char *json_key, bool needs_job);

/* Prints a JSON value, indented, sorted keys. 0 or 3. */
int client_print_json(const json_t *value);
