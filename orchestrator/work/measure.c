// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One process of abbot-bench: its command line, its end, and the headline value out of its
 * JSON. What the value means, and how many there are, is for others.
 */
#include "orchestrator/work/measure.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/subprocess.h"
#include "common/text.h"
#include "orchestrator/work/bench_command.h"

#define BENCH_SCHEMA 1
#define BENCH_EXIT_INPUT 2
#define BENCH_EXIT_GATE 3
#define BENCH_OUTPUT_MAX_BYTES (4U << 20)
#define QUIET_MS 100

/* The last line that it wrote on standard error, without its own name. */
static const char *last_words(const struct subprocess_result *run)
{
	char *text = run->error_output ? text_strip(run->error_output) : NULL;
	const char *line;

	if (!text || !*text)
		return "it says nothing";
	line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	return text_has_prefix(line, "abbot-bench: ") ? line + strlen("abbot-bench: ") : line;
}

/* 0 for the two ends that leave a result: measured, and a gate that failed. */
static int check_end(const struct job_bench *bench, int64_t timeout_s,
		     const struct subprocess_result *run, struct error *err)
{
	if (run->timed_out)
		return error_set(err, -ETIMEDOUT,
				 "abbot-bench %s did not end within %" PRId64
				 " s and was stopped; raise timeout in [measure]",
				 bench->workload, timeout_s);
	if (run->signal != 0)
		return error_set(err, -EPROTO, "abbot-bench %s was killed by signal %d (%s)",
				 bench->workload, run->signal, strsignal(run->signal));
	if (run->exit_status == BENCH_EXIT_INPUT)
		return error_set(err, -EINVAL, "abbot-bench %s: %s", bench->workload,
				 last_words(run));
	if (run->exit_status != 0 && run->exit_status != BENCH_EXIT_GATE)
		return error_set(err, -EPROTO, "abbot-bench %s ended with status %d: %s",
				 bench->workload, run->exit_status, last_words(run));
	return 0;
}

static int parse_output(const struct job_bench *bench, const struct subprocess_result *run,
			json_t **ret_output, struct error *err)
{
	json_error_t json_error;
	_cleanup_json_ json_t *output = json_loadb(run->output ? run->output : "",
						   run->output_size, JSON_REJECT_DUPLICATES,
						   &json_error);
	const char *workload;
	const char *status;

	if (!json_is_object(output))
		return error_set(err, -EBADMSG, "abbot-bench %s printed no JSON object (%s)",
				 bench->workload, output ? "another value" : json_error.text);
	if (json_integer_value(json_object_get(output, "schema")) != BENCH_SCHEMA)
		return error_set(err, -EBADMSG,
				 "abbot-bench %s printed a result of another schema than %d; "
				 "install abbot-bench and abbotd of one version",
				 bench->workload, BENCH_SCHEMA);
	workload = json_string_value(json_object_get(output, "workload"));
	if (!workload || strcmp(workload, bench->workload) != 0)
		return error_set(err, -EBADMSG, "abbot-bench ran \"%s\" instead of \"%s\"",
				 workload ? workload : "", bench->workload);
	status = json_string_value(json_object_get(output, "status"));
	/* Both must agree: a number from a wrong state may not slip into a mean. */
	if (!status || strcmp(status, run->exit_status == 0 ? "ok" : "unexpected") != 0)
		return error_set(err, -EBADMSG,
				 "abbot-bench %s ended with status %d but its result says \"%s\"",
				 bench->workload, run->exit_status, status ? status : "");
	*ret_output = TAKE_PTR(output);
	return 0;
}

static int refuse_metric(const struct job_bench *bench, const json_t *metrics,
			 struct error *err)
{
	_cleanup_text_ struct text_buffer names = { 0 };
	const char *name;
	json_t *metric;

	/* jansson's iterator is not const, though it changes nothing. */
	json_object_foreach((json_t *)metrics, name, metric)
		text_printf(&names, "%s%s", names.size ? ", " : "", name);
	return error_set(err, -EINVAL, "abbot-bench %s has no metric \"%s\"; it has: %s",
			 bench->workload, bench->metric, names.size ? names.text : "none");
}

static int pick_value(const struct job_bench *bench, const json_t *output, double *ret_value,
		      struct error *err)
{
	const json_t *metrics = json_object_get(output, "metrics");
	const json_t *mean =
		json_object_get(json_object_get(metrics, bench->metric), "mean");
	double value = json_number_value(mean);

	if (!json_is_number(mean))
		return refuse_metric(bench, metrics, err);
	if (!isfinite(value) || value <= 0)
		return error_set(err, -EBADMSG,
				 "abbot-bench %s measured %g for %s, which cannot be",
				 bench->workload, value, bench->metric);
	*ret_value = value;
	return 0;
}

static int run_bench(const struct job_measure *measure, const struct job_bench *bench,
		     struct subprocess_result *ret_run, struct error *err)
{
	_cleanup_(bench_command_done) struct bench_command command = { 0 };
	int code = bench_command_make(measure, bench, &command, err);
	const struct subprocess_options options = {
		.argv = command.argv,
		.timeout_ms = (uint64_t)measure->timeout_s * 1000,
		.max_output_bytes = BENCH_OUTPUT_MAX_BYTES,
	};

	return code < 0 ? code : subprocess_run(&options, ret_run, err);
}

/*
 * The daemon has just written its log and its store: whoever reads or writes these on
 * (the journal, the console, the disk's kernel threads) is done before the process starts.
 */
static void let_others_finish(void)
{
	const struct timespec pause = { .tv_nsec = QUIET_MS * 1000000L };

	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

int measure_process(const struct job *job, size_t index, json_t **ret_result, struct error *err)
{
	const struct job_measure *measure = &job->measure;
	const struct job_bench bench = job_bench_at(job, index);
	_cleanup_(subprocess_result_done) struct subprocess_result run = { 0 };
	_cleanup_json_ json_t *output = NULL;
	double value = 0;
	int code;

	let_others_finish();
	code = run_bench(measure, &bench, &run, err);
	if (code == 0)
		code = check_end(&bench, measure->timeout_s, &run, err);
	if (code == 0)
		code = parse_output(&bench, &run, &output, err);
	if (code < 0)
		return code;

	bool is_ok = run.exit_status == 0;

	if (is_ok)
		code = pick_value(&bench, output, &value, err);
	if (code < 0)
		return code;

	json_t *result = json_pack("{s:s, s:o, s:f, s:O, s:s}", "status",
				   is_ok ? "ok" : "unexpected", "value",
				   is_ok ? json_real(value) : json_null(), "wall_time_s",
				   (double)run.wall_time_ms / 1000, "bench", output, "workload",
				   bench.name);

	if (!is_ok) {
		const char *reason = json_string_value(json_object_get(output, "reason"));

		(void)json_object_set_new(result, "reason",
					  json_string(reason ? reason : "abbot-bench gives none"));
	}
	*ret_result = result;
	return 0;
}
