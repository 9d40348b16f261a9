// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing and checking the command line: every refusal is one sentence.
 */
#include "bench/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench/proc_file.h"
#include "common/cleanup.h"
#include "common/text.h"

#define ITERATIONS_MAX 1000000000
#define CPU_MAX 16383

#define REGIONS_MAX 1024
#define TIMEOUT_MAX_S 86400

enum {
	OPTION_SIZE = 256, OPTION_ITERATIONS, OPTION_WARMUP, OPTION_CPU, OPTION_SHARED,
	OPTION_REGIONS, OPTION_FOLIO, OPTION_METRIC, OPTION_TIMEOUT, OPTION_FAULT,
};

static const struct option long_options[] = {
	{ "size", required_argument, NULL, OPTION_SIZE },
	{ "iterations", required_argument, NULL, OPTION_ITERATIONS },
	{ "warmup-iterations", required_argument, NULL, OPTION_WARMUP },
	{ "cpu", required_argument, NULL, OPTION_CPU },
	{ "shared", no_argument, NULL, OPTION_SHARED },
	{ "regions", required_argument, NULL, OPTION_REGIONS },
	{ "folio", required_argument, NULL, OPTION_FOLIO },
	{ "metric", required_argument, NULL, OPTION_METRIC },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "fault", required_argument, NULL, OPTION_FAULT },
	{ NULL, 0, NULL, 0 },
};

static const char *const option_names[] = { "--size", "--iterations", "--warmup-iterations",
					    "--cpu", "--shared", "--regions", "--folio",
					    "--metric", "--timeout", NULL };

/* Which workloads take it, in the order of the enumeration. 0: all. */
static const unsigned int option_takers[] = {
	WORKLOAD_SIZE, WORKLOAD_ITERATIONS, WORKLOAD_ITERATIONS, 0, WORKLOAD_SHARED,
	WORKLOAD_REGIONS, WORKLOAD_FOLIO, WORKLOAD_COMMAND, WORKLOAD_COMMAND, WORKLOAD_SIZE,
};

/* Indexed by enum bench_fault. Not in the help: they are there to see the gates fail. */
static const char *const fault_names[] = { "none", "huge-pages", "huge-pages-late",
					   "split-mapping", "small-page", "lost-page",
					   "lost-page-early", "other-cpu" };

static int parse_number(const char *option, const char *text, int64_t minimum, int64_t maximum,
			int64_t *ret_value, struct error *err)
{
	if (text_parse_i64(text, minimum, maximum, ret_value) < 0)
		return error_set(err, -EINVAL,
				 "%s takes a whole number from %" PRId64 " to %" PRId64
				 ", not \"%s\"", option, minimum, maximum, text);
	return 0;
}

static int parse_fault(const char *text, enum bench_fault *ret_fault, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(fault_names); i++) {
		if (strcmp(fault_names[i], text) == 0) {
			*ret_fault = (enum bench_fault)i;
			return 0;
		}
	}
	return error_set(err, -EINVAL, "no fault is called \"%s\"", text);
}

static int parse_size(const char *option, const char *text, uint64_t *ret_bytes,
		      struct error *err)
{
	if (text_parse_size(text, ret_bytes) < 0)
		return error_set(err, -EINVAL, "%s takes bytes such as 64M or 1G, not \"%s\"", option,
				 text);
	if (*ret_bytes == 0)
		return error_set(err, -EINVAL, "%s is 0: there would be no page to measure", option);
	return 0;
}

static int parse_option(int option, const char *value, struct bench_options *options,
			struct error *err)
{
	unsigned int takers = option_takers[option - OPTION_SIZE];

	if (takers != 0 && !(options->workload->options & takers))
		return error_set(err, -EINVAL, "%s takes no --%s", options->workload->name,
				 long_options[option - OPTION_SIZE].name);
	switch (option) {
	case OPTION_SIZE:
		return parse_size("--size", value, &options->size_bytes, err);
	case OPTION_ITERATIONS:
		return parse_number("--iterations", value, 1, ITERATIONS_MAX,
				    &options->iterations, err);
	case OPTION_WARMUP:
		return parse_number("--warmup-iterations", value, 0, ITERATIONS_MAX,
				    &options->warmup_iterations, err);
	case OPTION_CPU:
		return parse_number("--cpu", value, 0, CPU_MAX, &options->cpu, err);
	case OPTION_SHARED:
		options->is_shared = true;
		return 0;
	case OPTION_REGIONS:
		return parse_number("--regions", value, 1, REGIONS_MAX, &options->regions, err);
	case OPTION_FOLIO:
		return parse_size("--folio", value, &options->folio_bytes, err);
	case OPTION_METRIC:
		options->metric = value;
		return 0;
	case OPTION_TIMEOUT:
		return parse_number("--timeout", value, 1, TIMEOUT_MAX_S, &options->timeout_s, err);
	case OPTION_FAULT:
		return parse_fault(value, &options->fault, err);
	default:
		return error_set(err, -EINVAL, "unknown option");
	}
}

