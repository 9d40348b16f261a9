// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a job's workloads, and the diagnoses after them, must be.
 */
#include "queue/job_validate.h"

#include <errno.h>
#include <string.h>

#include "common/text.h"
#include "queue/job_key.h"

#define FUNCTIONS_PREFIX "functions="
#define FUNCTION_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
#define FUNCTION_MAX_BYTES 127
#define FUNCTIONS_MAX 16

static int validate_bench(const struct job *job, size_t index, struct error *err)
{
	struct job_bench bench = job->benches[index];
	int r = job_validate_name("workload", bench.name, err);

	if (r < 0)
		return r;
	if (!bench.workload[0])
		return error_set(err, -EINVAL, "[bench \"%s\"] names no workload", bench.name);
	bench = job_bench_at(job, index);
	r = job_key_check_metric(bench.workload, bench.metric, err);
	return r < 0 ? error_prefix(err, r, "[bench \"%s\"]", bench.name) : 0;
}

int job_validate_benches(const struct job *job, struct error *err)
{
	if (!job->n_benches)
		return job_key_check_metric(job->measure.workload, job->measure.metric, err);
	for (size_t i = 0; i < job->n_benches; i++) {
		int r = validate_bench(job, i, err);

		if (r < 0)
			return r;
	}
	if (job_n_processes(job) > JOB_PROCESSES_MAX)
		return error_set(err, -ERANGE,
				 "the workloads together have %lld processes a boot, allowed are %d",
				 (long long)job_n_processes(job), JOB_PROCESSES_MAX);
	return 0;
}

/* Names become lines of a file of tracefs: no blanks, no wildcards. */
static int validate_functions(const char *list, struct error *err)
{
	int n = 0;

	for (const char *name = list;; name += strcspn(name, ",") + 1) {
		size_t length = strcspn(name, ",");

		if (length == 0 || length > FUNCTION_MAX_BYTES ||
		    strspn(name, FUNCTION_BYTES) < length)
			return error_set(err, -EINVAL,
					 "measure.diagnose: \"%.*s\" is no name of a kernel function",
					 (int)(length < 100 ? length : 100), name);
		if (++n > FUNCTIONS_MAX)
			return error_set(err, -E2BIG,
					 "measure.diagnose counts at most %d functions", FUNCTIONS_MAX);
		if (!name[length])
			return 0;
	}
}

int job_validate_diagnoses(const struct job *job, struct error *err)
{
	bool has_perf = false;
	bool has_functions = false;

	for (char *const *word = job->measure.diagnoses; word && *word; word++) {
		bool is_perf = strcmp(*word, "perf") == 0;
		bool is_functions = text_has_prefix(*word, FUNCTIONS_PREFIX);

		if (!is_perf && !is_functions)
			return error_set(err, -EINVAL,
					 "measure.diagnose does not know \"%.100s\", write perf or functions=NAME,NAME",
					 *word);
		if ((is_perf && has_perf) || (is_functions && has_functions))
			return error_set(err, -EEXIST, "measure.diagnose names %s twice",
					 is_perf ? "perf" : "functions");
		has_perf = has_perf || is_perf;
		has_functions = has_functions || is_functions;
		if (is_functions) {
			int r = validate_functions(*word + strlen(FUNCTIONS_PREFIX), err);

			if (r < 0)
				return r;
		}
	}
	return 0;
}
