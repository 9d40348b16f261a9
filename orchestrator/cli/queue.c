// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot queue`: makes a job from the command line or a job file and hands it in.
 * Resolving revisions and judging the job are the queue's; here paths become absolute,
 * because the daemon runs in another directory.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "boot/preflight.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/client.h"
#include "orchestrator/cli/queue_changes.h"
#include "orchestrator/cli/queue_workload.h"
#include "orchestrator/work/range.h"
#include "queue/job_file.h"
#include "queue/job_key.h"

/* What a job's name may hold (queue/job_validate.c refuses the rest). */
#define NAME_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+"

/* Of a job from the command line, which has no option for it. */
#define BISECT_MAX_REBOOTS 400

static const struct verb_option options[] = {
	{ "--file-job", "FILE", "take the job from FILE, see abbot.job(5)" },
	{ "--exactly", "ORDER", "boot in this order and no more: PCP is parent, child, parent" },
	{ "--design", "DESIGN", "sandwich, sweep, ladder or bisect; A..B is a bisect, three revisions or more a sweep" },
	{ "--rounds", "N", "of a sweep: boots of each kernel (4)" },
	{ "--path", "PATH", "of a bisection: commits that touch PATH are likelier; may be given again" },
	{ "--repository", "DIR", "the git repository; else the one of the current directory" },
	{ "--name", "NAME", "call the job so" },
	{ "--config", "CONFIG", "running, a file (with a /), or a make target" },
	{ "--fragment", "FILE", "config fragment on top; may be given again" },
	{ "--patch", "FILE", "the revision without and with this patch, mbox, directory, URL or message id; may be given again" },
	{ "--override", "PATH@SOURCE", "and with PATH as in commit SOURCE, or as in the file ./SOURCE" },
	{ "--revert", "COMMIT", "and with this commit undone" },
	{ "--config-set", "CONFIG_X=V", "and with this config symbol" },
	{ "--patched-cmdline", "TEXT", "and with this on the command line" },
	{ "--control", "WORD", "which of them comes first and last: plain, or patched" },
	{ "--archive", "URL", "where message ids are looked up (https://lore.kernel.org/all)" },
	{ "--each", NULL, "a ladder: how much each of the changes does" },
	{ "--cmdline", "TEXT", "add this to the test kernels' command line" },
	{ "--settle", "TIME", "wait after each boot before measuring (60s)" },
	{ "--deadline", "TIME", "pause when a system has not finished starting by then (15min)" },
	{ "--cpu", "N", "measure on this CPU (-1: the last one)" },
	{ "--warmups", "N", "processes before the measured ones (3)" },
	{ "--processes", "N", "measured processes in each boot (15)" },
	{ "--timeout", "TIME", "longest time for one process (10min)" },
	{ "--workload", "NAME", "benchmark of abbot-bench (mprotect-toggle); given again, each boot runs all" },
	{ "--bench-arg", "ARG", "one more argument for it; may be given again" },
	{ "--metric", "NAME", "its figure that the verdict is about (iteration)" },
	{ "--threshold", "PERCENT", "smallest change worth a verdict (2)" },
	{ "--governor", "NAME", "CPU frequency governor: performance, or keep" },
	{ "--turbo", "WORD", "turbo frequencies: off, on or keep" },
	{ "--not-before", "TIME", "boot no test kernel before: HH:MM, or as 2026-01-31T20:00:00+01:00" },
	{ "--accept-hang-risk", NULL, PREFLIGHT_HANG_RISK },
	{ "--diagnose", "WHAT", "perf, or functions=NAME,NAME: after the measurement; may be given again" },
	{ "--dry-run", NULL, "resolve and check everything, queue nothing" },
	{ NULL, NULL, NULL },
};

