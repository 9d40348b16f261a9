// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot resume`: lets a paused job go on.
 */
#include "orchestrator/cli/client.h"

static const struct verb_option options[] = {
	{ NULL, NULL, NULL },
};

static int run(const struct cli *cli, int argc, char **argv)
{
	return client_run_verb(cli, &verb_resume, argc, argv, "resume", NULL, true);
}

const struct verb verb_resume = {
	.name = "resume",
	.synopsis = "resume JOB",
	.summary = "Go on with a paused job",
	.options = options,
	.run = run,
};
