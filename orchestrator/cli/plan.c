// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot plan`: what a job will do from here on. Nothing is done; the
 * plan itself is made by orchestrator/work/service_plan.c.
 */
#include "orchestrator/cli/client.h"

static const struct verb_option options[] = {
	{ "--json", NULL, "print JSON instead of text" },
	{ NULL, NULL, NULL },
};

static int run(const struct cli *cli, int argc, char **argv)
{
	return client_run_verb(cli, &verb_plan, argc, argv, "plan", "plan", false);
}

const struct verb verb_plan = {
	.name = "plan",
	.synopsis = "plan [--json] [JOB]",
	.summary = "Say what a job will build and boot, in order, and how long it takes",
	.options = options,
	.run = run,
};
