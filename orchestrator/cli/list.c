// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot list`: one line a job.
 */
#include "orchestrator/cli/client.h"

static const struct verb_option options[] = {
	{ "--json", NULL, "print JSON instead of text" },
	{ NULL, NULL, NULL },
};

static int run(const struct cli *cli, int argc, char **argv)
{
	return client_run_verb(cli, &verb_list, argc, argv, "list", "jobs", false);
}

const struct verb verb_list = {
	.name = "list",
	.synopsis = "list [--json]",
	.summary = "List all jobs",
	.options = options,
	.run = run,
};