/* Options that are a key of the job file under another name. */
static const struct {
	const char *option;
	const char *section;
	const char *key;
} option_keys[] = {
	{ "--repository", "job", "repository" }, { "--name", "job", "name" },
	{ "--config", "build", "config" },       { "--fragment", "build", "fragment" },
	{ "--cmdline", "boot", "cmdline" },      { "--settle", "boot", "settle" },
	{ "--deadline", "boot", "deadline" },    { "--cpu", "measure", "cpu" },
	{ "--warmups", "measure", "warmups" },   { "--processes", "measure", "processes" },
	{ "--timeout", "measure", "timeout" },   { "--workload", "job", "bench" },
	{ "--bench-arg", "measure", "argument" }, { "--metric", "measure", "metric" },
	{ "--threshold", "job", "threshold" },   { "--governor", "measure", "governor" },
	{ "--turbo", "measure", "turbo" },       { "--diagnose", "measure", "diagnose" },
	{ "--design", "job", "design" },         { "--rounds", "job", "rounds" },
	{ "--path", "job", "path" },
};

static int set_option(struct job *job, const struct cli_option *option, struct error *err)
{
	if (strcmp(option->name, "--exactly") == 0) {
		job->is_exact = true;
		return job_key_set_text(job_key_find("job", "order"), job, option->value, err);
	}
	if (strcmp(option->name, "--accept-hang-risk") == 0)
		job->boot.accepts_hang_risk = true;
	if (strcmp(option->name, "--not-before") == 0)
		return cli_parse_time(option->value, time(NULL), &job->boot.not_before_s, err);
	for (size_t i = 0; i < ARRAY_SIZE(option_keys); i++) {
		int r;

		if (strcmp(option_keys[i].option, option->name) != 0)
			continue;
		r = job_key_set_text(job_key_find(option_keys[i].section, option_keys[i].key), job,
				     option->value, err);
		return r < 0 ? error_prefix(err, r, "%s", option->name) : 0;
	}
	return 0; /* --file-job, --dry-run, changes: not a member of the job */
}

/* *@path, relative to @directory, becomes absolute; it must exist. */
static int make_absolute(char **path, const char *directory, const char *what, struct error *err)
{
	_cleanup_free_ char *joined = NULL;
	char *absolute;

	if ((*path)[0] != '/' && directory)
		joined = path_join(directory, *path);
	absolute = realpath(joined ? joined : *path, NULL);
	if (!absolute)
		return error_set_errno(err, -errno, "cannot find the %s %s", what, *path);
	free(*path);
	*path = absolute;
	return 0;
}

static bool is_git_directory(const char *directory)
{
	static const char *const members[] = { "HEAD", "objects", "refs" };

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		_cleanup_free_ char *path = path_join(directory, members[i]);

		if (!path || !file_exists(path))
			return false;
	}
	return true;
}

/* The git repository that holds the current directory. */
static int find_repository(char **ret_path, struct error *err)
{
	_cleanup_free_ char *directory = realpath(".", NULL);

	while (directory) {
		_cleanup_free_ char *git = path_join(directory, ".git");
		char *slash;

		if ((git && file_exists(git)) || is_git_directory(directory)) {
			*ret_path = TAKE_PTR(directory);
			return 0;
		}
		slash = strrchr(directory, '/');
		if (!slash || !directory[1])
			break;
		slash[slash == directory ? 1 : 0] = '\0';
	}
	return error_set(err, -EINVAL,
			 "the current directory is in no git repository; name one with --repository");
}

/* Paths of @job that are relative are meant from @directory (NULL: the current one). */
static int complete_paths(struct job *job, const char *directory, struct error *err)
{
	int r = 0;

	if (job->repository)
		r = make_absolute(&job->repository, directory, "repository", err);
	if (r == 0 && strchr(job->build.config, '/'))
		r = make_absolute(&job->build.config, directory, "kernel configuration", err);
	for (char **fragment = job->build.fragments; r == 0 && fragment && *fragment; fragment++)
		r = make_absolute(fragment, directory, "config fragment", err);
	return r;
}

static int read_job_file(const char *path, struct job *ret_job, struct queue_changes *changes,
			 struct error *err)
{
	_cleanup_free_ char *data = NULL, *absolute = NULL;
	char *slash;
	size_t size;
	int r = file_read(path, JOB_FILE_MAX_BYTES, &data, &size, err);

