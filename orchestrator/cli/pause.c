// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot pause`: asks for a pause. The daemon brings the machine back to its
 * default kernel first.
 */
#include "orchestrator/cli/client.h"

static const struct verb_option options[] = {
	{ NULL, NULL, NULL },
};

static int run(const struct cli *cli, int argc, char **argv)
{
	return client_run_verb(cli, &verb_pause, argc, argv, "pause", NULL, true);
}

const struct verb verb_pause = {
	.name = "pause",
	.synopsis = "pause JOB",
	.summary = "Stop a job where it is until it is resumed",
	.options = options,
	.run = run,
};
