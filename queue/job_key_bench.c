// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The workloads of abbot-bench and their metrics. Known here so that a misspelt one is
 * refused now and not after two kernel builds and a boot.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "queue/job_key.h"

const char *const job_workload_words[] = {
	"mprotect-toggle", "mprotect-single", "mprotect-regions", "mprotect-populated",
	"mprotect-pmd", "mprotect-large-folio", "write-fault", "exec", NULL,
};

#define METRICS_OF_TOGGLE "iteration", "protect", "restore", "touch"
#define METRICS_OF_REGIONS                                                                     \
	"call", "cycles", "call-4K", "cycles-4K", "call-40K", "cycles-40K", "call-400K",       \
		"cycles-400K", "call-4M", "cycles-4M", "call-40M", "cycles-40M", "call-400M",  \
		"cycles-400M", "call-4G", "cycles-4G", "call-40G", "cycles-40G"

/* The commands of exec have names of their own; the one that they are judged by is always "headline". */
const char *const job_metric_words[] = {
	METRICS_OF_TOGGLE, "fault", METRICS_OF_REGIONS, "headline", NULL,
};

#define METRICS_MAX 20

/* In the order of job_workload_words. */
static const char *const metrics_of[][METRICS_MAX] = {
	{ METRICS_OF_TOGGLE }, { "protect" }, { METRICS_OF_REGIONS },
	{ "iteration", "protect", "restore" }, { METRICS_OF_TOGGLE }, { METRICS_OF_TOGGLE },
	{ "fault" }, { "headline" },
};

int job_key_check_metric(const char *workload, const char *metric, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics_of); i++) {
		if (strcmp(job_workload_words[i], workload) != 0)
			continue;
		for (size_t k = 0; k < METRICS_MAX && metrics_of[i][k]; k++)
			if (strcmp(metrics_of[i][k], metric) == 0)
				return 0;
		return error_set(err, -EINVAL, "%s has no metric \"%.100s\"; write metric = %s",
				 workload, metric, metrics_of[i][0]);
	}
	return 0;
}

const char *job_key_first_metric(const char *workload)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics_of); i++)
		if (strcmp(job_workload_words[i], workload) == 0)
			return metrics_of[i][0];
	return job_metric_words[0];
}