	if (r < 0)
		return r;
	r = job_file_parse(data, size, path, ret_job, err);
	if (r < 0)
		return r;
	absolute = realpath(path, NULL);
	slash = absolute ? strrchr(absolute, '/') : NULL;
	if (slash)
		slash[slash == absolute ? 1 : 0] = '\0';
	r = complete_paths(ret_job, absolute, err);
	if (r == 0)
		r = queue_changes_load(ret_job, absolute, changes, err);
	if (r < 0)
		job_done(ret_job);
	return r;
}

/* A job's name from what the user typed: what a name may not hold becomes "-". */
static char *make_name(const char *first, const char *second)
{
	char *name = second ? text_format("%.30s..%.30s", first, second)
			    : text_format("%.60s", first);

	for (char *c = name; *c; c++)
		if (!strchr(NAME_BYTES, *c) || (c == name && (*c == '-' || *c == '.')))
			*c = c == name ? '_' : '-';
	return name;
}

/* GOOD..BAD, or both as words. */
static int add_ends(struct job *job, char **words, size_t n_words, struct error *err)
{
	_cleanup_free_ char *good = NULL, *bad = NULL;
	int r = 0;

	if (n_words == 1)
		r = range_split(words[0], &good, &bad, err);
	else if (n_words == 2 && (strstr(words[0], "..") || strstr(words[1], "..")))
		r = error_set(err, -EINVAL, "a bisection is of one range: write GOOD..BAD");
	else if (n_words > 2)
		r = error_set(err, -EINVAL, "a bisection has two ends: write GOOD..BAD");
	if (r == 0)
		r = job_add_point(job, "good", good ? good : words[0], err);
	if (r == 0)
		r = job_add_point(job, "bad", bad ? bad : words[1], err);
	job->boot.max_reboots = BISECT_MAX_REBOOTS;
	return r;
}

/* A sweep's points are called as their revisions; the rungs of a ladder by what they are. */
static char *make_point_name(const struct job *job, const char *revision)
{
	if (job->design == JOB_DESIGN_SWEEP)
		return make_name(revision, NULL);
	if (job->n_points < 2)
		return text_duplicate(job->n_points == 0 ? "parent" : "child");
	return text_format("probe-%zu", job->n_points - 1);
}

/* REV is one point, which the queue turns into parent and child; so is A..B of a sandwich. */
static int add_points(struct job *job, const struct cli_arguments *arguments,
		      struct queue_changes *changes, struct error *err)
{
	char **words = (char **)arguments->words;
	size_t n_words = arguments->n_words;
	int r = 0;

	if (n_words > 2 && !cli_arguments_get(arguments, "--design"))
		job->design = JOB_DESIGN_SWEEP;
	if (n_words == 1 && strstr(words[0], "..") && !cli_arguments_get(arguments, "--design") &&
	    !job->is_exact && !queue_has_changes(arguments))
		job->design = JOB_DESIGN_BISECT;
	if (queue_has_changes(arguments))
		r = queue_changes_add_points(job, arguments, changes, err);
	else if (job->design == JOB_DESIGN_BISECT)
		r = add_ends(job, words, n_words, err);
	else if (n_words == 1)
		r = job_add_point(job, "child", words[0], err);
	for (size_t i = 0; i < n_words && n_words > 1 && r == 0 && job->design != JOB_DESIGN_BISECT; i++) {
		_cleanup_free_ char *name = make_point_name(job, words[i]);

		r = job_add_point(job, name, words[i], err);
	}
	if (r < 0)
		return r;
	if (!cli_arguments_get(arguments, "--name")) {
		free(job->name);
		job->name = make_name(words[0], n_words > 1 ? words[n_words - 1] : NULL);
	}
	return 0;
}

