// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * abbot-bench: one process, one workload, one JSON object. Prints and exits; everything
 * else is in the other files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/options.h"
#include "bench/placement.h"
#include "bench/report.h"
#include "bench/workload.h"
#include "common/cleanup.h"

#define EXIT_INPUT 2  /* it could not be run: one line on standard error */
#define EXIT_GATE 3   /* it ran, but not on what it should have: the JSON says why */

static const char help_text[] =
	"abbot-bench WORKLOAD [OPTION...]   run it once, print one JSON object\n"
	"abbot-bench exec [OPTION...] -- COMMAND [WORD...]\n"
	"abbot-bench list                   the workloads\n"
	"\n"
	"  --size SIZE              of the mapping, or of each region\n"
	"  --iterations N           that are timed\n"
	"  --warmup-iterations N    before them\n"
	"  --cpu N                  to run on (the highest-numbered that may be used)\n"
	"  --shared                 shared memory (mprotect-regions, write-fault,\n"
	"                           mprotect-large-folio)\n"
	"  --regions N              of that size (mprotect-regions; 1)\n"
	"  --folio SIZE             (mprotect-large-folio; the huge page size)\n"
	"  --metric NAME            the headline (exec)\n"
	"  --timeout SECONDS        until the command is killed (exec; 600)\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 measured; 2 could not be run, the reason on standard error;\n"
	"3 the pages or the semantics were not the expected ones, the reason in the JSON.\n"
	"Examples: abbot-bench mprotect-toggle --cpu 2\n"
	"          abbot-bench exec --metric latency -- ./my-benchmark\n";

static int refuse(const struct error *err)
{
	(void)fprintf(stderr, "abbot-bench: %s\n", err->text);
	return EXIT_INPUT;
}

/* A result that did not reach its reader whole is no result. */
static int finish_output(int status)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		(void)fprintf(stderr, "abbot-bench: cannot write the result: %s\n",
			      strerror(errno));
		return EXIT_INPUT;
	}
	return status;
}

static int list_workloads(void)
{
	for (size_t i = 0; workload_table[i]; i++)
		(void)printf("%-20s %s\n", workload_table[i]->name, workload_table[i]->summary);
	return finish_output(EXIT_SUCCESS);
}

static int print_text(const char *text)
{
	(void)fputs(text, stdout);
	return finish_output(EXIT_SUCCESS);
}

static int run_workload(struct bench_options *options)
{
	struct error err = { 0 };
	struct placement placement;
	_cleanup_(bench_result_done) struct bench_result result = { 0 };

	if (options_check_size(options, &err) < 0 ||
	    placement_apply((long)options->cpu, &placement, &err) < 0)
		return refuse(&err);
	options->cpu = placement.cpu;

	json_t *clock = clock_to_json();

	if (options->workload->run(options, &result, &err) < 0) {
		json_decref(clock);
		return refuse(&err);
	}

	_cleanup_json_ json_t *report = report_to_json(options, &placement, &result, clock);

	if (!report || json_dumpf(report, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0) {
		(void)error_set(&err, -ENOMEM, "cannot write the result");
		return refuse(&err);
	}
	(void)putchar('\n');
	return finish_output(result.outcome.n_unexpected == 0 ? EXIT_SUCCESS : EXIT_GATE);
}

int main(int argc, char **argv)
{
	struct error err = { 0 };
	struct bench_options options;
	enum bench_verb verb;

	if (options_parse(argc, argv, &verb, &options, &err) < 0)
		return refuse(&err);
	switch (verb) {
	case BENCH_VERB_RUN:
		return run_workload(&options);
	case BENCH_VERB_LIST:
		return list_workloads();
	case BENCH_VERB_HELP:
		return print_text(help_text);
	case BENCH_VERB_VERSION:
		return print_text("abbot-bench " ABBOT_VERSION "\n");
	}
	return EXIT_INPUT;
}
