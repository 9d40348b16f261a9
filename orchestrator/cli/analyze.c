// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot analyze`: the statistics of a report for values measured elsewhere. Needs no
 * queue, no daemon and no privilege.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/printable.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/mail_arguments.h"
#include "orchestrator/work/result_mail.h"
#include "reports/render/points_design.h"
#include "reports/render/points_tsv.h"
#include "reports/render/render.h"

#define THRESHOLD_MAX_PCT 1000.0
#define HISTORY_DF_MIN 5 /* less counts for nothing */

static const struct verb_option options[] = {
	{ "--design", "DESIGN", "sandwich, sweep or ladder; else known from the order of the boots" },
	{ "--kernels", "LIST", "a sweep's kernels in their order, the baseline first: A,B,C" },
	{ "--format", "FORMAT", "text, json, tsv, tsv-components, tsv-comparison, mail or html; text unless said" },
	{ "--history-sd", "PCT", "scatter between boots that was measured before on this machine" },
	{ "--history-df", "N", "its degrees of freedom, 5 at least; more than 20 count as 20" },
	{ "--threshold", "PCT", "smallest change worth a verdict, in percent; 2 unless said" },
	CLI_MAIL_OPTIONS,
	{ NULL, NULL, NULL },
};

static int parse_threshold(const char *word, double *ret_threshold, struct error *err)
{
	double threshold;

	if (text_parse_double(word, &threshold) < 0 || threshold <= 0 ||
	    threshold > THRESHOLD_MAX_PCT)
		return error_set(err, -EINVAL,
				 "--threshold %s: give percent, above 0 and at most %g", word,
				 THRESHOLD_MAX_PCT);
	*ret_threshold = threshold;
	return 0;
}

static int take_history(const struct cli_arguments *arguments, struct interval_history *history,
			struct error *err)
{
	const char *sd = cli_arguments_get(arguments, "--history-sd");
	const char *df = cli_arguments_get(arguments, "--history-df");

	if (!sd && !df)
		return 0;
	if (!sd || !df)
		return error_set(err, -EINVAL, "--history-sd and --history-df belong together");
	if (text_parse_double(sd, &history->s0) < 0 || history->s0 < 0)
		return error_set(err, -EINVAL, "--history-sd %s: give percent, not negative", sd);
	if (text_parse_double(df, &history->nu0) < 0 || history->nu0 < HISTORY_DF_MIN)
		return error_set(err, -EINVAL, "--history-df %s: give a number, %d at least", df,
				 HISTORY_DF_MIN);
	return 0;
}

static int analyze(struct result *result, const struct cli_arguments *arguments,
		   char **ret_text, struct error *err)
{
	const char *format = cli_arguments_get(arguments, "--format");
	const char *threshold = cli_arguments_get(arguments, "--threshold");
	_cleanup_json_ json_t *mail = cli_mail_request(arguments);
	int r;

	if (threshold) {
		r = parse_threshold(threshold, &result->threshold_pct, err);
		if (r < 0)
			return r;
	}
	r = take_history(arguments, &result->history, err);
	if (r < 0)
		return r;
	r = result_mail_apply(result, mail, err);
	if (r < 0)
		return r;
	r = points_design_apply(result, cli_arguments_get(arguments, "--design"),
				cli_arguments_get(arguments, "--kernels"), err);
	if (r < 0)
		return r;
	/* The numbers are all there is: nothing can be appended after a look at them. */
	result->is_exact = true;
	r = result_estimate(result, err);
	if (r < 0)
		return r;
	return render_result(result, format ? format : "text", ret_text, err);
}

static int analyze_file(const char *path, const struct cli_arguments *arguments,
			char **ret_text, struct error *err)
{
	_cleanup_free_ char *data = NULL;
	struct result result;
	size_t size;
	int r;

	r = file_read(path, POINTS_TSV_MAX_BYTES, &data, &size, err);
	if (r < 0)
		return r;
	r = points_tsv_parse(data, size, path, &result, err);
	if (r < 0)
		return r;
	r = analyze(&result, arguments, ret_text, err);
	result_done(&result);
	return r;
}

static int run(const struct cli *cli, int argc, char **argv)
{
	struct cli_arguments arguments _cleanup_arguments_ = { 0 };
	_cleanup_free_ char *text = NULL;
	struct error err = { "" };
	int r;

	(void)cli;
	r = cli_arguments_parse(&verb_analyze, argc, argv, &arguments, &err);
	if (r < 0)
		return cli_fail_usage(&verb_analyze, &err);
	if (arguments.n_words != 1) {
		(void)error_set(&err, -EINVAL, "give one file of values");
		return cli_fail_usage(&verb_analyze, &err);
	}
	r = analyze_file(arguments.words[0], &arguments, &text, &err);
	if (r < 0)
		return cli_fail(r, &err);
	printable_clean(text, true); /* names of points are anybody's */
	return fputs(text, stdout) == EOF ? 3 : 0;
}

const struct verb verb_analyze = {
	.name = "analyze",
	.synopsis = "analyze [OPTION...] FILE",
	.summary = "Compute a report from values measured elsewhere",
	.options = options,
	.run = run,
};
