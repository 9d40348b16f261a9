// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does abbot-bench measure what a plain loop measures? Both are run in turns, as many
 * pairs as asked for, and the median of the pairs' ratios is judged: by instructions
 * where the machine counts them, else by time, which a noisy machine cannot decide: there
 * the lab's case fidelity counts every instruction.
 *
 * fidelity ABBOT_BENCH PLAIN_LOOP [PAIRS]: exit 0 all goals are met, 1 one is missed, or nothing was
 * measured, 3 none is missed, but the scatter is too wide to judge one.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/subprocess.h"
#include "common/text.h"

#define PAIRS_MAX 100
#define PAIRS_MIN 6            /* of fewer not even the extremes enclose the median with 95 % */
#define RATIO_GOAL 0.01        /* of the means, from 1 */
#define ERROR_RATIO_GOAL 1.25
#define OUTSIDE_GOAL 0.10
#define TIMEOUT_MS 600000
#define EXIT_OPEN 3

struct figures {
	double mean;
	double error;          /* standard error of the mean */
	double instructions;   /* a unit; 0: not counted */
	double outside;        /* part of the run that is not timed; of abbot-bench only */
};

struct comparison {
	const char *name;      /* of the plain loop */
	const char *workload;
	const char *metric;
	const char *size_bytes;
	const char *iterations;
	const char *warmups;
	double units;          /* pages or calls an iteration, in the unit of the metric */
	bool has_outside;
};

static int run(const char *const *argv, struct subprocess_result *ret_run, struct error *err)
{
	const struct subprocess_options options = { .argv = argv, .timeout_ms = TIMEOUT_MS,
						    .max_output_bytes = 1U << 20 };
	int code = subprocess_run(&options, ret_run, err);

	if (code == 0 && (ret_run->timed_out || ret_run->signal || ret_run->exit_status))
		code = error_set(err, -EPROTO, "%s ended with status %d: %s", argv[0],
				 ret_run->exit_status,
				 ret_run->error_output ? ret_run->error_output : "");
	return code;
}

static int run_plain(const struct comparison *what, const char *program, const char *cpu,
		     struct figures *ret_figures, struct error *err)
{
	const char *const argv[] = { program, what->name, what->size_bytes, what->iterations,
				     what->warmups, cpu, NULL };
	_cleanup_(subprocess_result_done) struct subprocess_result result = { 0 };
	int code = run(argv, &result, err);

	if (code == 0 && sscanf(result.output, "mean=%lf error=%lf instructions=%lf", &ret_figures->mean,
				&ret_figures->error, &ret_figures->instructions) != 3)
		code = error_set(err, -EBADMSG, "%s printed \"%s\"", program, result.output);
	return code;
}

static int run_bench(const struct comparison *what, const char *program, const char *cpu,
		     struct figures *ret_figures, struct error *err)
{
	const char *const argv[] = { program, what->workload, "--size", what->size_bytes,
				     "--iterations", what->iterations, "--warmup-iterations",
				     what->warmups, "--cpu", cpu, NULL };
	_cleanup_(subprocess_result_done) struct subprocess_result result = { 0 };
	_cleanup_json_ json_t *json = NULL;
	int code = run(argv, &result, err);

	if (code < 0)
		return code;
	json = json_loadb(result.output, result.output_size, 0, NULL);

	const json_t *metric = json_object_get(json_object_get(json, "metrics"), what->metric);
	double n = json_number_value(json_object_get(metric, "n"));

	if (n < 2)
		return error_set(err, -EBADMSG, "%s measured nothing", what->workload);
	ret_figures->mean = json_number_value(json_object_get(metric, "mean"));
	ret_figures->error = json_number_value(json_object_get(metric, "sd")) / sqrt(n);
	ret_figures->instructions = json_number_value(
		json_object_get(json_object_get(json, "counters"), "instructions"));
	ret_figures->outside = 1 - ret_figures->mean * what->units * n /
					   ((double)result.wall_time_ms * 1e6);
	return 0;
}

static int compare_doubles(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return difference < 0 ? -1 : difference > 0;
}

/*
 * The median of @n ratios and the order statistics that enclose it with 95 % and more (binomial,
 * normal approximation). Sorts.
 */
