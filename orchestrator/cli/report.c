// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot report`: the result of a job so far. The figures and their words come
 * from reports/.
 */
#include "orchestrator/cli/client.h"
#include "orchestrator/cli/mail_arguments.h"

static const struct verb_option options[] = {
	{ "--format", "FORMAT", "text, json, tsv, tsv-components, tsv-comparison, tsv-bisection, mail or html; text unless said" },
	{ "--workload", "NAME", "of a job with several workloads, this one alone" },
	CLI_MAIL_OPTIONS,
	{ NULL, NULL, NULL },
};

static int run(const struct cli *cli, int argc, char **argv)
{
	return client_run_verb(cli, &verb_report, argc, argv, "report", NULL, false);
}

const struct verb verb_report = {
	.name = "report",
	.synopsis = "report [OPTION...] [JOB]",
	.summary = "Print a job's result",
	.options = options,
	.run = run,
};
