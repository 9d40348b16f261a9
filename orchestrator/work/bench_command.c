// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How abbot-bench is called. What becomes of it is for others.
 */
#include "orchestrator/work/bench_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/paths.h"
#include "common/text.h"

static int find_bench(char **ret_path, struct error *err)
{
	const char *override = secure_getenv("ABBOT_BENCH");

	if (override && *override) {
		*ret_path = text_duplicate(override);
		return 0;
	}
	return paths_program("abbot-bench", ret_path, err);
}

int bench_command_make(const struct job_measure *measure, const struct job_bench *bench,
		       struct bench_command *ret_command, struct error *err)
{
	struct bench_command command = { 0 };
	int code = find_bench(&command.path, err);

	if (code < 0)
		return code;
	command.cpu = text_format("%" PRId64, measure->cpu);
	command.argv[command.n++] = command.path;
	command.argv[command.n++] = bench->workload;
	/* Without it abbot-bench takes the highest-numbered CPU that is online. */
	if (measure->cpu >= 0) {
		command.argv[command.n++] = "--cpu";
		command.argv[command.n++] = command.cpu;
	}
	for (size_t i = 0; bench->arguments && bench->arguments[i]; i++) {
		if (command.n + 1 >= BENCH_COMMAND_MAX) {
			bench_command_done(&command);
			return error_set(err, -E2BIG,
					 "too many arguments for abbot-bench in the job");
		}
		command.argv[command.n++] = bench->arguments[i];
	}
	*ret_command = command;
	return 0;
}

void bench_command_done(struct bench_command *command)
{
	free(command->path);
	free(command->cpu);
}
