// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options of `abbot queue` for a job with several workloads: what follows a --workload
 * belongs to it.
 */
#include "orchestrator/cli/queue_workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job_key.h"

/* One more of several workloads; a second one of a kind gets a number. */
static int add_workload(struct job *job, const char *workload, struct error *err)
{
	_cleanup_free_ char *name = text_duplicate(workload);
	int r;

	for (int number = 2; number <= JOB_BENCHES_MAX; number++) {
		bool is_taken = false;

		for (size_t i = 0; i < job->n_benches; i++)
			is_taken = is_taken || strcmp(job->benches[i].name, name) == 0;
		if (!is_taken)
			break;
		free(name);
		name = text_format("%s-%d", workload, number);
	}
	r = job_add_bench(job, name, "", err);
	if (r == 0)
		r = job_key_set_text(job_key_find("bench", "workload"),
				     &job->benches[job->n_benches - 1], workload, err);
	return r;
}

int queue_set_workload(struct job *job, const struct cli_option *option, struct error *err)
{
	const char *key = strcmp(option->name, "--metric") == 0 ? "metric" : "argument";
	int r;

	if (strcmp(option->name, "--workload") == 0)
		r = add_workload(job, option->value, err);
	else if (!job->n_benches)
		return error_set(err, -EINVAL,
				 "%s stands before the first --workload: which of them is it for?",
				 option->name);
	else
		r = job_key_set_text(job_key_find("bench", key),
				     &job->benches[job->n_benches - 1], option->value, err);
	return r < 0 ? error_prefix(err, r, "%s", option->name) : 0;
}

bool queue_is_workload_option(const char *name)
{
	return strcmp(name, "--workload") == 0 || strcmp(name, "--metric") == 0 ||
	       strcmp(name, "--bench-arg") == 0;
}
