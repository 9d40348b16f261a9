// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The diagnoses of a job, one after the other; perf(1) itself, and the process that is
 * watched. Counting calls is diagnose_functions.c's.
 */
#include "orchestrator/work/diagnose.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/text.h"
#include "orchestrator/work/bench_command.h"

#define FUNCTIONS_PREFIX "functions="
#define BEFORE_MAX 16
#define REPORT_TIMEOUT_MS 60000
#define REPORT_MAX_BYTES (256U << 10)
#define TOP_LINES 5

int diagnose_run_process(const struct job *job, const char *const *before, struct error *err)
{
	const struct job_bench bench = job_bench_at(job, 0);
	_cleanup_(bench_command_done) struct bench_command command = { 0 };
	_cleanup_(subprocess_result_done) struct subprocess_result run = { 0 };
	const char *argv[BEFORE_MAX + BENCH_COMMAND_MAX];
	size_t n = 0;
	int code = bench_command_make(&job->measure, &bench, &command, err);

	if (code < 0)
		return code;
	for (; before && before[n] && n < BEFORE_MAX; n++)
		argv[n] = before[n];
	/* Its last NULL too. */
	memcpy(&argv[n], command.argv, (command.n + 1) * sizeof(*argv));

	const struct subprocess_options options = {
		.argv = argv,
		.timeout_ms = (uint64_t)job->measure.timeout_s * 1000,
		.max_output_bytes = 4U << 20,
	};

	code = subprocess_check(&options, &run, err);
	return code < 0 ? error_prefix(err, code, "%s", before ? before[0] : "abbot-bench") : 0;
}

/* Share, where and symbol of the first lines that are no comment: "33.10% [k] change_pte_range". */
static char *top_lines(const char *report)
{
	_cleanup_free_ char *copy = text_duplicate(report);
	struct text_buffer top = { 0 };
	char *state = NULL;
	int n = 0;

	for (char *line = strtok_r(copy, "\n", &state); line && n < TOP_LINES;
	     line = strtok_r(NULL, "\n", &state)) {
		char *words = NULL;
		const char *share = strtok_r(line, " \t", &words);
		const char *where = strtok_r(NULL, " \t", &words);
		const char *symbol = strtok_r(NULL, " \t", &words);

		if (symbol && *share != '#')
			text_printf(&top, "%s%s %s %.80s", n++ ? "; " : "", share, where, symbol);
	}
	return text_buffer_take(&top);
}

static int report_perf(const char *recorded, const char *words_path, json_t **ret_result,
		       struct error *err)
{
	const char *const argv[] = { "perf", "report", "--stdio", "--sort=symbol", "-i", recorded,
				     NULL };
	const struct subprocess_options options = { .argv = argv, .timeout_ms = REPORT_TIMEOUT_MS,
						    .max_output_bytes = REPORT_MAX_BYTES };
	_cleanup_(subprocess_result_done) struct subprocess_result run = { 0 };
	_cleanup_free_ char *top = NULL;
	int code = subprocess_check(&options, &run, err);

	if (code == 0)
		code = file_write_durable(words_path, run.output, run.output_size, 0644, err);
	if (code < 0)
		return code;
	top = top_lines(run.output);
	if (!*top)
		return error_set(err, -ENODATA, "perf recorded no sample");
	*ret_result = json_pack("{s:s, s:s}", "file", recorded, "text", top);
	return *ret_result ? 0 : error_set(err, -EILSEQ, "perf's words are not UTF-8");
}

static int diagnose_perf(const char *directory, const struct job *job, json_t **ret_result,
			 struct error *err)
{
	_cleanup_free_ char *recorded = path_join(directory, "perf.data");
	_cleanup_free_ char *words = path_join(directory, "perf.txt");
	const char *const before[] = { "perf", "record", "-q", "-o", recorded, "--", NULL };
	int code = file_make_directories(directory, 0755, err);

	if (code == 0)
		code = diagnose_run_process(job, before, err);
	if (code == -ENOENT)
		return error_set(err, code, "perf is not installed");
	return code < 0 ? code : report_perf(recorded, words, ret_result, err);
}

int diagnose_run(const char *root, const char *directory, const struct job *job,
		 json_t **ret_result, struct error *err)
{
	_cleanup_json_ json_t *result = json_object();

	for (char *const *word = job->measure.diagnoses; word && *word; word++) {
		bool is_functions = text_has_prefix(*word, FUNCTIONS_PREFIX);
		struct error why = { 0 };
		json_t *one = NULL;
		int code = is_functions ? diagnose_functions(root, job,
							     *word + strlen(FUNCTIONS_PREFIX),
							     &one, &why)
					: diagnose_perf(directory, job, &one, &why);

		if (code < 0)
			one = json_pack("{s:s}", "note", why.text);
		if (json_object_set_new(result, is_functions ? "functions" : "perf",
					one ? one : json_pack("{s:s}", "note", "no reason was given")) < 0)
			return error_set(err, -ENOMEM, "out of memory");
	}
	*ret_result = TAKE_PTR(result);
	return 0;
}