static int refuse_option(int option, char *const *argv, struct error *err)
{
	const char *word = argv[optind - 1];

	if (option == ':')
		return error_set(err, -EINVAL, "%s needs a value", word);

	const char *nearest = text_nearest(word, option_names);

	if (nearest)
		return error_set(err, -EINVAL, "unknown option \"%s\"; did you mean %s?", word,
				 nearest);
	return error_set(err, -EINVAL, "unknown option \"%s\"; see abbot-bench --help", word);
}

static int parse_workload(const char *name, struct bench_options *options, struct error *err)
{
	options->workload = workload_find(name);
	if (!options->workload) {
		const char *nearest = workload_nearest(name);

		if (nearest)
			return error_set(err, -EINVAL,
					 "unknown workload \"%s\"; did you mean %s?", name, nearest);
		return error_set(err, -EINVAL, "unknown workload \"%s\"; see abbot-bench list",
				 name);
	}
	options->size_bytes = options->workload->size_bytes;
	options->iterations = options->workload->iterations;
	options->warmup_iterations = options->workload->warmup_iterations;
	options->timeout_s = options->workload->timeout_s;
	options->regions = 1;
	options->cpu = -1;
	return 0;
}

/* The words that are not a workload. */
static bool take_verb(const char *word, enum bench_verb *ret_verb)
{
	if (strcmp(word, "list") == 0)
		*ret_verb = BENCH_VERB_LIST;
	else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
		 strcmp(word, "help") == 0)
		*ret_verb = BENCH_VERB_HELP;
	else if (strcmp(word, "--version") == 0)
		*ret_verb = BENCH_VERB_VERSION;
	else
		return false;
	return true;
}

/* What is left of the words: a command, or nothing. */
static int take_command(int argc, char **argv, struct bench_options *options, struct error *err)
{
	if (options->workload->options & WORKLOAD_COMMAND) {
		if (optind >= argc || !*argv[optind])
			return error_set(err, -EINVAL,
					 "%s needs a command: abbot-bench %s -- COMMAND [WORD...]",
					 argv[1], argv[1]);
		options->command = argv + optind;
	} else if (optind < argc) {
		return error_set(err, -EINVAL, "%s takes options only, but got \"%s\"", argv[1],
				 argv[optind]);
	}
	return 0;
}

int options_parse(int argc, char **argv, enum bench_verb *ret_verb,
		  struct bench_options *ret_options, struct error *err)
{
	struct bench_options options = { 0 };
	int option;
	int code;

	if (argc < 2)
		return error_set(err, -EINVAL, "no workload is named; see abbot-bench list");
	if (take_verb(argv[1], ret_verb)) {
		if (argc > 2)
			return error_set(err, -EINVAL, "%s takes no more words, but got \"%s\"",
					 argv[1], argv[2]);
		return 0;
	}
	code = parse_workload(argv[1], &options, err);
	if (code < 0)
		return code;
	opterr = 0;
	optind = 2;
	while ((option = getopt_long(argc, argv, "+:", long_options, NULL)) != -1) {
		if (option == '?' || option == ':')
			return refuse_option(option, argv, err);
		code = parse_option(option, optarg, &options, err);
		if (code < 0)
			return code;
	}
	code = take_command(argc, argv, &options, err);
	if (code < 0)
		return code;
	*ret_verb = BENCH_VERB_RUN;
	*ret_options = options;
	return 0;
}

int options_check_size(const struct bench_options *options, struct error *err)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t available_kb;

	if (options->size_bytes % page_bytes != 0 || options->size_bytes > SIZE_MAX / 2)
		return error_set(err, -EINVAL,
				 "--size %" PRIu64 " is not a multiple of the page size, %" PRIu64,
				 options->size_bytes, page_bytes);

	_cleanup_free_ char *meminfo = proc_file_read("/proc/meminfo", 65536, NULL);

	if (meminfo && proc_file_find_number(meminfo, "MemAvailable", &available_kb) == 0 &&
	    options->size_bytes / 1024 > available_kb)
		return error_set(err, -ENOMEM,
				 "--size is %" PRIu64 " MiB, but only %" PRIu64
				 " MiB of memory are available", options->size_bytes >> 20,
				 available_kb >> 10);
	return 0;
}