static double median(double *values, size_t n, double *ret_low, double *ret_high)
{
	double reach = 1.96 * sqrt((double)n) / 2;
	double low = floor((double)n / 2 - reach);

	qsort(values, n, sizeof(*values), compare_doubles);
	*ret_low = values[low > 1 ? (size_t)low - 1 : 0];
	*ret_high = values[low > 1 ? n - (size_t)low : n - 1];
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

enum outcome {
	MET,
	OPEN,
	MISSED,
};

static void worsen(enum outcome *worst, enum outcome outcome)
{
	if (outcome > *worst)
		*worst = outcome;
}

static const char *outcome_words(enum outcome outcome)
{
	switch (outcome) {
	case MET:
		return "met";
	case OPEN:
		return "cannot be judged, this machine is too noisy";
	case MISSED:
		return "missed";
	}
	return "";
}

/* Missed only where it is so for certain. */
static enum outcome say(const char *name, const char *what, double *values, size_t n, double minimum,
		double maximum)
{
	double low;
	double high;
	double middle = median(values, n, &low, &high);
	bool holds = middle >= minimum && middle <= maximum;
	bool is_open = low <= maximum && high >= minimum;
	enum outcome outcome = holds ? MET : is_open ? OPEN : MISSED;

	(void)printf("%s: %s %.4f (95 %% interval %.4f to %.4f), goal %s%.4g: %s\n", name, what,
		     middle, low, high, minimum > 0 ? "0.99 to " : "at most ", maximum,
		     outcome_words(outcome));
	return outcome;
}

static int compare(const struct comparison *what, const char *const *programs, const char *cpu,
		   size_t n_pairs, enum outcome *worst, struct error *err)
{
	double means[PAIRS_MAX];
	double errors[PAIRS_MAX];
	double instructions[PAIRS_MAX];
	double outsides[PAIRS_MAX];
	bool is_counted = true;

	for (size_t i = 0; i < n_pairs; i++) {
		struct figures ours = { 0 };
		struct figures plain = { 0 };
		int code = 0;

		/* Which comes first changes from pair to pair. */
		for (size_t turn = 0; turn < 2 && code == 0; turn++)
			code = (i + turn) % 2 == 0 ?
				       run_bench(what, programs[0], cpu, &ours, err) :
				       run_plain(what, programs[1], cpu, &plain, err);
		if (code < 0)
			return code;
		means[i] = ours.mean / plain.mean;
		errors[i] = ours.error / plain.error;
		outsides[i] = ours.outside;
		is_counted = is_counted && ours.instructions > 0 && plain.instructions > 0;
		instructions[i] = is_counted ? ours.instructions / plain.instructions : 0;
	}
	if (is_counted)
		worsen(worst, say(what->workload, "ratio of the instructions", instructions,
				  n_pairs, 1 - RATIO_GOAL, 1 + RATIO_GOAL));
	else
		worsen(worst, say(what->workload, "ratio of the means", means, n_pairs,
				  1 - RATIO_GOAL, 1 + RATIO_GOAL));
	worsen(worst, say(what->workload, "ratio of the standard errors", errors, n_pairs, 0,
			  ERROR_RATIO_GOAL));
	if (what->has_outside)
		worsen(worst, say(what->workload, "part of the run that is not timed", outsides,
				  n_pairs, 0, OUTSIDE_GOAL));
	return 0;
}

int main(int argc, char **argv)
{
	const double pages = (double)(64U << 20) / (double)sysconf(_SC_PAGESIZE);
	const struct comparison comparisons[] = {
		{ "toggle", "mprotect-toggle", "iteration", "67108864", "1000", "10", pages, true },
		{ "regions", "mprotect-regions", "call", "409600", "5000", "50", 2, false },
	};
	struct error err = { 0 };
	_cleanup_free_ char *cpu = text_format("%ld", sysconf(_SC_NPROCESSORS_ONLN) - 1);
	int64_t n_pairs = 20;
	enum outcome worst = MET;
	int code = 0;

	if (argc < 3 || argc > 4 ||
	    (argc == 4 && text_parse_i64(argv[3], PAIRS_MIN, PAIRS_MAX, &n_pairs) < 0))
		code = error_set(&err, -EINVAL,
				 "usage: fidelity ABBOT_BENCH PLAIN_LOOP [PAIRS], %d to %d pairs",
				 PAIRS_MIN, PAIRS_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(comparisons) && code == 0; i++) {
		code = compare(&comparisons[i], (const char *const *)argv + 1, cpu,
			       (size_t)n_pairs, &worst, &err);
		(void)fflush(stdout);
	}
	if (code < 0)
		(void)fprintf(stderr, "fidelity: %s\n", err.text);
	if (code < 0 || worst == MISSED)
		return EXIT_FAILURE;
	return worst == OPEN ? EXIT_OPEN : EXIT_SUCCESS;
}
