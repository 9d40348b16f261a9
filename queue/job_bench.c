// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The workloads of a job: one, as [job] and [measure] say it, or several, a [bench "NAME"]
 * each; and in which order their processes run within a boot. Pure.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job.h"
#include "queue/job_key.h"

int job_add_bench(struct job *job, const char *name, const char *workload, struct error *err)
{
	if (job->n_benches >= JOB_BENCHES_MAX)
		return error_set(err, -E2BIG, "a job has at most %d workloads", JOB_BENCHES_MAX);
	for (size_t i = 0; i < job->n_benches; i++)
		if (strcmp(job->benches[i].name, name) == 0)
			return error_set(err, -EEXIST, "there are two workloads named \"%.100s\"",
					 name);
	job->benches[job->n_benches++] = (struct job_bench){
		.name = text_duplicate(name),
		.workload = text_duplicate(workload),
		.warmups = -1,
		.processes = -1,
	};
	return 0;
}

size_t job_n_benches(const struct job *job)
{
	return job->n_benches ? job->n_benches : 1;
}

struct job_bench job_bench_at(const struct job *job, size_t index)
{
	const struct job_measure *measure = &job->measure;
	struct job_bench bench;

	if (!job->n_benches)
		return (struct job_bench){
			.name = measure->workload,
			.workload = measure->workload,
			.arguments = measure->arguments,
			.metric = measure->metric,
			.warmups = measure->warmups,
			.processes = measure->processes,
		};
	bench = job->benches[index];
	if (!bench.metric)
		bench.metric = (char *)(uintptr_t)job_key_first_metric(bench.workload);
	if (bench.warmups < 0)
		bench.warmups = measure->warmups;
	if (bench.processes < 0)
		bench.processes = measure->processes;
	return bench;
}

static int64_t processes_of(const struct job *job, size_t index)
{
	struct job_bench bench = job_bench_at(job, index);

	return bench.warmups + bench.processes;
}

int64_t job_n_processes(const struct job *job)
{
	int64_t n = 0;

	for (size_t i = 0; i < job_n_benches(job); i++)
		n += processes_of(job, i);
	return n;
}

struct job_process job_process_at(const struct job *job, int boot, int64_t process)
{
	size_t n = job_n_benches(job);
	int64_t counts[JOB_BENCHES_MAX];
	int64_t left = process;
	int64_t turn = 0;
	size_t i = 0;

	for (size_t k = 0; k < n; k++)
		counts[k] = processes_of(job, k);
	if (n == 1 || process < 0 || process >= job_n_processes(job))
		return (struct job_process){ 0, process, process < job_bench_at(job, 0).warmups };
	for (turn = 0;; turn++) {
		for (size_t k = 0; k < n; k++) {
			i = ((size_t)boot + (size_t)turn + k) % n;
			if (turn < counts[i] && left-- == 0)
				return (struct job_process){ i, turn,
							     turn < job_bench_at(job, i).warmups };
		}
	}
}