static int check_words(const struct cli_arguments *arguments, struct error *err)
{
	bool has_file = cli_arguments_get(arguments, "--file-job") != NULL;

	if (has_file && arguments->n_words)
		return error_set(err, -EINVAL, "the points are in the job file: give no revision");
	if (has_file && queue_has_changes(arguments))
		return error_set(err, -EINVAL, "the changes belong into the job file: give no --patch and the like");
	if (!has_file && arguments->n_words < 1)
		return error_set(err, -EINVAL, "queue takes one revision, two, more for a sweep or ladder, or --file-job");
	return 0;
}

static int set_options(struct job *job, const struct cli_arguments *arguments,
		       struct error *err)
{
	bool has_sections = job->n_benches > 0;
	int n_workloads = 0;
	int r = 0;

	for (size_t i = 0; i < arguments->n_options; i++)
		n_workloads += strcmp(arguments->options[i].name, "--workload") == 0;
	for (size_t i = 0; i < arguments->n_options && r == 0; i++) {
		const struct cli_option *option = &arguments->options[i];
		bool is_workload = queue_is_workload_option(option->name);

		if (is_workload && has_sections)
			return error_set(err, -EINVAL,
					 "the job file has [bench] sections: %s belongs there",
					 option->name);
		r = is_workload && n_workloads > 1 ? queue_set_workload(job, option, err)
						   : set_option(job, option, err);
	}
	return r;
}

/* @ret_job is the caller's to job_done() on success only. */
static int make_job(const struct cli_arguments *arguments, struct job *ret_job,
		    struct queue_changes *changes, struct error *err)
{
	const char *file = cli_arguments_get(arguments, "--file-job");
	struct job job;
	int r = 0;

	if (file)
		r = read_job_file(file, &job, changes, err);
	else
		job_init(&job);
	if (r < 0)
		return r;
	if (r == 0)
		r = set_options(&job, arguments, err);
	if (r == 0 && !file)
		r = add_points(&job, arguments, changes, err);
	if (r == 0)
		r = complete_paths(&job, NULL, err);
	if (r == 0 && !job.repository)
		r = find_repository(&job.repository, err);
	if (r < 0)
		job_done(&job);
	else
		*ret_job = job;
	return r;
}

static int run(const struct cli *cli, int argc, char **argv)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	_cleanup_(queue_changes_done) struct queue_changes changes;
	_cleanup_json_ json_t *request = NULL, *reply = NULL;
	struct error err = { 0 };
	struct job job;
	bool is_dry;
	int r;

	queue_changes_init(&changes, cli->state_directory);
	if (cli_arguments_parse(&verb_queue, argc, argv, &arguments, &err) < 0 ||
	    check_words(&arguments, &err) < 0)
		return cli_fail_usage(&verb_queue, &err);
	changes.archive = cli_arguments_get(&arguments, "--archive");
	r = make_job(&arguments, &job, &changes, &err);
	if (r < 0)
		return cli_fail(-EINVAL, &err); /* whatever it was: what the user gave was bad */
	is_dry = cli_arguments_get(&arguments, "--dry-run") != NULL;
	request = json_pack("{s:s, s:o, s:O, s:b}", "op", "queue", "job", job_to_json(&job), "files",
			    changes.files, "dry_run", is_dry ? 1 : 0);
	job_done(&job);
	r = client_request(cli, request, true, &reply, &err);
	if (r < 0)
		return cli_fail(r, &err);
	if ((changes.notes.size && fprintf(stderr, "%s", changes.notes.text) < 0) ||
	    fputs(json_string_value(json_object_get(reply, "text")), stdout) < 0)
		return 3;
	if (!is_dry)
		printf("\"abbot plan %lld\" says what it will do and how long it takes.\n",
		       (long long)json_integer_value(json_object_get(reply, "job")));
	return fflush(stdout) == 0 ? 0 : 3;
}

const struct verb verb_queue = {
	.name = "queue",
	.synopsis = "queue [OPTION...] REV | A B | A..B | A B C... | --file-job FILE",
	.summary = "Queue a job: a commit against its parent, two commits, or a sweep of more",
	.options = options,
	.run = run,
};
