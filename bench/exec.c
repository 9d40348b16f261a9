// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exec: a command of the user measures, this only runs it on the CPU and takes its
 * figures.
 */
#include <errno.h>
#include <unistd.h>

#include "bench/exec_command.h"
#include "bench/exec_output.h"
#include "bench/placement.h"
#include "bench/timing.h"
#include "common/cleanup.h"
#include "common/text.h"

#define HEADLINE "headline"

static json_t *describe(const struct bench_options *options)
{
	_cleanup_text_ struct text_buffer words = { 0 };

	for (char *const *word = options->command; *word; word++)
		text_printf(&words, "%s%s", words.size ? " " : "", *word);

	/* A word that is not UTF-8 has no place in JSON. */
	json_t *command = json_string(words.text);

	return json_pack("{s:o, s:s, s:I}", "command", command ? command : json_null(), "user",
			 geteuid() == 0 ? "nobody" : "the caller", "timeout_s",
			 (json_int_t)options->timeout_s);
}

/* The figure that --metric names, or the only one, once more under a name that never varies. */
static int add_headline(const char *name, json_t *metrics, struct error *err)
{
	json_t *metric;

	if (json_object_get(metrics, HEADLINE))
		return name ? error_set(err, -EINVAL,
					"the command prints a figure called " HEADLINE
					", so --metric cannot pick another") : 0;
	if (!name && json_object_size(metrics) > 1)
		return 0;
	metric = name ? json_object_get(metrics, name) :
			json_object_iter_value(json_object_iter(metrics));
	if (!metric)
		return error_set(err, -EINVAL, "the command prints no figure called \"%s\"", name);
	(void)json_object_set(metrics, HEADLINE, metric);
	return 0;
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	_cleanup_free_ char *output = NULL;
	_cleanup_json_ json_t *metrics = NULL;
	struct placement placement = { .cpu = (int)options->cpu };
	struct timing timing;
	size_t size = 0;
	int code;

	timing_begin(&timing);
	code = exec_command_run(options->command, options->timeout_s, &output, &size, err);
	timing_end(&timing, BENCH_FAULT_NONE);
	if (code == 0)
		code = exec_output_parse(output, size, &metrics, err);
	if (code == 0)
		code = add_headline(options->metric, metrics, err);
	if (code < 0)
		return code;
	(void)outcome_check(&result->outcome, placement_holds(&placement),
			    "the process no longer runs on CPU %d only", placement.cpu);
	timing_record(&timing, 0, NULL, 0, result);
	result->parameters = describe(options);
	result->metrics = TAKE_PTR(metrics);
	bench_result_note(result, "what the command measured is its own affair: no page was looked at");
	return 0;
}

const struct workload workload_exec = {
	.name = "exec",
	.summary = "a command of yours (after --), which prints its figures as NAME=VALUE",
	.options = WORKLOAD_COMMAND,
	.timeout_s = 600,
	.run = run,
};
