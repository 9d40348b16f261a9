// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot watch`: runs on a second machine, asks another one's Abbot where it is, and runs
 * a power-cycle command when that one is silent for too long on its way through a job.
 * When that is, is decided in watch_state.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/log.h"
#include "common/now.h"
#include "common/printable.h"
#include "common/subprocess.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/watch_host.h"

#define CYCLE_TIMEOUT_MS 300000
#define AT_MOST 3
#define DAY_S (24 * 3600)

static const struct verb_option options[] = {
	{ "--at-most", "N", "runs of COMMAND for one job (3)" },
	{ "--connect-command", "PROGRAM", "ask by PROGRAM HOST instead of ssh" },
	{ "--dry-run", NULL, "say when COMMAND would be run; never run it" },
	{ "--every", "TIME", "between two looks (10s)" },
	{ "--pause", "TIME", "between two runs of COMMAND (as long as the silence)" },
	{ "--silence", "TIME", "longest silence (what HOST says of its job)" },
	{ "--until-idle", NULL, "end once HOST answers and has no job that runs" },
	{ NULL, NULL, NULL },
};

struct watch {
	const char *host;
	const char *connect;      /* NULL: ssh */
	const char *const *argv;  /* the command; NULL-terminated, maybe empty */
	bool is_dry;
	bool ends_when_idle;
	int64_t every_s;
	struct watch_policy policy;
	struct watch_state state;
	char said[256];           /* the last line about the host */
	bool is_silence_said;
};

static int take_duration(const struct cli_arguments *arguments, const char *name, int64_t *seconds,
			 struct error *err)
{
	const char *text = cli_arguments_get(arguments, name);
	int64_t value;

	if (!text)
		return 0;
	if (text_parse_duration(text, &value) < 0 || value < 1 || value > 31 * DAY_S)
		return error_set(err, -EINVAL, "%s: \"%s\" is no duration from 1s to 31d", name, text);
	*seconds = value;
	return 0;
}

static int take_arguments(const struct cli_arguments *arguments, struct watch *watch,
			  struct error *err)
{
	const char *at_most = cli_arguments_get(arguments, "--at-most");
	int r;

	*watch = (struct watch){ .every_s = 10, .policy = { .at_most = AT_MOST } };
	if (arguments->n_words == 0)
		return error_set(err, -EINVAL, "watch which machine? abbot watch HOST -- COMMAND...");
	watch->host = arguments->words[0];
	watch->argv = arguments->words + 1; /* calloc'd with one more: it ends with NULL */
	watch->connect = cli_arguments_get(arguments, "--connect-command");
	watch->is_dry = cli_arguments_get(arguments, "--dry-run") != NULL;
	watch->ends_when_idle = cli_arguments_get(arguments, "--until-idle") != NULL;
	r = watch_host_check(watch->host, err);
	if (r == 0 && at_most && text_parse_i64(at_most, 1, 100, &watch->policy.at_most) < 0)
		r = error_set(err, -EINVAL, "--at-most: \"%s\" is no number from 1 to 100", at_most);
	if (r == 0)
		r = take_duration(arguments, "--every", &watch->every_s, err);
	if (r == 0)
		r = take_duration(arguments, "--pause", &watch->policy.pause_s, err);
	if (r == 0)
		r = take_duration(arguments, "--silence", &watch->policy.silence_s, err);
	if (r == 0 && !*watch->argv && !watch->is_dry)
		r = error_set(err, -EINVAL,
			      "what is to be run when %s is silent? abbot watch %s -- COMMAND..., or --dry-run",
			      watch->host, watch->host);
	return r;
}

static char *command_text(const struct watch *watch)
{
	struct text_buffer text = { 0 };

	for (const char *const *word = watch->argv; *word; word++)
		text_printf(&text, "%s%s", text.size ? " " : "", *word);
	return text_buffer_take(&text);
}

/* Counts as a run whatever comes of it: a broken command must end, too. */
static void cycle(struct watch *watch)
{
	const struct subprocess_options subprocess = {
		.argv = watch->argv,
		.merge_stderr = true,
		.timeout_ms = CYCLE_TIMEOUT_MS,
	};
	_cleanup_(subprocess_result_done) struct subprocess_result run = { 0 };
	_cleanup_free_ char *command = command_text(watch);
	struct error err = { .text = "" };

	printable_clean(command, false);
	if (watch->is_dry) {
		log_line(LOG_LEVEL_NOTICE, "%s: would run: %s", watch->host,
			 *command ? command : "(no command was given)");
	} else {
		log_line(LOG_LEVEL_WARNING, "%s: cutting its power, %" PRId64 " of at most %" PRId64
			 " times: %s", watch->host, watch->state.n_cycles + 1, watch->policy.at_most,
			 command);
		if (subprocess_check(&subprocess, &run, &err) < 0)
			log_line(LOG_LEVEL_ERROR, "%s: the command failed: %s", watch->host, err.text);
	}
	watch_cycled(&watch->state, (int64_t)now_monotonic_ms());
}

static void say(struct watch *watch, const struct watch_look *look)
{
	bool is_new = strcmp(watch->said, look->why) != 0;

	if (look->is_heard && (is_new || watch->is_silence_said))
		log_line(LOG_LEVEL_INFO, "%s: %s", watch->host, look->why);
	if (!look->is_heard && (is_new || !watch->is_silence_said))
		log_line(LOG_LEVEL_INFO, "%s: silent: %s", watch->host, look->why);
	watch->is_silence_said = !look->is_heard;
	(void)snprintf(watch->said, sizeof(watch->said), "%s", look->why);
}

/* -1: go on; else the exit status. */
static int act(struct watch *watch, const struct watch_look *look)
{
	int64_t now_ms = (int64_t)now_monotonic_ms();

	if (look->is_heard) {
		watch_heard(&watch->state, &look->answer);
		return watch->ends_when_idle && !look->answer.may_be_silent ? 0 : -1;
	}
	switch (watch_not_heard(&watch->state, &watch->policy, now_ms)) {
	case WATCH_WAIT:
		return -1;
	case WATCH_CYCLE:
		cycle(watch);
		return -1;
	case WATCH_GIVE_UP:
		log_line(LOG_LEVEL_ERROR, "%s is still silent after %" PRId64
			 " power cycles; somebody has to look at it", watch->host,
			 watch->state.n_cycles);
		return 1;
	}
	return 3;
}

static int run(const struct cli *cli, int argc, char **argv)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	struct watch watch;
	struct error err;

	(void)cli;
	if (cli_arguments_parse(&verb_watch, argc, argv, &arguments, &err) < 0 ||
	    take_arguments(&arguments, &watch, &err) < 0)
		return cli_fail_usage(&verb_watch, &err);
	for (;;) {
		struct watch_look look;
		int64_t wait_s = watch.every_s;
		int r = watch_host_ask(watch.connect, watch.host, &look, &err), status;

		if (r < 0)
			return cli_fail(r, &err);
		say(&watch, &look);
		status = act(&watch, &look);
		if (status >= 0)
			return status;
		if (look.is_heard && look.answer.may_be_silent && look.ask_again_s > wait_s)
			wait_s = look.ask_again_s;
		(void)sleep((unsigned)wait_s);
	}
}

const struct verb verb_watch = {
	.name = "watch",
	.synopsis = "watch [OPTION...] HOST -- COMMAND...",
	.summary = "On a second machine: cut HOST's power when it hangs in a job",
	.options = options,
	.run = run,
};
