// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot compare`: two kernels of any jobs, metric by metric.
 */
#include <errno.h>
#include <stdio.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/client.h"

static const struct verb_option options[] = {
	{ "--format", "FORMAT", "text or json; text unless said" },
	{ "--threshold", "PCT", "smallest change worth a verdict, in percent; that of A's job unless said" },
	{ "--workload", "NAME", "of jobs with several workloads, this one alone" },
	{ NULL, NULL, NULL },
};

static void add_text(json_t *request, const struct cli_arguments *arguments, const char *option,
		     const char *key)
{
	const char *value = cli_arguments_get(arguments, option);

	if (value)
		(void)json_object_set_new(request, key, json_string(value));
}

static int run(const struct cli *cli, int argc, char **argv)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	_cleanup_json_ json_t *request = NULL, *reply = NULL;
	struct error err = { "" };
	const char *threshold, *text;
	double pct;
	int r = cli_arguments_parse(&verb_compare, argc, argv, &arguments, &err);

	if (r == 0 && arguments.n_words != 2)
		r = error_set(&err, -EINVAL, "compare takes two kernels of jobs: 1:parent 2:child");
	threshold = r == 0 ? cli_arguments_get(&arguments, "--threshold") : NULL;
	if (threshold && text_parse_double(threshold, &pct) < 0)
		r = error_set(&err, -EINVAL, "--threshold %s: give percent", threshold);
	if (r < 0)
		return cli_fail_usage(&verb_compare, &err);
	request = json_pack("{s:s, s:s, s:s}", "op", "compare", "old", arguments.words[0], "new",
			    arguments.words[1]);
	if (!request)
		return cli_fail_usage(&verb_compare, (error_set(&err, -EINVAL, "the kernels' names are not UTF-8"), &err));
	if (threshold)
		(void)json_object_set_new(request, "threshold_pct", json_real(pct));
	add_text(request, &arguments, "--format", "format");
	add_text(request, &arguments, "--workload", "workload");
	r = client_request(cli, request, false, &reply, &err);
	if (r < 0)
		return cli_fail(r, &err);
	text = json_string_value(json_object_get(reply, "text"));
	return text && (fputs(text, stdout) < 0 || fflush(stdout) != 0) ? 3 : 0;
}

const struct verb verb_compare = {
	.name = "compare",
	.synopsis = "compare [OPTION...] JOB:POINT JOB:POINT",
	.summary = "Compare two kernels of any jobs",
	.options = options,
	.run = run,
};
