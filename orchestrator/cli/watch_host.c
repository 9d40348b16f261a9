// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One look at another machine. What follows from it is for watch_state.c.
 */
#include "orchestrator/cli/watch_host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/printable.h"
#include "common/subprocess.h"
#include "common/text.h"

#define ASK_TIMEOUT_MS 60000
#define ANSWER_MAX_BYTES ((size_t)1024 * 1024)
#define SSH_NO_CONNECTION 255 /* ssh(1), "EXIT STATUS" */
/* More than a month is not believed. */
#define SECONDS_MAX (31 * 24 * 3600)

int watch_host_check(const char *host, struct error *err)
{
	if (!*host || *host == '-')
		return error_set(err, -EINVAL, "\"%s\" is not the name of a machine", host);
	return 0;
}

static int64_t seconds_of(const json_t *watch, const char *key)
{
	json_int_t seconds = json_integer_value(json_object_get(watch, key));

	return seconds < 0 ? 0 : seconds > SECONDS_MAX ? SECONDS_MAX : seconds;
}

bool watch_host_parse(const char *data, size_t size, struct watch_look *look)
{
	_cleanup_json_ json_t *status = json_loadb(data, size, JSON_REJECT_DUPLICATES, NULL);
	const json_t *watch = json_object_get(status, "watch");
	const json_t *id = json_object_get(status, "id");
	const char *name = json_string_value(json_object_get(status, "status"));
	const char *last = json_string_value(json_object_get(status, "last"));

	if (!json_is_integer(id) || !json_is_object(watch) || !name)
		return false;
	look->answer.job = json_integer_value(id);
	look->answer.may_be_silent = json_is_true(json_object_get(watch, "may_be_silent"));
	look->answer.silence_s = seconds_of(watch, "silence_s");
	look->ask_again_s = seconds_of(watch, "ask_again_s");
	(void)snprintf(look->why, sizeof(look->why), "job %lld, %.32s: %.160s",
		       (long long)look->answer.job, name, last ? last : "");
	printable_clean(look->why, false);
	return true;
}

/* The last line that the program wrote on standard error. */
static void say_why(struct watch_look *look, const struct subprocess_result *run)
{
	char *text = run->error_output ? text_strip(run->error_output) : NULL;
	const char *line = text ? strrchr(text, '\n') : NULL;

	if (run->timed_out)
		line = "no answer within a minute";
	else
		line = line ? line + 1 : text;
	(void)snprintf(look->why, sizeof(look->why), "%.200s", line && *line ? line : "no status");
	printable_clean(look->why, false);
}

int watch_host_ask(const char *connect, const char *host, struct watch_look *ret_look,
		   struct error *err)
{
	const char *const ssh[] = { "ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "--",
				    host, "abbot", "status", "--json", NULL };
	const char *const other[] = { connect, host, NULL };
	const struct subprocess_options options = {
		.argv = connect ? other : ssh,
		.timeout_ms = ASK_TIMEOUT_MS,
		.max_output_bytes = ANSWER_MAX_BYTES,
		.ends_strays = true,
	};
	_cleanup_(subprocess_result_done) struct subprocess_result run = { 0 };
	struct watch_look look = { .is_heard = false };
	int r = subprocess_run(&options, &run, err);

	if (r < 0)
		return r;
	look.is_heard = !run.timed_out && run.signal == 0 && run.exit_status != SSH_NO_CONNECTION;
	/* "There is no job" has no status to parse: it is up, and idle. */
	if (!look.is_heard || run.exit_status != 0 ||
	    !watch_host_parse(run.output ? run.output : "", run.output_size, &look))
		say_why(&look, &run);
	*ret_look = look;
	return 0;
}
