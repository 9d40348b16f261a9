// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot simulate`: how well Abbot's own decisions do on machines that are made up. Needs
 * no queue, no daemon and no privilege. Each subject has its own file.
 */
#include "orchestrator/cli/simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

static const struct verb_option options[] = {
	{ "--commits", "N", "bisect: commits from good to bad" },
	{ "--step", "PCT", "bisect: what the culprit changes; 0: there is none" },
	{ "--unbuildable", "PCT", "bisect: commits that do not build; 5 unless said" },
	{ "--commit-sd", "PCT", "bisect: what a commit changes by itself; 0 unless said" },
	{ "--seeds", "K", "bisect: histories to simulate; 1000 unless said" },
	{ "--json", NULL, "bisect: print JSON instead of text" },
	{ "--change", "PCT", "verdict: true change of the child; 2 unless said" },
	{ "--processes", "N", "verdict: processes in each boot; 15 unless said" },
	{ "--threshold", "PCT", "verdict: smallest change worth one; 2 unless said" },
	{ "--boots", "N", "verdict: boots before the first look; 7 unless said" },
	{ "--boots-max", "N", "verdict: most boots, four more at a look; 23, or --boots" },
	{ "--history-sd", "PCT", "verdict: scatter between boots that earlier jobs measured" },
	{ "--history-df", "N", "verdict: its degrees of freedom; 20 unless said" },
	{ "--runs", "N", "verdict: jobs to simulate; 1000 unless said" },
	{ "--boot-sd", "PCT", "SD between boots of one kernel; verdict: 0.7 unless said" },
	{ "--process-sd", "PCT", "SD between the processes of a boot; 1 unless said" },
	{ "--drift", "PCT", "each boot against the one before; 0.1 unless said" },
	{ "--outliers", "PCT", "boots that come out 10 % slower; bisect 2, verdict 0 unless said" },
	{ "--seed", "S", "the same number gives the same worlds; 1 unless said" },
	{ NULL, NULL, NULL },
};

static const char *const names[] = { "bisect", "verdict", NULL };

/* In the order of the names. */
static int (*const subjects[])(const struct cli_arguments *, struct error *) = {
	simulate_bisect,
	simulate_verdicts,
};

static int subject_find(const struct cli_arguments *arguments, struct error *err)
{
	const char *nearest;

	if (!arguments->n_words)
		return error_set(err, -EINVAL, "say what to simulate: %s or %s", names[0], names[1]);
	if (arguments->n_words > 1)
		return error_set(err, -EINVAL, "\"%s\" is one word too many", arguments->words[1]);
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], arguments->words[0]) == 0)
			return i;
	nearest = text_nearest(arguments->words[0], names);
	return error_set(err, -EINVAL, "nothing called \"%s\" can be simulated; did you mean \"%s\"?",
			 arguments->words[0], nearest ? nearest : names[0]);
}

int simulate_number(const struct cli_arguments *arguments, const char *name, double otherwise,
		    double *ret_value, struct error *err)
{
	const char *word = cli_arguments_get(arguments, name);

	*ret_value = otherwise;
	if (word && text_parse_double(word, ret_value) < 0)
		return error_set(err, -EINVAL, "%s %s: give a number", name, word);
	return 0;
}

int simulate_count(const struct cli_arguments *arguments, const char *name, int64_t otherwise,
		   int64_t minimum, int64_t maximum, int64_t *ret_value, struct error *err)
{
	const char *word = cli_arguments_get(arguments, name);

	*ret_value = otherwise;
	if (word && text_parse_i64(word, minimum, maximum, ret_value) < 0)
		return error_set(err, -EINVAL,
				 "%s %s: give a whole number from %" PRIi64 " to %" PRIi64, name,
				 word, minimum, maximum);
	return 0;
}

static int run(const struct cli *cli, int argc, char **argv)
{
	struct cli_arguments arguments _cleanup_arguments_ = { 0 };
	struct error err = { "" };
	int r;

	(void)cli;
	r = cli_arguments_parse(&verb_simulate, argc, argv, &arguments, &err);
	if (r == 0)
		r = subject_find(&arguments, &err);
	if (r >= 0)
		r = subjects[r](&arguments, &err);
	if (r == -EINVAL)
		return cli_fail_usage(&verb_simulate, &err);
	return r < 0 ? cli_fail(r, &err) : 0;
}

const struct verb verb_simulate = {
	.name = "simulate",
	.synopsis = "simulate bisect|verdict [OPTION...]",
	.summary = "Try a decision on machines that are made up",
	.options = options,
	.words = names,
	.run = run,
};
