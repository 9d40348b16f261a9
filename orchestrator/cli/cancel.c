// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot cancel`: asks for the end of a job. The daemon cleans up and notes
 * the end itself.
 */
#include "orchestrator/cli/client.h"

static const struct verb_option options[] = {
	{ NULL, NULL, NULL },
};

static int run(const struct cli *cli, int argc, char **argv)
{
	return client_run_verb(cli, &verb_cancel, argc, argv, "cancel", NULL, true);
}

const struct verb verb_cancel = {
	.name = "cancel",
	.synopsis = "cancel JOB",
	.summary = "End a job; the machine goes back to its default kernel",
	.options = options,
	.run = run,
};
