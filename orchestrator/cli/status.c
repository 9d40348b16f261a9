// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot status`: where a job is now, once or until it ends. The words come from the
 * queue; this file only asks again and redraws.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/client.h"

#define WATCH_INTERVAL_S 5

static const struct verb_option options[] = {
	{ "--json", NULL, "print JSON instead of text" },
	{ "--watch", NULL, "look again every 5 seconds until the job has ended" },
	{ NULL, NULL, NULL },
};

/* Redraws on a terminal; elsewhere prints what differs from last time. */
static int show(const json_t *reply, bool as_json, bool redraws, char **last)
{
	const char *text = json_string_value(json_object_get(reply, "text"));

	if (as_json)
		return client_print_json(json_object_get(reply, "status"));
	if (!text || (*last && strcmp(*last, text) == 0))
		return 0;
	if (redraws)
		(void)fputs("\033[H\033[2J", stdout);
	if (fputs(text, stdout) < 0 || fflush(stdout) != 0)
		return 3;
	free(*last);
	*last = text_duplicate(text);
	return 0;
}

static int run(const struct cli *cli, int argc, char **argv)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	_cleanup_json_ json_t *request = json_pack("{s:s}", "op", "status");
	_cleanup_free_ char *last = NULL;
	struct error err;
	bool watches, as_json;
	int64_t job;

	if (cli_arguments_parse(&verb_status, argc, argv, &arguments, &err) < 0)
		return cli_fail_usage(&verb_status, &err);
	if (arguments.n_words > 1) {
		(void)error_set(&err, -EINVAL, "status takes one job number");
		return cli_fail_usage(&verb_status, &err);
	}
	if (arguments.n_words == 1) {
		if (cli_parse_job(arguments.words[0], &job, &err) < 0)
			return cli_fail_usage(&verb_status, &err);
		(void)json_object_set_new(request, "job", json_integer(job));
	}
	watches = cli_arguments_get(&arguments, "--watch") != NULL;
	as_json = cli_arguments_get(&arguments, "--json") != NULL;
	for (;;) {
		_cleanup_json_ json_t *reply = NULL;
		int r = client_request(cli, request, false, &reply, &err);

		if (r < 0)
			return cli_fail(r, &err);
		r = show(reply, as_json, watches && isatty(STDOUT_FILENO), &last);
		if (r != 0)
			return r;
		if (!watches || json_is_true(json_object_get(json_object_get(reply, "status"),
							     "is_ended")))
			return 0;
		(void)sleep(WATCH_INTERVAL_S);
	}
}

const struct verb verb_status = {
	.name = "status",
	.synopsis = "status [--watch] [--json] [JOB]",
	.summary = "Say where a job is now and what comes next",
	.options = options,
	.run = run,
};
