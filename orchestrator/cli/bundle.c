// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot bundle`: a job's evidence as one file or directory, and whether such a bundle, of
 * anybody's, still holds. What is in it is orchestrator/work/bundle_make.c's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/printable.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/client.h"
#include "orchestrator/cli/mail_arguments.h"
#include "orchestrator/work/bundle_make.h"
#include "orchestrator/work/bundle_verify.h"

static const struct verb_option options[] = {
	{ "--output", "PATH", "a file where it ends in .tar.zst, else a directory; abbot-job-N.tar.zst unless said" },
	{ "--private", NULL, "keep paths, host and user names, serial numbers and addresses" },
	{ "--verify", "PATH", "check that bundle: its sums, and its report from its raw data" },
	CLI_MAIL_OPTIONS,
	{ NULL, NULL, NULL },
};

/* @row borrows from @reply. */
static int read_reply(const json_t *reply, struct store_job *row, struct event_list *ret_events,
		      const char **ret_state, struct error *err)
{
	const json_t *from = json_object_get(reply, "row");
	const char *name = json_string_value(json_object_get(from, "name"));

	*ret_state = json_string_value(json_object_get(reply, "state"));
	if (!name || !*ret_state)
		return error_set(err, -EPROTO, "abbotd's answer lacks the job; are abbot and abbotd of one version?");
	*row = (struct store_job){
		.id = json_integer_value(json_object_get(from, "id")),
		.name = (char *)(uintptr_t)name,
		.machine = (enum store_machine)json_integer_value(json_object_get(from, "machine")),
		.rehearses = json_integer_value(json_object_get(from, "rehearses")),
		.submitted_ns = json_integer_value(json_object_get(from, "submitted_ns")),
	};
	row->is_emulated = row->machine != STORE_MACHINE_REAL;
	return event_list_from_json(json_object_get(reply, "events"), row->id, ret_events, err);
}

static void say_made(const struct bundle *bundle, const char *output, const char *said, bool is_private)
{
	printf("%s: %zu files, %.1f MiB before compression\n", output, bundle->n_files,
	       (double)bundle->size_bytes / (1 << 20));
	if (is_private)
		printf("PRIVATE: nothing was taken out; look before you hand it on.\n");
	else
		printf("taken out: %s; look before you hand it on.\n", said);
}

static int make(const struct cli *cli, const struct cli_arguments *arguments, struct error *err)
{
	_cleanup_json_ json_t *request = json_pack("{s:s}", "op", "bundle"), *reply = NULL;
	_cleanup_json_ json_t *mail = cli_mail_request(arguments);
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_bundle_ struct bundle bundle = { 0 };
	_cleanup_free_ char *said = NULL, *top = NULL, *usual = NULL;
	const char *output = cli_arguments_get(arguments, "--output");
	struct bundle_request what = { .events = &events, .mail = mail };
	struct store_job row;
	int64_t job = 0;
	int r = cli_parse_job(arguments->words[0], &job, err);

	if (r < 0)
		return r;
	(void)json_object_set_new(request, "job", json_integer(job));
	r = client_request(cli, request, false, &reply, err);
	if (r == 0)
		r = read_reply(reply, &row, &events, &what.state_directory, err);
	if (r < 0)
		return r;
	what.row = &row;
	what.is_private = cli_arguments_get(arguments, "--private") != NULL;
	r = bundle_make(&what, &bundle, &said, err);
	top = text_format("abbot-job-%lld", (long long)job);
	usual = text_format("%s.tar.zst", top);
	output = output ? output : usual;
	if (r == 0)
		r = bundle_write(&bundle, output, top, bundle_time(&events), err);
	if (r == 0)
		say_made(&bundle, output, said, what.is_private);
	return r;
}

static void say_line(const char *words)
{
	_cleanup_free_ char *clean = text_duplicate(words);

	printable_clean(clean, false); /* a bundle is anybody's */
	printf("%s\n", clean);
}

/* Exit status 1 where it does not hold, 2 where it is no bundle. */
static int verify(const char *path)
{
	_cleanup_(bundle_check_done) struct bundle_check check = { 0 };
	_cleanup_bundle_ struct bundle bundle = { 0 };
	struct error err = { "" };
	int r = bundle_read(path, &bundle, &err);

	if (r == 0)
		r = bundle_verify(&bundle, &check, &err);
	if (r < 0)
		return cli_fail(r == -EBADMSG ? -EINVAL : r, &err);
	for (size_t i = 0; i < check.faults.n; i++)
		say_line(check.faults.items[i]);
	if (check.faults.n) {
		printf("DOES NOT HOLD: the bundle of job %lld\n", (long long)check.job);
		return 1;
	}
	say_line(check.headline);
	printf("holds: %zu files, and the report follows from %zu processes\n", bundle.n_files,
	       check.n_processes);
	return 0;
}

static int run(const struct cli *cli, int argc, char **argv)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	const char *to_verify;
	struct error err = { "" };
	int r = cli_arguments_parse(&verb_bundle, argc, argv, &arguments, &err);

	if (r < 0)
		return cli_fail_usage(&verb_bundle, &err);
	to_verify = cli_arguments_get(&arguments, "--verify");
	if (to_verify && (arguments.n_words || arguments.n_options > 1)) {
		(void)error_set(&err, -EINVAL, "--verify PATH stands alone");
		return cli_fail_usage(&verb_bundle, &err);
	}
	if (to_verify)
		return verify(to_verify);
	if (arguments.n_words != 1) {
		(void)error_set(&err, -EINVAL, "bundle takes one job number");
		return cli_fail_usage(&verb_bundle, &err);
	}
	r = make(cli, &arguments, &err);
	return r < 0 ? cli_fail(r, &err) : 0;
}

const struct verb verb_bundle = {
	.name = "bundle",
	.synopsis = "bundle [OPTION...] JOB | --verify PATH",
	.summary = "Hand on a job's evidence, or check such a bundle",
	.options = options,
	.run = run,
};
