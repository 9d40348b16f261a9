// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot log`: the events of a job as readable lines, oldest first; or what the kernel of one
 * of its boots wrote.
 */
#include "orchestrator/cli/client.h"

static const struct verb_option options[] = {
	{ "--boot", "N", "the kernel's log of boot N (from 1), as it was kept" },
	{ "--bisect", NULL, "of a bisection: a log for git bisect replay" },
	{ "--story", NULL, "of a bisection: each step with its reason" },
	{ "--json", NULL, "print JSON instead of text" },
	{ NULL, NULL, NULL },
};

static int run(const struct cli *cli, int argc, char **argv)
{
	return client_run_verb(cli, &verb_log, argc, argv, "log", "events", false);
}

const struct verb verb_log = {
	.name = "log",
	.synopsis = "log [--boot N | --bisect | --story | --json] [JOB]",
	.summary = "Print what happened in a job, line by line",
	.options = options,
	.run = run,
};
