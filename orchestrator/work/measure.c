// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One process of abbot-bench: its command line, its end, and the headline value out of its
 * JSON. What the value means, and how many there are, is for others.
 */
#include "orchestrator/work/measure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/subprocess.h"
#include "common/text.h"
#include "orchestrator/work/bench_command.h"
#include "orchestrator/work/measure_output.h"

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
		code = measure_output_read(&bench, run.exit_status, run.output ? run.output : "",
					   run.output_size, &output, &value, err);
	if (code < 0)
		return code;

	bool is_ok = run.exit_status == 0;

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
